import type { NamespaceId } from '../domain/ids.js'
import type { OtlpLog, OtlpRecord } from '../otlp/model.js'
import type { Clock } from '../ports/clock.js'

export const OTLP_SIGNALS = ['traces', 'metrics', 'logs'] as const
/** What OTLP exports. */
export type OtlpSignal = (typeof OTLP_SIGNALS)[number]

export const OTLP_PROTOCOLS = ['grpc', 'http/protobuf', 'http/json'] as const
export type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number]

export const OTLP_STATES = ['never', 'receiving', 'stale', 'rejecting'] as const
/** `rejecting`: the last request was refused, or records of it; `stale`: nothing came for five minutes. */
export type OtlpState = (typeof OTLP_STATES)[number]

/** What this gateway saw of one protocol and signal of a namespace since it started. Times are Unix milliseconds. */
export interface OtlpChannel {
  readonly protocol: OtlpProtocol
  readonly signal: OtlpSignal
  readonly state: OtlpState
  readonly lastAcceptedMs: number | null
  readonly lastRejectedMs: number | null
  readonly lastRejection: string | null
  readonly requests: number
  readonly records: number
  readonly rejectedRecords: number
  readonly bytes: number
  /** `telemetry.sdk.*` of the resource that came last, e.g. `opentelemetry nodejs 2.12.0`. */
  readonly sdk: string | null
  /** Arrival minus the time of the last record that came; large when its sender's clock, or the way here, is slow. */
  readonly clockSkewMs: number | null
  /** Records whose resource has no `service.name`. */
  readonly withoutService: number
}

type Entry = { -readonly [K in keyof Omit<OtlpChannel, 'state'>]: OtlpChannel[K] }

const STALE_MS = 300_000
const MAX_NAMESPACES = 10_000
const NS_PER_MS = 1_000_000n
const MAX_TEXT = 500

function scopeOf(record: OtlpRecord): OtlpLog['scope'] {
  return 'metric' in record ? record.metric.scope : record.scope
}

function timeOf(record: OtlpRecord): bigint {
  if ('endTimeNs' in record) return record.endTimeNs || record.startTimeNs
  return record.timeNs || ('observedTimeNs' in record ? record.observedTimeNs : 0n)
}

function sdkOf(record: OtlpRecord): string | null {
  const { attributes } = scopeOf(record).resource
  const parts = ['name', 'language', 'version'].map(part => attributes[`telemetry.sdk.${part}`])
  const text = parts.filter(part => typeof part === 'string').join(' ')
  return text === '' ? null : text.slice(0, MAX_TEXT)
}

/** Whether OTLP arrives, by namespace, protocol and signal; of this gateway alone and since its start. */
export class OtlpStatus {
  readonly #clock: Clock
  /** In order of last use; the one idle longest is forgotten beyond the bound. */
  readonly #namespaces = new Map<NamespaceId, Map<string, Entry>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Every protocol and signal of a namespace. */
  of(ns: NamespaceId): readonly OtlpChannel[] {
    const entries = this.#namespaces.get(ns)
    return OTLP_PROTOCOLS.flatMap(protocol =>
      OTLP_SIGNALS.map(signal => {
        const entry = entries?.get(`${protocol} ${signal}`) ?? emptyEntry(protocol, signal)
        return { ...entry, state: this.#stateOf(entry) }
      })
    )
  }

  /** A request was taken, whole or in part. */
  accepted(
    ns: NamespaceId,
    request: Pick<OtlpChannel, 'protocol' | 'signal' | 'bytes'>,
    records: readonly OtlpRecord[],
    refused: { readonly rejected: number; readonly message: string } | null
  ): void {
    const entry = this.#count(ns, request)
    const rejected = refused?.rejected ?? 0
    entry.records += Math.max(0, records.length - rejected)
    if (rejected < records.length || records.length === 0) entry.lastAcceptedMs = this.#clock.nowMs()
    if (rejected > 0 && refused !== null) this.#reject(entry, refused.message, rejected)
    const last = records.at(-1)
    if (last === undefined) return
    entry.sdk = sdkOf(last)
    const timeNs = timeOf(last)
    entry.clockSkewMs = timeNs === 0n ? null : Number(this.#clock.nowNs() - timeNs) / Number(NS_PER_MS)
    for (const record of records) if (scopeOf(record).resource.attributes['service.name'] === undefined) entry.withoutService++
  }

  /** A request was refused as a whole. */
  refused(ns: NamespaceId, request: Pick<OtlpChannel, 'protocol' | 'signal' | 'bytes'>, reason: string): void {
    this.#reject(this.#count(ns, request), reason, 0)
  }

  #reject(entry: Entry, reason: string, records: number): void {
    entry.lastRejectedMs = this.#clock.nowMs()
    entry.lastRejection = reason.slice(0, MAX_TEXT)
    entry.rejectedRecords += records
  }

  #count(ns: NamespaceId, { protocol, signal, bytes }: Pick<OtlpChannel, 'protocol' | 'signal' | 'bytes'>): Entry {
    const entries = this.#namespaces.get(ns) ?? new Map<string, Entry>()
    this.#namespaces.delete(ns)
    this.#namespaces.set(ns, entries)
    if (this.#namespaces.size > MAX_NAMESPACES) this.#namespaces.delete(this.#namespaces.keys().next().value!)
    const key = `${protocol} ${signal}`
    const entry = entries.get(key) ?? emptyEntry(protocol, signal)
    entries.set(key, entry)
    entry.requests++
    entry.bytes += bytes
    return entry
  }

  #stateOf({ lastAcceptedMs, lastRejectedMs }: Entry): OtlpState {
    if (lastAcceptedMs === null && lastRejectedMs === null) return 'never'
    const lastMs = Math.max(lastAcceptedMs ?? 0, lastRejectedMs ?? 0)
    if (this.#clock.nowMs() - lastMs > STALE_MS) return 'stale'
    return (lastRejectedMs ?? 0) >= (lastAcceptedMs ?? 0) ? 'rejecting' : 'receiving'
  }
}

function emptyEntry(protocol: OtlpProtocol, signal: OtlpSignal): Entry {
  return {
    protocol,
    signal,
    lastAcceptedMs: null,
    lastRejectedMs: null,
    lastRejection: null,
    requests: 0,
    records: 0,
    rejectedRecords: 0,
    bytes: 0,
    sdk: null,
    clockSkewMs: null,
    withoutService: 0
  }
}
