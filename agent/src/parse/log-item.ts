/** A record as the service takes it; host, service and tags are defaults of the batch. */
export interface LogItem {
  readonly message: string
  /** Absent where the service reads it from the message. */
  readonly timestamp?: string
  readonly host?: string
  readonly service?: string
  readonly level?: string
  readonly trace_id?: string
  readonly span_id?: string
  readonly log_fields?: Readonly<Record<string, unknown>>
}

const NS_PER_MS = 1_000_000n

/** RFC 3339 with nanoseconds. */
export function formatTime(ms: number, plusNs = 0): string {
  const ns = BigInt(ms) * NS_PER_MS + BigInt(plusNs)
  const iso = new Date(Number(ns / NS_PER_MS)).toISOString()
  return `${iso.slice(0, -1)}${String(ns % NS_PER_MS).padStart(6, '0')}Z`
}
