import type { LogStream, StreamGap } from '../../domain/log-stream.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { ReportedHosts } from '../../ports/reported-hosts.js'
import type { StreamAccount, StreamLedger, StreamTimes } from '../../ports/stream-ledger.js'
import { boundedCount } from '../bounds.js'
import { readWindow, wholeRetention, type ReadWindow } from '../read-window.js'
import type { ResultFacts, WindowBounds } from '../result.js'
import { lagsOf } from './stream-lags.js'
import { proofOf, streamName, type StreamProof } from './stream-proof.js'
import { IDLE_AFTER_MS, STALE_AFTER_MS, type StreamState, streamState } from './stream-state.js'

/** Which streams are listed. */
export interface StreamsQuery extends WindowBounds {
  readonly host?: string | undefined
  readonly hostId?: string | undefined
  readonly path?: string | undefined
  readonly service?: string | undefined
  /** Streams in one of these states; an empty list means all. */
  readonly states?: readonly StreamState[] | undefined
  /** Only streams with gaps, or only those without. */
  readonly incomplete?: boolean | undefined
  /** Only streams after this id. */
  readonly after?: string | undefined
  /** 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** How the caller knows `limit`. */
  readonly limitName?: string
}

/** A stream with the first of its gaps. */
export interface ReportedStream extends LogStream {
  readonly state: StreamState
  /** Bytes that are not stored yet, by the latest report of its agent; null when unknown. */
  readonly lagBytes: number | null
  readonly gaps: readonly StreamGap[]
}

export interface StreamsResult extends ResultFacts {
  readonly streams: readonly ReportedStream[]
  readonly hasMore: boolean
  readonly limit: number
}

export interface StreamProofQuery extends WindowBounds {
  /** Whether the records are counted in the log store, too. */
  readonly recount?: boolean | undefined
}

export interface StreamProofResult extends StreamProof {
  readonly stream: ReportedStream
  /** What the proof does not cover, and why a recount may be too low. */
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}

export interface StreamReportDeps {
  readonly streams: StreamLedger
  readonly hosts: Pick<ReportedHosts, 'named'>
  readonly logs: Pick<LogStore, 'search' | 'settle'>
  readonly clock: Clock
}

/** Records of a stream in the log store. */
interface Recount {
  readonly recounted: number | null
  /** Whether all records that are stored could be counted. */
  readonly isWhole: boolean
  readonly warnings: readonly Warning[]
}

const NOT_COUNTED: Recount = { recounted: null, isWhole: false, warnings: [] }
const DEFAULT_STREAMS = 100
const MAX_STREAMS = 1_000
/** Gaps that a list has of each stream; the proof has all. */
const LISTED_GAPS = 10
const HOUR_MS = 3_600_000
const NS_PER_MS = 1_000_000n
const STREAM_TAG = { in: 'tags', name: 'log.stream.id' } as const

function isUnbounded({ start, end }: WindowBounds): boolean {
  return (start ?? '') === '' && (end ?? '') === ''
}

/** Times of the last batch of streams in a state. */
function timesOf(state: StreamState, nowMs: number): StreamTimes {
  if (state === 'ended') return { isEnded: true }
  const [idle, stale] = [nowMs - IDLE_AFTER_MS + 1, nowMs - STALE_AFTER_MS + 1]
  if (state === 'open') return { isEnded: false, sinceMs: idle }
  return state === 'idle' ? { isEnded: false, sinceMs: stale, quietSinceMs: idle } : { isEnded: false, quietSinceMs: stale }
}

const byPlace = (a: StreamGap, b: StreamGap): number => a.from - b.from || a.no - b.no

/** What a recount contradicts. */
interface Short {
  readonly detail: string
  readonly warnings: readonly Warning[]
}

/** States that fewer records were counted than were stored; null when it were all, or they were not counted. */
function shortOf(stream: LogStream, { stored }: StreamProof, { recounted, isWhole }: Recount): Short | null {
  if (recounted === null || recounted >= stored) return null
  const ofStored = `Of ${stored} records of ${streamName(stream)} that were stored,`
  // Others may wait for their store: the warnings of the count state which.
  if (!isWhole) return { detail: `${ofStored} ${recounted} can be counted now.`, warnings: [] }
  const detail = `${ofStored} the log store has ${recounted}.`
  return { detail, warnings: [{ kind: 'store', detail, remedy: 'Search for damage: npm run admin -- verify.' }] }
}

/** Which log streams arrived, and whether whole: `GET /api/v1/streams` and the proof of one. */
export class StreamReport {
  readonly #deps: StreamReportDeps

  constructor(deps: StreamReportDeps) {
    this.#deps = deps
  }

