import { mergeSeries } from '../evaluate/merge-series.js'
import type { Notes } from '../evaluate/notes.js'
import { emptySeries, type GridSeries } from '../evaluate/values.js'
import { NAME } from '../labels.js'

interface Bucket {
  readonly upperBound: number
  count: number
}

interface BucketSeries {
  readonly upperBound: number
  readonly series: GridSeries
}

/** Counts that differ by less than this share are rounding of a sum over instances, not a fall. */
const SMALL_DELTA = 1e-12

function parseBound(text: string): number {
  if (text === '') return Number.NaN
  if (text === '+Inf' || text === 'Inf') return Infinity
  if (text === '-Inf') return -Infinity
  return Number(text)
}

function isAlmost(a: number, b: number): boolean {
  return Math.abs(a - b) <= SMALL_DELTA * (Math.abs(a) + Math.abs(b))
}

/** Cumulative counts must not fall; answers whether they were mended beyond rounding. */
function makeMonotonic(buckets: readonly Bucket[]): boolean {
  let before = buckets[0]!.count
  let isForced = false
  for (const bucket of buckets.slice(1)) {
    if (bucket.count > before && !isAlmost(bucket.count, before)) {
      before = bucket.count
      continue
    }
    if (bucket.count < before && !isAlmost(bucket.count, before)) isForced = true
    bucket.count = before
  }
  return isForced
}

/** Quantile of classic buckets, sorted by bound (promql/quantile.go, BucketQuantile). */
function bucketQuantile(q: number, sorted: readonly Bucket[], notes: Notes): number {
  if (Number.isNaN(q)) return Number.NaN
  if (q < 0) return -Infinity
  if (q > 1) return Infinity
  const last = sorted.at(-1)
  if (last === undefined || last.upperBound !== Infinity) return Number.NaN
  const buckets = coalesce(sorted)
  if (makeMonotonic(buckets)) notes.inform('input to histogram_quantile needed to be fixed for monotonicity')
  const observations = buckets.at(-1)!.count
  if (buckets.length < 2 || observations === 0) return Number.NaN
  const rank = q * observations
  const found = buckets.findIndex(({ count }) => count >= rank)
  const at = found < 0 ? buckets.length - 1 : found
  if (at === buckets.length - 1) return buckets.at(-2)!.upperBound
  const { upperBound, count } = buckets[at]!
  if (at === 0 && upperBound <= 0) return upperBound
  const below = at > 0 ? buckets[at - 1]! : { upperBound: 0, count: 0 }
  return below.upperBound + (upperBound - below.upperBound) * ((rank - below.count) / (count - below.count))
}

/** Buckets of equal bounds, as of `le="1"` and `le="1.0"`, are one. */
function coalesce(sorted: readonly Bucket[]): Bucket[] {
  const buckets: Bucket[] = []
  for (const { upperBound, count } of sorted) {
    const before = buckets.at(-1)
    if (before?.upperBound === upperBound) before.count += count
    else buckets.push({ upperBound, count })
  }
  return buckets
}

/** `histogram_quantile` over classic histograms: the series of a group differ in `le` only. */
export function histogramQuantile(quantiles: Float64Array, series: readonly GridSeries[], notes: Notes): readonly GridSeries[] {
  const groups = new Map<string, BucketSeries[]>()
  for (const one of series) {
    const upperBound = parseBound(one.labels.get('le'))
    if (Number.isNaN(upperBound)) {
      notes.warn(`bucket label "le" is missing or has a malformed value of ${JSON.stringify(one.labels.get('le'))}`)
      continue
    }
    const { key } = one.labels.without(['le', NAME])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [{ upperBound, series: one }])
    else group.push({ upperBound, series: one })
  }
  if (quantiles.some(q => Number.isNaN(q) || q < 0 || q > 1)) notes.warn('quantile value should be between 0 and 1')
  const results = [...groups.values()].map(group => {
    const sorted = group.sort((a, b) => a.upperBound - b.upperBound)
    return quantileSeries(quantiles, sorted, notes)
  })
  return mergeSeries(results)
}

function quantileSeries(quantiles: Float64Array, group: readonly BucketSeries[], notes: Notes): GridSeries {
  const result = emptySeries(group[0]!.series.labels.without(['le', NAME]), quantiles.length)
  for (let i = 0; i < quantiles.length; i++) {
    const buckets = group.flatMap(({ upperBound, series: { values, present } }) =>
      present[i] === 1 ? [{ upperBound, count: values[i]! }] : []
    )
    if (buckets.length === 0) continue
    result.values[i] = bucketQuantile(quantiles[i]!, buckets, notes)
    result.present[i] = 1
  }
  return result
}
