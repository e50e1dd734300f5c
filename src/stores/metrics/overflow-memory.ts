import { hash } from 'node:crypto'
import type { NamespaceId } from '../../domain/ids.js'
import type { MetricPoint } from '../../domain/metric-point.js'
import { MAX_OVERFLOW_SERIES, overflowLabels } from '../../domain/overflow.js'
import type { Clock } from '../../ports/clock.js'
import type { SeriesInfo } from '../../ports/metric-store.js'
import { seriesKey } from '../../domain/series-key.js'
import { type OverflowSample, OverflowSeries, type OverflowTimes, MEMBER_BYTES } from './overflow-series.js'

/** Series without a point for so long may be forgotten when the memory is full. */
const IDLE_NS = 3_600_000_000_000n
/** Part of the memory that one namespace may take. */
const MAX_SHARE = 4
/** How often at most it is searched for what is idle. */
const SWEEP_MS = 60_000
/** Overflow series of a namespace of which only the last sample is known. */
const MAX_LAST = 2 * MAX_OVERFLOW_SERIES

/** Samples to write to one overflow series, and the points that they aggregate. */
export interface OverflowRound {
  readonly series: OverflowSeries
  readonly samples: readonly OverflowSample[]
  readonly points: readonly MetricPoint[]
}

interface NamespaceOverflow {
  readonly series: Map<string, OverflowSeries>
  /** Last samples of overflow series that are stored and not in `series`, or were not, by their keys. */
  readonly lastNs: Map<string, bigint>
  bytes: number
  watchedSinceNs: bigint
}

type Keyed = readonly [key: string, point: MetricPoint]

/** A round that is being collected: its points, and what waits for the round. */
interface OpenRound {
  readonly series: OverflowSeries
  readonly samples: Map<bigint, number>
  readonly points: MetricPoint[]
  waiting: Keyed[]
}

/**
 * The known state of the series that were added to overflow series, of all namespaces: the last value of each, without which the
 * increase of a
 * counter is not known. Bounded in bytes; what is not known any more starts again.
 */
export class OverflowMemory {
  readonly #clock: Clock
  readonly #maxBytes: number
  readonly #startNs: bigint
  readonly #namespaces = new Map<NamespaceId, NamespaceOverflow>()
  #bytes = 0
  #sweptMs: number | null = null

  constructor(clock: Clock, maxBytes: number) {
    this.#clock = clock
    this.#maxBytes = maxBytes
    this.#startNs = clock.nowNs()
  }