  /** Streams that wrote in the window, by id. Throws `invalid_field` or `invalid_time_range`. */
  async list(ns: Namespace, query: StreamsQuery): Promise<StreamsResult> {
    const { streams, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const nowMs = clock.nowMs()
    const { host, hostId, path, service, incomplete: hasGaps, states = [], after, limitName = 'limit' } = query
    const limit = boundedCount(query.limit, limitName, { least: 1, most: MAX_STREAMS, otherwise: DEFAULT_STREAMS })
    const { requested, range, warnings } = this.#window(ns, query)
    const times = states.length === 0 ? undefined : states.map(state => timesOf(state, nowMs))
    const [sinceMs, untilMs] = [Number(range.startNs / NS_PER_MS), Number(range.endNs / NS_PER_MS)]
    const request = { host, hostId, path, service, hasGaps, times, sinceMs, untilMs, after, limit: limit + 1 }
    const found = await streams.list(ns.id, request)
    const hasMore = found.length > limit
    const listed = found.slice(0, limit)
    const incomplete = listed.filter(({ gapCount }) => gapCount > 0).map(({ id }) => id)
    const gaps = await streams.gaps(ns.id, incomplete, LISTED_GAPS)
    const reported = await this.#reported(ns, listed, ({ id }) => gaps.get(id) ?? [])
    const facts = { window: requested, complete: warnings.length === 0, warnings, tookMs: clock.monotonicMs() - startedMs }
    return { streams: reported, hasMore, limit, ...facts }
  }

  /** A stream with all of its gaps; null for one that is not known. */
  async get(ns: Namespace, id: string): Promise<ReportedStream | null> {
    const account = await this.#deps.streams.account(ns.id, id)
    return account && this.#whole(ns, account)
  }

  /** Whether lines of a stream are missing in a window, the whole stream by default; null for a stream that is not known. */
  async prove(ns: Namespace, id: string, query: StreamProofQuery, signal: AbortSignal): Promise<StreamProofResult | null> {
    const { streams, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const account = await streams.account(ns.id, id)
    if (account === null) return null
    const window = isUnbounded(query) ? null : this.#window(ns, query)
    const cut = window?.warnings ?? []
    const proof = await proofOf(account, window?.range ?? null, from => streams.runs(ns.id, id, from))
    const recount = query.recount === true ? await this.#recount(ns, id, proof, signal) : NOT_COUNTED
    const short = this.#isPastRetention(ns, proof) ? null : shortOf(account.stream, proof, recount)
    return {
      ...proof,
      complete: proof.complete && cut.length === 0 && short === null,
      recounted: recount.recounted,
      sentence: short === null ? proof.sentence : `${short.detail} ${proof.complete ? '' : proof.sentence}`.trimEnd(),
      stream: await this.#whole(ns, account),
      warnings: distinctWarnings([...cut, ...(short?.warnings ?? []), ...recount.warnings]),
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  async #reported(
    { id: ns }: Namespace,
    streams: readonly LogStream[],
    gapsOf: (stream: LogStream) => readonly StreamGap[]
  ): Promise<readonly ReportedStream[]> {
    const nowMs = this.#deps.clock.nowMs()
    const lags = await lagsOf(this.#deps.hosts, ns, streams, nowMs)
    return streams.map(stream => ({
      ...stream,
      state: streamState(stream, nowMs),
      lagBytes: lags.get(stream.id) ?? null,
      gaps: gapsOf(stream)
    }))
  }

  /** A stream with all of its gaps. */
  async #whole(ns: Namespace, { stream, gaps }: StreamAccount): Promise<ReportedStream> {
    const [reported] = await this.#reported(ns, [stream], () => gaps.toSorted(byPlace))
    return reported!
  }

  /** Records of the stream in the log store, in the time of the runs that the proof counts. */
  async #recount(ns: Namespace, id: string, { coveredMs }: StreamProof, signal: AbortSignal): Promise<Recount> {
    if (coveredMs === null) return { recounted: 0, isWhole: true, warnings: [] }
    const { logs } = this.#deps
    await logs.settle(ns.id)
    const range = { startNs: BigInt(coveredMs.min) * NS_PER_MS, endNs: (BigInt(coveredMs.max) + 1n) * NS_PER_MS }
    const filter = { kind: 'eq', field: STREAM_TAG, value: id } as const
    const { total, complete, warnings } = await logs.search(ns.id, { range, filter, total: true }, signal)
    return { recounted: total!.value, isWhole: complete && total!.relation === 'eq', warnings }
  }

  /** Whether records of the runs that a proof counts may be deleted already. */
  #isPastRetention({ retention }: Namespace, { coveredMs }: StreamProof): boolean {
    const keptNs = retentionStartNs(retention, 'logs', this.#deps.clock.nowNs())
    return coveredMs === null || BigInt(Math.floor(coveredMs.min)) * NS_PER_MS < keptNs
  }

  #window(namespace: Namespace, query: WindowBounds): ReadWindow {
    const place = { namespace, signal: 'logs', nowNs: this.#deps.clock.nowNs() } as const
    return isUnbounded(query) ? wholeRetention(place) : readWindow(query, place, HOUR_MS)
  }
}
