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

const NS_PER_MS = 1_000_000

function withNs(isoMs: string, ns: number): string {
  return `${isoMs.slice(0, -1)}${digitsOf(ns)}Z`
}

/** The nanoseconds behind a millisecond, in six digits. */
function digitsOf(ns: number): string {
  return String(NS_PER_MS + ns).slice(1)
}

/** RFC 3339 with nanoseconds. @param ms whole Unix milliseconds. @param plusNs less than a second. */
export function formatTime(ms: number, plusNs = 0): string {
  const moreMs = Math.floor(plusNs / NS_PER_MS)
  return withNs(new Date(ms + moreMs).toISOString(), plusNs - moreMs * NS_PER_MS)
}

/** Times of lines without one: `ms` and as many nanoseconds as there are lines before. */
export function formatTimesAt(ms: number): (index: number) => string {
  const prefix = new Date(ms).toISOString().slice(0, -1)
  return index => (index < NS_PER_MS ? `${prefix}${digitsOf(index)}Z` : formatTime(ms, index))
}