  /** Series that are remembered. */
  get size(): number {
    let size = 0
    for (const { series } of this.#namespaces.values()) for (const each of series.values()) size += each.size
    return size
  }

  /** Whether the namespace's overflow series are known; else `begin` comes first. */
  isKnown(ns: NamespaceId): boolean {
    return this.#namespaces.has(ns)
  }

  /** Starts with the overflow series that are stored. */
  begin(ns: NamespaceId, stored: readonly SeriesInfo[]): void {
    const lastNs = new Map(stored.map(series => [seriesKey(series), series.lastSeenNs]))
    this.#namespaces.set(ns, { series: new Map(), lastNs, bytes: 0, watchedSinceNs: this.#startNs })
  }

  /** Takes in points of a namespace that is known; those for which there is no room are in no round. */
  add(ns: NamespaceId, points: readonly MetricPoint[]): readonly OverflowRound[] {
    const state = this.#namespaces.get(ns)!
    if (state.series.size >= MAX_OVERFLOW_SERIES) this.#dropEmpty(state)
    const nowNs = this.#clock.nowNs()
    const rounds = new Map<OverflowSeries, OpenRound>()
    const times = (): OverflowTimes => ({ nowNs, watchedSinceNs: state.watchedSinceNs })
    for (const point of [...points].sort(byTime)) {
      const series = this.#seriesOf(state, point)
      if (series === null) continue
      const round: OpenRound = rounds.get(series) ?? { series, samples: new Map(), points: [], waiting: [] }
      const isFirst = !rounds.has(series)
      rounds.set(series, round)
      if (isFirst || series.isDue(point, nowNs)) {
        aggregateQueued(round, times())
        this.#free(state, series.forgetStale(point, nowNs))
      }
      const key = memberKey(point)
      if (!this.#remember(state, series, key, nowNs)) continue
      round.waiting.push([key, point])
      round.points.push(point)
    }
    const taken = [...rounds.values()].filter(round => round.points.length > 0)
    return taken.map(round => {
      aggregateQueued(round, times())
      const samples = Array.from(round.samples, ([timestampNs, value]) => ({ timestampNs, value }))
      return { series: round.series, samples, points: round.points }
    })
  }

  /** Nothing of the series could be stored: it has no place, and takes no room here either. */
  forget(ns: NamespaceId, series: OverflowSeries): void {
    const state = this.#namespaces.get(ns)
    const key = seriesKey(series)
    if (state?.series.get(key) !== series) return
    this.#free(state, series.forgetAll())
    state.series.delete(key)
  }

  /** The namespace is gone. */
  drop(ns: NamespaceId): void {
    this.#bytes -= this.#namespaces.get(ns)?.bytes ?? 0
    this.#namespaces.delete(ns)
  }

  #seriesOf({ series: all, lastNs }: NamespaceOverflow, { name, type, labels: own }: MetricPoint): OverflowSeries | null {
    const identity = { name, labels: overflowLabels(own) }
    const key = seriesKey(identity)
    const known = all.get(key)
    if (known) return known
    if (all.size >= MAX_OVERFLOW_SERIES) return null
    const series = new OverflowSeries(identity, type, lastNs.get(key) ?? null)
    all.set(key, series)
    return series
  }

  #remember(state: NamespaceOverflow, series: OverflowSeries, key: string, nowNs: bigint): boolean {
    if (series.see(key, nowNs)) return true
    if (!this.#hasRoom(state)) this.#sweep()
    if (!this.#hasRoom(state)) return false
    series.expect(key, nowNs)
    state.bytes += MEMBER_BYTES
    this.#bytes += MEMBER_BYTES
    return true
  }

  /** Overflow series of which no member is remembered leave their places to others. Not while a round is gathered. */
  #dropEmpty(state: NamespaceOverflow): void {
    this.#sweep()
    for (const [key, series] of state.series) {
      if (series.size > 0) continue
      state.series.delete(key)
      if (series.writtenNs === null) continue
      state.lastNs.delete(key)
      state.lastNs.set(key, series.writtenNs)
    }
    // A store has places for fewer: what was written the longest ago is stored no more.
    for (const key of state.lastNs.keys()) {
      if (state.lastNs.size <= MAX_LAST) break
      state.lastNs.delete(key)
    }
  }

  #hasRoom({ bytes }: NamespaceOverflow): boolean {
    return this.#bytes + MEMBER_BYTES <= this.#maxBytes && bytes + MEMBER_BYTES <= this.#maxBytes / MAX_SHARE
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonicMs()
    if (this.#sweptMs !== null && nowMs - this.#sweptMs < SWEEP_MS) return
    this.#sweptMs = nowMs
    const goneNs = this.#clock.nowNs() - IDLE_NS
    for (const state of this.#namespaces.values()) {
      for (const series of state.series.values()) this.#free(state, series.forget(goneNs))
      if (goneNs > state.watchedSinceNs) state.watchedSinceNs = goneNs
    }
  }

  #free(state: NamespaceOverflow, bytes: number): void {
    state.bytes -= bytes
    this.#bytes -= bytes
  }
}

function aggregateQueued(round: OpenRound, times: OverflowTimes): void {
  if (round.waiting.length === 0) return
  for (const { timestampNs, value } of round.series.add(round.waiting, times)) round.samples.set(timestampNs, value)
  round.waiting = []
}

/** Identifies a remembered series: as long for many labels as for none. */
function memberKey(point: MetricPoint): string {
  // UTF-16 keeps any two strings different.
  return hash('sha256', Buffer.from(seriesKey(point), 'utf16le'), 'base64url')
}

function byTime({ timestampNs: a }: MetricPoint, { timestampNs: b }: MetricPoint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
