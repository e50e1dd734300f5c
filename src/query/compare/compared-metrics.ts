import { setImmediate as nextSlice } from 'node:timers/promises'
import { groupedBy } from '../../domain/grouped-by.js'
import type { Label } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { isCountedMetric, LinkedSeriesReader } from '../correlation/linked-series.js'
import { labelsOfBasis } from '../correlation/origins.js'
import { varianceInflation } from '../correlation/robust.js'
import { type PointForm, type SeriesPoints, toPoints } from '../correlation/series-points.js'
import { compareBinned, LEAST_NUMBERS, quantileBounds } from '../statistics/binned-ranks.js'
import { rankSumTest } from '../statistics/rank-sum.js'
import type { ComparedSignal } from './compared-errors.js'
import type { Compared } from './differences.js'
import { writeAggregate } from './write-aggregate.js'

/** Points of each window into which samples are averaged. */
const POINTS = 30
/** Series and samples that are read of each window. */
const BUDGET = { maxSeries: 300, maxSamples: 300_000 }
const MS_NS = 1_000_000n
/** Between so many comparisons other requests get their turn. */
const LINES_PER_TURN = 50
/** Where a series comes from: another instance after a deployment is the same line. */
const INSTANCE = new Set([...labelsOfBasis('host'), ...labelsOfBasis('container'), 'instance'])

/** A metric over one window, all instances together. */
interface Line {
  readonly metric: string
  readonly labels: readonly Label[]
  readonly form: PointForm
  readonly values: readonly number[]
}

/** The labels that all instances share. */
function sharedLabels({ labels }: SeriesPoints): readonly Label[] {
  return labels.filter(({ name }) => !INSTANCE.has(name))
}

function lineKey(points: SeriesPoints): string {
  return JSON.stringify([points.metric, points.form, ...sharedLabels(points).map(({ name, value }) => [name, value])])
}

/** Counters of instances add up; of gauges and means the average is compared. */
function together(all: readonly SeriesPoints[], form: PointForm): readonly number[] {
  return Array.from({ length: POINTS }, (_, i) => {
    const values = all.map(({ values }) => values[i] ?? null).filter(value => value !== null)
    const sum = values.reduce((total, value) => total + value, 0)
    return values.length === 0 ? Number.NaN : form === 'rate' ? sum : sum / values.length
  }).filter(Number.isFinite)
}

function linesOf(points: readonly SeriesPoints[]): ReadonlyMap<string, Line> {
  return new Map(
    [...groupedBy(points, lineKey)].map(([key, all]) => {
      const { metric, form } = all[0]!
      return [key, { metric, form, labels: sharedLabels(all[0]!), values: together(all, form) }]
    })
  )
}

function binned(values: readonly number[], bounds: readonly number[]): readonly number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  for (const value of values) counts[bounds.filter(bound => value >= bound).length]!++
  return counts
}

/**
 * The points of a line in both windows: the tail that grew. Neighboring points resemble each other, as those of the base do
 * (docs/adr/0078). Null where either window has too few.
 */
function comparedLine(base: Line, other: Line): Compared | null {
  if (base.values.length < LEAST_NUMBERS || other.values.length < LEAST_NUMBERS) return null
  const { delta, p } = rankSumTest(other.values, base.values, varianceInflation(base.values))
  // Of both sides together, so that they do not depend on the difference.
  const bounds = quantileBounds([...base.values, ...other.values])
  const ranks = compareBinned(binned(other.values, bounds), binned(base.values, bounds))
  const bound = bounds[ranks?.cut ?? 0] ?? other.values[0]!
  const beyond = delta > 0 ? (value: number) => value >= bound : (value: number) => value < bound
  return {
    ...{ kind: 'metric', name: writeAggregate(other), value: `${delta > 0 ? '>=' : '<'}${bound}` },
    ...{ count: other.values.filter(beyond).length, total: other.values.length },
    ...{ baseCount: base.values.filter(beyond).length, baseTotal: base.values.length },
    ranks: { delta, p }
  }
}

/** Two windows, and the services whose metrics are compared. */
export interface MetricWindows {
  readonly base: TimeRange
  readonly other: TimeRange
  readonly services: readonly string[]
}

/** Compares the metrics of services in two windows. */
export class ComparedMetrics {
  readonly #reader: LinkedSeriesReader

  constructor(metrics: MetricStore) {
    this.#reader = new LinkedSeriesReader(metrics, BUDGET)
  }

  async compare(ns: Namespace, { base, other, services }: MetricWindows, signal: AbortSignal): Promise<ComparedSignal> {
    const [before, after] = await Promise.all([base, other].map(range => this.#lines(ns, { range, services }, signal)))
    const compared: Compared[] = []
    let done = 0
    for (const [key, line] of after!.lines) {
      if (++done % LINES_PER_TURN === 0) await nextSlice()
      const former = before!.lines.get(key)
      const change = former && comparedLine(former, line)
      if (change) compared.push(change)
    }
    return { compared, warnings: [...before!.warnings, ...after!.warnings] }
  }

  async #lines(
    ns: Namespace,
    { range, services }: { readonly range: TimeRange; readonly services: readonly string[] },
    signal: AbortSignal
  ) {
    const links = services.map(value => ({ basis: 'service', value, confidence: 'medium' }) as const)
    const stepNs = (range.endNs - range.startNs) / BigInt(POINTS)
    const grid = { startNs: range.startNs, stepNs: stepNs > MS_NS ? stepNs : MS_NS, length: POINTS }
    // Logs and spans are compared themselves.
    const isRequested = (name: string): boolean => !isCountedMetric(name)
    const stepMs = Number(grid.stepNs / MS_NS)
    const { found, warnings } = await this.#reader.read({ ns, links, range, isRequested, stepMs, signal })
    return {
      lines: linesOf(
        toPoints(
          found.flatMap(({ series }) => series),
          grid
        )
      ),
      warnings
    }
  }
}
