/** An event as a client takes it from a stream (HTML, "Server-sent events"). */
export interface StreamedEvent {
  readonly id: string | null
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The live tail of logs, as a client of `text/event-stream` reads it. */
export class EventStreamClient {
  readonly response: Response
  readonly #leave: AbortController
  readonly #text: AsyncIterator<string>
  #rest = ''

  private constructor(response: Response, leave: AbortController) {
    this.response = response
    this.#leave = leave
    this.#text = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  }

  /** Resolves when the stream has begun. Throws the problem of another response. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStreamClient> {
    const leave = new AbortController()
    const response = await fetch(url, { headers, signal: leave.signal })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return new EventStreamClient(response, leave)
  }

  /** The next event; null when the stream ends. */
  async next(): Promise<StreamedEvent | null> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n')
      if (end >= 0) {
        const lines = this.#rest.slice(0, end).split('\n')
        this.#rest = this.#rest.slice(end + 2)
        return eventOf(lines)
      }
      const { done, value } = await this.#text.next()
      if (done === true) return null
      this.#rest += value
    }
  }

  /** Logs of the next events, until `count` came. */
  async logs(count: number): Promise<readonly { readonly id: string; readonly message: string }[]> {
    const logs: { readonly id: string; readonly message: string }[] = []
    while (logs.length < count) {
      const event = await this.next()
      if (event?.event !== 'logs') throw new Error(JSON.stringify(event))
      logs.push(...(event.data['logs'] as typeof logs))
    }
    return logs
  }

  leave(): void {
    this.#leave.abort()
  }
}

function eventOf(lines: readonly string[]): StreamedEvent {
  const fieldOf = (name: string): string | null =>
    lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null
  return { id: fieldOf('id'), event: fieldOf('event')!, data: JSON.parse(fieldOf('data')!) as StreamedEvent['data'] }
}
