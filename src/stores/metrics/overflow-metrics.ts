import { randomBytes } from 'node:crypto'
import type { NamespaceId } from '../../domain/ids.js'
import type { MetricPoint } from '../../domain/metric-point.js'
import { MAX_OVERFLOW_SERIES, OVERFLOW_LABEL } from '../../domain/overflow.js'
import { ALL_TIME } from '../../domain/time-range.js'
import { createUlidSource } from '../../domain/ulid.js'
import type { AppendFailure, AppendResult, Batch, OverflowReport } from '../../ports/append.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { forwardingMetrics } from '../shared/forwarding-stores.js'
import { CardinalityOffender } from './cardinality-offender.js'
import { type OverflowRound, OverflowMemory } from './overflow-memory.js'

/** The memory for the state of series that are added to overflow series, of all namespaces. */
const OVERFLOW_STATE_BYTES = 64 * 1024 * 1024

/** What became of points that were gathered while an earlier round was written. */
interface RoundOutcome {
  readonly points: ReadonlySet<MetricPoint>
  readonly fromNs: bigint
}

interface Round {
  readonly points: MetricPoint[]
  readonly outcome: Promise<RoundOutcome>
}

/** What the overflow works with. */
export interface OverflowOptions {
  readonly clock: Clock
  readonly maxSeries: number
  readonly maxBytes?: number
}

/** A metric store that adds points over the series limit to overflow series instead of refusing them, and its counters. */
export interface OverflowMetrics {
  readonly metrics: MetricStore
  gauges(): Readonly<Record<string, number>>
}

/**
 * `store`, whose points beyond the budget of series are added to overflow series of the same metric. It must be the only
 * writer: two gateways would each write their own total. One round of a namespace is written at a time, so that totals
 * only grow.
 */
export function overflowMetrics(store: MetricStore, options: OverflowOptions): OverflowMetrics {
  const writer = new OverflowWriter(store, options)
  return {
    metrics: {
      ...forwardingMetrics(store),
      append: (ns, batch) => writer.append(ns, batch),
      dropNamespace: ns => writer.dropNamespace(ns)
    },
    gauges: () => writer.gauges
  }
}

class OverflowWriter {
  readonly #store: MetricStore
  readonly #maxSeries: number
  readonly #memory: OverflowMemory
  readonly #offender: CardinalityOffender
  readonly #newIngestId: ReturnType<typeof createUlidSource>
  /** The round that gathers, and the end of the one that is written. */
  readonly #gathering = new Map<NamespaceId, Round>()
  readonly #writing = new Map<NamespaceId, Promise<unknown>>()
  #aggregated = 0
  #refused = 0

  constructor(store: MetricStore, { clock, maxSeries, maxBytes = OVERFLOW_STATE_BYTES }: OverflowOptions) {
    this.#store = store
    this.#maxSeries = maxSeries
    this.#memory = new OverflowMemory(clock, maxBytes)
    this.#offender = new CardinalityOffender(store, clock)
    this.#newIngestId = createUlidSource(() => clock.nowMs(), randomBytes)
  }

  get gauges(): Readonly<Record<string, number>> {
    return { folded_points: this.#aggregated, folded_refused: this.#refused, folded_series: this.#memory.size }
  }

  async append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult> {
    const result = await this.#store.append(ns, batch)
    // Totals are numbers: what is beyond the budget of native histograms is refused.
    const beyond = result.failures.flatMap(({ overBudgetAt: at }) => (at === undefined ? [] : [batch.items[at]!]))
    const points = beyond.filter(({ histogram }) => histogram === undefined)
    if (points.length === 0) return result
    const { points: aggregated, fromNs } = await this.#add(ns, points)
    const isAggregated = ({ overBudgetAt: at }: AppendFailure): boolean => at !== undefined && aggregated.has(batch.items[at]!)
    const failures = result.failures.filter(failure => !isAggregated(failure))
    const count = result.failures.length - failures.length
    this.#aggregated += count
    this.#refused += points.length - count
    if (count === 0) return result
    const reported: OverflowReport = { points: count, maxSeries: this.#maxSeries, offender: await this.#offender.of(ns), fromNs }
    const { accepted, deduplicated, isRepeat = false } = result
    // A repeat adds nothing to the totals.
    const sums =
      deduplicated > 0 || isRepeat
        ? { accepted, deduplicated: deduplicated + count }
        : { accepted: accepted + count, deduplicated }
    return { ...result, ...sums, failures, overflow: reported }
  }

  async dropNamespace(ns: NamespaceId): Promise<void> {
    // The sender of those points gets the failure.
    await this.#writing.get(ns)?.catch(() => undefined)
    await this.#store.dropNamespace(ns)
    this.#memory.drop(ns)
  }

  /** Adds the points to the round that gathers. */
  #add(ns: NamespaceId, points: readonly MetricPoint[]): Promise<RoundOutcome> {
    const round = this.#gathering.get(ns) ?? this.#newRound(ns)
    // One by one: a call takes no hundred thousand arguments.
    for (const point of points) round.points.push(point)
    return round.outcome
  }

  #newRound(ns: NamespaceId): Round {
    const points: MetricPoint[] = []
    const before = this.#writing.get(ns) ?? Promise.resolve()
    const outcome = this.#writeAfter(before, ns, points)
    const round = { points, outcome }
    this.#gathering.set(ns, round)
    this.#writing.set(ns, outcome)
    return round
  }

  async #writeAfter(before: Promise<unknown>, ns: NamespaceId, points: readonly MetricPoint[]): Promise<RoundOutcome> {
    // The waiters of the previous round get its failure.
    await before.catch(() => undefined)
    const own = this.#writing.get(ns)
    this.#gathering.delete(ns)
    try {
      return await this.#write(ns, points)
    } finally {
      if (this.#writing.get(ns) === own) this.#writing.delete(ns)
    }
  }

  async #write(ns: NamespaceId, points: readonly MetricPoint[]): Promise<RoundOutcome> {
    if (!this.#memory.isKnown(ns)) {
      const marked = [{ name: OVERFLOW_LABEL, op: 'eq', value: 'true' }] as const
      this.#memory.begin(ns, (await this.#store.series(ns, marked, ALL_TIME, MAX_OVERFLOW_SERIES)).series)
    }
    const rounds = this.#memory.add(ns, points)
    const { items, roundOf } = toItems(rounds)
    if (items.length === 0) return { points: new Set(), fromNs: 0n }
    const { failures } = await this.#store.append(ns, { ingestId: this.#newIngestId(), items, mayWait: false })
    const refused = new Set(failures.map(({ index }) => roundOf[index]))
    const written = rounds.filter(round => !refused.has(round))
    for (const { series } of written) series.noteWritten()
    for (const { series } of rounds) if (!series.isWritten) this.#memory.forget(ns, series)
    return {
      points: new Set(written.flatMap(round => round.points)),
      fromNs: items.reduce((least, { timestampNs }) => (timestampNs < least ? timestampNs : least), items[0]!.timestampNs)
    }
  }
}

function toItems(rounds: readonly OverflowRound[]): {
  readonly items: readonly MetricPoint[]
  readonly roundOf: readonly OverflowRound[]
} {
  const items: MetricPoint[] = []
  const roundOf: OverflowRound[] = []
  for (const round of rounds) {
    const { name, type, labels } = round.series
    for (const { timestampNs, value } of round.samples) {
      items.push({ index: items.length, name, type, labels, timestampNs, value })
      roundOf.push(round)
    }
  }
  return { items, roundOf }
}
