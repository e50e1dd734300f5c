import type { Label, SeriesSamples } from '../../domain/metric-point.js'
import type { Grid } from '../result.js'

/** How samples became points: as they are, as a counter's rise per second, or as the mean of a histogram or summary. */
export type PointForm = 'value' | 'rate' | 'mean'

/** A series on a grid, made comparable over time. */
export interface SeriesPoints {
  readonly metric: string
  readonly labels: readonly Label[]
  readonly form: PointForm
  /** One entry per bucket; null where it has no sample. */
  readonly values: readonly (number | null)[]
}

interface Rises {
  /** What the counter rose in each bucket, and over how many seconds. */
  readonly rise: Float64Array
  readonly seconds: Float64Array
}

function bucketsOf(samples: SeriesSamples, grid: Grid): Int32Array {
  return Int32Array.from(samples.timestampsNs, ns => {
    const bucket = ns < grid.startNs ? -1 : Number((ns - grid.startNs) / grid.stepNs)
    return bucket < grid.length ? bucket : -1
  })
}

/** Sums of finite samples may leave the range of a double; what is beyond it compares with nothing. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function averages(samples: SeriesSamples, grid: Grid): (number | null)[] {
  const sums = new Float64Array(grid.length)
  const counts = new Uint32Array(grid.length)
  for (const [i, bucket] of bucketsOf(samples, grid).entries()) {
    const value = samples.values[i]!
    if (bucket < 0 || !Number.isFinite(value)) continue
    sums[bucket]! += value
    counts[bucket]!++
  }
  return Array.from(sums, (sum, i) => (counts[i] === 0 ? null : finiteOrNull(sum / counts[i]!)))
}

/** A fall is a reset to zero. The rise between two samples belongs to the bucket of the later one. */
function risesOf(samples: SeriesSamples, grid: Grid): Rises {
  const rise = new Float64Array(grid.length)
  const seconds = new Float64Array(grid.length)
  const { timestampsNs, values } = samples
  for (const [i, bucket] of bucketsOf(samples, grid).entries()) {
    if (i === 0 || bucket < 0) continue
    const [before, now] = [values[i - 1]!, values[i]!]
    if (!Number.isFinite(before) || !Number.isFinite(now)) continue
    rise[bucket]! += now < before ? now : now - before
    seconds[bucket]! += Number(timestampsNs[i]! - timestampsNs[i - 1]!) / 1e9
  }
  return { rise, seconds }
}

function ratio(over: Float64Array, under: Float64Array): (number | null)[] {
  return Array.from(over, (value, i) => (under[i]! > 0 ? finiteOrNull(value / under[i]!) : null))
}

function identity(name: string, labels: readonly Label[]): string {
  return JSON.stringify([name, ...labels.map(label => [label.name, label.value])])
}

/** `x_sum` over `x_count`: the mean of what a histogram or summary counted. */
function means(series: readonly SeriesSamples[], grid: Grid): readonly SeriesPoints[] {
  const counts = new Map(series.filter(one => one.name.endsWith('_count')).map(one => [identity(one.name, one.labels), one]))
  return series.flatMap(sum => {
    if (sum.type !== 'counter' || !sum.name.endsWith('_sum')) return []
    const metric = sum.name.slice(0, -'_sum'.length)
    const count = counts.get(identity(`${metric}_count`, sum.labels))
    if (count === undefined) return []
    const values = ratio(risesOf(sum, grid).rise, risesOf(count, grid).rise)
    return [{ metric, labels: sum.labels, form: 'mean' as const, values }]
  })
}

/**
 * Gauges as averages of each bucket, counters as rates, and the mean of every pair of `_sum` and `_count`, which shows what the
 * sum alone does not.
 */
export function toPoints(series: readonly SeriesSamples[], grid: Grid): readonly SeriesPoints[] {
  const derived = means(series, grid)
  const explained = new Set(derived.map(({ metric, labels }) => identity(`${metric}_sum`, labels)))
  const plain = series
    .filter(one => !explained.has(identity(one.name, one.labels)))
    .map((one): SeriesPoints => {
      const isCounter = one.type === 'counter'
      const { rise, seconds } = isCounter ? risesOf(one, grid) : { rise: null, seconds: null }
      const values = rise ? ratio(rise, seconds) : averages(one, grid)
      return { metric: one.name, labels: one.labels, form: isCounter ? 'rate' : 'value', values }
    })
  return [...plain, ...derived]
}
