import type { Span } from '../../src/domain/span.js'

const NEWEST = 20

/** The requests of a service in the order in which they were made, which is that of time but for milliseconds. */
interface Requests {
  readonly atNs: bigint[]
  readonly tookNs: number[]
  readonly failed: boolean[]
}

/** What the spans of a service in a stretch of time come to. */
export interface Red {
  readonly calls: number
  readonly errors: number
  readonly p95Ms: number
}

/** Stretch of time, the end outside of it. */
export interface Stretch {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** The percentile by linear interpolation between the two adjacent values. */
function quantile(sorted: readonly number[], p: number): number {
  const at = p * (sorted.length - 1)
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

/** The newest traces of those that come, oldest first. */
class Newest {
  readonly #ids: string[] = []

  add(traceId: string): void {
    if (this.#ids.at(-1) === traceId) return
    this.#ids.push(traceId)
    if (this.#ids.length > NEWEST) this.#ids.shift()
  }

  /** Newest first. */
  get ids(): readonly string[] {
    return this.#ids.toReversed()
  }
}

/** Counts generated spans as the queries of the measurement should find them. */
export class SpanTally {
  readonly #hour: Stretch
  readonly #isRequested: (span: Span) => boolean
  readonly #requests = new Map<string, Requests>()
  /** Times of calls by edge. */
  readonly #calls = new Map<string, bigint[]>()
  readonly #services = new Map<string, string | null>()
  readonly #newest = new Newest()
  readonly #failed = new Newest()
  readonly traceIds: string[] = []

  constructor(hour: Stretch, isRequested: (span: Span) => boolean) {
    this.#hour = hour
    this.#isRequested = isRequested
  }

  /** Whole traces, oldest first. */
  add(spans: readonly Span[]): void {
    this.traceIds.push(spans[0]!.traceId)
    this.#services.clear()
    for (const { spanId, service } of spans) this.#services.set(spanId, service)
    for (const span of spans) this.#addOne(span)
  }

  /** Requests of each service, by name. */
  requests({ startNs, endNs }: Stretch): ReadonlyMap<string, Red> {
    return new Map(
      [...this.#requests].map(([service, { atNs, tookNs, failed }]) => {
        const isIn = (_: unknown, i: number): boolean => atNs[i]! >= startNs && atNs[i]! < endNs
        const took = tookNs.filter(isIn).sort((a, b) => a - b)
        return [
          service,
          { calls: took.length, errors: failed.filter(isIn).filter(Boolean).length, p95Ms: quantile(took, 0.95) / 1e6 }
        ]
      })
    )
  }

  /** Calls by `source>target`. */
  edges({ startNs, endNs }: Stretch): ReadonlyMap<string, number> {
    const counted = Array.from(
      this.#calls,
      ([edge, times]) => [edge, times.filter(at => at >= startNs && at < endNs).length] as const
    )
    return new Map(counted.filter(([, calls]) => calls > 0))
  }

  /** The newest traces with a span that is searched for. */
  get newest(): readonly string[] {
    return this.#newest.ids
  }

  /** The newest traces with a span of the hour that failed. */
  get failed(): readonly string[] {
    return this.#failed.ids
  }

  #addOne(span: Span): void {
    const isInHour = span.timestampNs >= this.#hour.startNs && span.timestampNs < this.#hour.endNs
    if (this.#isRequested(span)) this.#newest.add(span.traceId)
    if (span.status === 'error' && isInHour) this.#failed.add(span.traceId)
    if (span.kind === 'server') this.#addRequest(span)
    this.#addCall(span)
  }

  #addRequest({ service, timestampNs, durationNs, status }: Span): void {
    const requests = this.#requests.get(service!) ?? { atNs: [], tookNs: [], failed: [] }
    this.#requests.set(service!, requests)
    requests.atNs.push(timestampNs)
    requests.tookNs.push(Number(durationNs))
    requests.failed.push(status === 'error')
  }

  /** Servers are called by the span above them; databases by each client span that names one. */
  #addCall({ kind, service, parentSpanId, attributes, timestampNs }: Span): void {
    const caller = parentSpanId === null ? null : (this.#services.get(parentSpanId) ?? null)
    if (kind === 'server' && caller !== null) this.#count(`service:${caller}>service:${service}`, timestampNs)
    const database = attributes['db.system.name']
    if (kind === 'client' && typeof database === 'string') this.#count(`service:${service}>database:${database}`, timestampNs)
  }

  #count(edge: string, atNs: bigint): void {
    const times = this.#calls.get(edge)
    if (times) times.push(atNs)
    else this.#calls.set(edge, [atNs])
  }
}
