import type { NamespaceId } from '../domain/ids.js'
import type { OtlpLog, OtlpRecord } from '../otlp/model.js'
import type { Clock } from '../ports/clock.js'
import { BoundedMap } from '../threads/bounded-map.js'
import { RecentRate } from './recent-rate.js'
import { truncateString } from './string-size.js'

/** Signals of OTLP. */
export const OTLP_SIGNALS = ['traces', 'metrics', 'logs'] as const
/** What OTLP exports. */
export type OtlpSignal = (typeof OTLP_SIGNALS)[number]

/** Protocols of OTLP. */
export const OTLP_PROTOCOLS = ['grpc', 'http/protobuf', 'http/json'] as const
/** One of `OTLP_PROTOCOLS`. */
export type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number]

/** States of a channel, as `GET /api/v1/otlp/status` reports them. */
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
  /** `telemetry.sdk.*` of the latest resource, e.g. `opentelemetry nodejs 2.12.0`. */
  readonly sdk: string | null
  /** Arrival minus the time of the last record that came; large when its sender's clock, or the way here, is slow. */
  readonly clockSkewMs: number | null
  /** Records whose resource has no `service.name`. */
  readonly withoutService: number
}

/** What came lately, of all protocols together. */
export interface OtlpRecent {
  /** Over the last minute. */
  readonly perSecond: Readonly<Record<OtlpSignal, number>>
  /** Values of `service.name` since the start, by name; at most the `MAX_SERVICES` latest. */
  readonly services: readonly string[]
}

type ChannelEntry = { -readonly [K in keyof Omit<OtlpChannel, 'state'>]: OtlpChannel[K] }

/** What is known of a namespace. */
interface NamespaceActivity {
  readonly channels: Map<string, ChannelEntry>
  readonly rates: Readonly<Record<OtlpSignal, RecentRate>>
  /** In the order of their latest arrival. */
  readonly services: BoundedMap<string, true>
}

const STALE_MS = 300_000
const MAX_SERVICES = 200
/** What is remembered is cut into strings of their own: a part of a string would hold all of it. */
const MAX_SERVICE_BYTES = 128
const MAX_NAMESPACES = 10_000
const NS_PER_MS = 1_000_000n
const MAX_TEXT_BYTES = 500

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
  return text === '' ? null : truncateString(text, MAX_TEXT_BYTES)
}

/** Whether OTLP arrives, by namespace, protocol and signal; of this gateway alone and since its start. */
export class OtlpStatus {
  readonly #clock: Clock
  readonly #namespaces = new BoundedMap<NamespaceId, NamespaceActivity>(MAX_NAMESPACES)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Every protocol and signal of a namespace. */
  of(ns: NamespaceId): readonly OtlpChannel[] {
    const entries = this.#namespaces.peek(ns)?.channels
    return OTLP_PROTOCOLS.flatMap(protocol =>
      OTLP_SIGNALS.map(signal => {
        const entry = entries?.get(`${protocol} ${signal}`) ?? emptyEntry(protocol, signal)
        return { ...entry, state: this.#stateOf(entry) }
      })
    )
  }

  /** What came lately, and from which services. */
  recentOf(ns: NamespaceId): OtlpRecent {
    const seen = this.#namespaces.peek(ns)
    const nowMs = this.#clock.nowMs()
    const rate = (signal: OtlpSignal): number => seen?.rates[signal].perSecond(nowMs) ?? 0
    const perSecond = { traces: rate('traces'), metrics: rate('metrics'), logs: rate('logs') }
    return { perSecond, services: [...(seen?.services.keys() ?? [])].sort() }
  }

  /** A request was taken, whole or in part. */
  accepted(
    ns: NamespaceId,
    request: Pick<OtlpChannel, 'protocol' | 'signal' | 'bytes'>,
    records: readonly OtlpRecord[],
    refused: { readonly rejected: number; readonly message: string } | null
  ): void {
    const { entry, seen } = this.#count(ns, request)
    const rejected = refused?.rejected ?? 0
    const taken = Math.max(0, records.length - rejected)
    entry.records += taken
    seen.rates[request.signal].add(this.#clock.nowMs(), taken)
    if (rejected < records.length || records.length === 0) entry.lastAcceptedMs = this.#clock.nowMs()
    if (rejected > 0 && refused !== null) this.#reject(entry, refused.message, rejected)
    const last = records.at(-1)
    if (last === undefined) return
    entry.sdk = sdkOf(last)
    const timeNs = timeOf(last)
    entry.clockSkewMs = timeNs === 0n ? null : Number(this.#clock.nowNs() - timeNs) / Number(NS_PER_MS)
    entry.withoutService += withoutService(records, service =>
      seen.services.set(truncateString(service, MAX_SERVICE_BYTES), true)
    )
  }

  /** A request was refused as a whole. */
  refused(ns: NamespaceId, request: Pick<OtlpChannel, 'protocol' | 'signal' | 'bytes'>, reason: string): void {
    this.#reject(this.#count(ns, request).entry, reason, 0)
  }

  #reject(entry: ChannelEntry, reason: string, records: number): void {
    entry.lastRejectedMs = this.#clock.nowMs()
    entry.lastRejection = truncateString(reason, MAX_TEXT_BYTES)
    entry.rejectedRecords += records
  }

  #count(
    ns: NamespaceId,
    { protocol, signal, bytes }: Pick<OtlpChannel, 'protocol' | 'signal' | 'bytes'>
  ): { readonly entry: ChannelEntry; readonly seen: NamespaceActivity } {
    const seen = this.#namespaces.get(ns) ?? nothingSeen()
    this.#namespaces.set(ns, seen)
    const key = `${protocol} ${signal}`
    const entry = seen.channels.get(key) ?? emptyEntry(protocol, signal)
    seen.channels.set(key, entry)
    entry.requests++
    entry.bytes += bytes
    return { entry, seen }
  }

  #stateOf({ lastAcceptedMs, lastRejectedMs }: ChannelEntry): OtlpState {
    if (lastAcceptedMs === null && lastRejectedMs === null) return 'never'
    const lastMs = Math.max(lastAcceptedMs ?? 0, lastRejectedMs ?? 0)
    if (this.#clock.nowMs() - lastMs > STALE_MS) return 'stale'
    return (lastRejectedMs ?? 0) >= (lastAcceptedMs ?? 0) ? 'rejecting' : 'receiving'
  }
}

function nothingSeen(): NamespaceActivity {
  const rates = { traces: new RecentRate(), metrics: new RecentRate(), logs: new RecentRate() }
  return { channels: new Map(), rates, services: new BoundedMap(MAX_SERVICES) }
}

/** How many records name no service; the names of the others are passed to `named`, once per resource. */
function withoutService(records: readonly OtlpRecord[], named: (service: string) => void): number {
  let without = 0
  let reported: object | null = null
  for (const record of records) {
    const { resource } = scopeOf(record)
    const service = resource.attributes['service.name']
    if (service === undefined) without++
    else if (resource !== reported && typeof service === 'string') named(service)
    reported = resource
  }
  return without
}

function emptyEntry(protocol: OtlpProtocol, signal: OtlpSignal): ChannelEntry {
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
