/** One event of a stream (HTML, "Server-sent events"). */
export interface StreamEvent {
  /** What a client sends as `Last-Event-ID` when it connects again; a text without line breaks. */
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

/** An event as text: `data` is JSON, which has no line breaks. */
export function eventText({ id, event, data }: StreamEvent): string {
  const first = id === undefined ? '' : `id: ${id}\n`
  return `${first}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
