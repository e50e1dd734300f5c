import { mergeSeries } from '../evaluate/merge-series.js'
import type { Notes } from '../evaluate/notes.js'
import { emptySeries, type GridSeries, setCell, withValues } from '../evaluate/values.js'
import { goQuoted } from '../go-quote.js'
import { histogramFraction, histogramQuantile, type NativeEstimate } from '../histograms/quantile.js'
import { type LabelSet, NAME } from '../labels.js'
import type { QueryPosition } from '../syntax/ast.js'
import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { type ClassicBucket, classicFraction, classicQuantile } from './classic-buckets.js'

/** Where to report irregular histograms. */
interface Report {
  readonly notes: Notes
  /** Of the argument that gives the histograms. */
  readonly position: QueryPosition
}

/** How something is estimated of histograms of both kinds. */
interface Estimator {
  readonly native: (histogram: NativeHistogram, step: number) => NativeEstimate
  readonly classic: (sorted: readonly ClassicBucket[], step: number) => { readonly value: number; readonly isForced?: boolean }
  readonly nanNotes: Readonly<Record<'result' | 'skewed', string>>
}

/** The series of one classic histogram, which differ in `le` only, and the native histograms of the same labels. */
interface Group {
  readonly labels: LabelSet
  readonly buckets: { readonly upperBound: number; readonly series: GridSeries }[]
  native: GridSeries | null
}

const FORCED =
  'input to histogram_quantile needed to be fixed for monotonicity (see https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile)'
const BOTH_KINDS = 'vector contains a mix of classic and native histograms'

function parseBound(text: string): number {
  if (text === '') return Number.NaN
  if (text === '+Inf' || text === 'Inf') return Infinity
  if (text === '-Inf') return -Infinity
  return Number(text)
}

function hasNumbers({ present, histograms }: GridSeries): boolean {
  return histograms === undefined || present.some((has, i) => has === 1 && histograms[i] === undefined)
}

function groupsOf(series: readonly GridSeries[], { notes, position }: Report): readonly Group[] {
  const groups = new Map<string, Group>()
  const groupOf = (labels: LabelSet): Group => {
    const group = groups.get(labels.key) ?? { labels, buckets: [], native: null }
    groups.set(labels.key, group)
    return group
  }
  for (const one of series) {
    if (one.histograms !== undefined) groupOf(one.labels).native = one
    if (!hasNumbers(one)) continue
    const text = one.labels.get('le')
    const upperBound = parseBound(text)
    if (Number.isNaN(upperBound)) {
      notes.warn(`bucket label "le" is missing or has a malformed value of ${goQuoted(text)}`, position)
    } else groupOf(one.labels.without(['le'])).buckets.push({ upperBound, series: one })
  }
  for (const { buckets } of groups.values()) buckets.sort((a, b) => a.upperBound - b.upperBound)
  return [...groups.values()]
}

function estimates(series: readonly GridSeries[], report: Report, estimator: Estimator): readonly GridSeries[] {
  return mergeSeries(withValues(groupsOf(series, report).map(group => estimate(group, report, estimator))))
}

function estimate(group: Group, { notes, position }: Report, { native, classic, nanNotes }: Estimator): GridSeries {
  const count = (group.native ?? group.buckets[0]?.series)?.present.length ?? 0
  const result = emptySeries(group.labels.without([NAME]), count)
  for (let i = 0; i < count; i++) {
    const histogram = group.native?.present[i] === 1 ? group.native.histograms![i] : undefined
    const buckets = bucketsAt(group, i)
    if (histogram !== undefined && buckets.length > 0) notes.warn(BOTH_KINDS, position)
    else if (histogram !== undefined) {
      const { value, nan } = native(histogram, i)
      if (nan !== undefined) notes.inform(nanNotes[nan], position)
      setCell(result, i, value)
    } else if (buckets.length > 0) {
      const { value, isForced } = classic(buckets, i)
      if (isForced === true) notes.inform(FORCED, position)
      setCell(result, i, value)
    }
  }
  return result
}

function bucketsAt({ buckets }: Group, step: number): ClassicBucket[] {
  return buckets.flatMap(({ upperBound, series: { values, present, histograms } }) =>
    present[step] === 1 && histograms?.[step] === undefined ? [{ upperBound, count: values[step]! }] : []
  )
}

/** `histogram_quantile` of native and classic histograms, for one quantile a step. */
export function quantilesOf(quantiles: Float64Array, series: readonly GridSeries[], report: Report): readonly GridSeries[] {
  return estimates(series, report, {
    native: (histogram, step) => histogramQuantile(quantiles[step]!, histogram),
    classic: (buckets, step) => classicQuantile(quantiles[step]!, buckets),
    nanNotes: {
      result: 'input to histogram_quantile has NaN observations, result is NaN',
      skewed: 'input to histogram_quantile has NaN observations, result is skewed higher'
    }
  })
}

/** `histogram_fraction` of native and classic histograms, between two numbers a step. */
export function fractionsOf(
  { lower, upper }: { readonly lower: Float64Array; readonly upper: Float64Array },
  series: readonly GridSeries[],
  report: Report
): readonly GridSeries[] {
  const excluded = 'input to histogram_fraction has NaN observations, which are excluded from all fractions'
  return estimates(series, report, {
    native: (histogram, step) => histogramFraction(lower[step]!, upper[step]!, histogram),
    classic: (buckets, step) => ({ value: classicFraction(lower[step]!, upper[step]!, buckets) }),
    nanNotes: { result: excluded, skewed: excluded }
  })
}
