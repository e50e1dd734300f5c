/** Length of a step, the shortest that there is. */
export const MEASURE_STEP_MS = 10_000
/** A group without records has zeros for so long. */
const ZEROS_MS = 300_000
/** Bounds of the buckets of `sizes`. */
export const SIZES = [10, 100]

/** Selects the records that are recounted. */
const RECOUNTED_QUERY = 'service:orders'
/** Measures whose samples are known from the records that were sent. */
export const RECOUNTED = [
  { name: 'orders', fn: 'count', step: '10s', query: RECOUNTED_QUERY },
  { name: 'spent', fn: 'sum', field: 'amount', group_by: ['shop'], step: '10s', query: RECOUNTED_QUERY },
  { name: 'sizes', fn: 'histogram', field: 'amount', bounds: SIZES, step: '10s', query: RECOUNTED_QUERY }
] as const
/** The metrics that they write. */
export const RECOUNTED_METRICS = ['orders', 'spent', 'sizes_bucket', 'sizes_sum', 'sizes_count'] as const

/** A log that was acknowledged. */
export interface SentRecord {
  readonly atMs: number
  readonly shop: string
  readonly amount: number
}

/** Values by their times, by series: `spent{shop=a}`. */
export type SeriesValues = ReadonlyMap<string, ReadonlyMap<number, number>>

/** Ends of the steps of a range. */
export interface StepEnds {
  /** Start of the first step. */
  readonly fromMs: number
  readonly toMs: number
}

function sumOf(records: readonly SentRecord[]): number {
  return records.reduce((sum, { amount }) => sum + amount, 0)
}

/** What each series has to have at the end of a step. */
function expectedAt(records: readonly SentRecord[], endMs: number): ReadonlyMap<string, number> {
  const startMs = endMs - MEASURE_STEP_MS
  const own = records.filter(({ atMs }) => atMs >= startMs && atMs < endMs)
  const before = records.filter(({ atMs }) => atMs >= startMs - ZEROS_MS && atMs < startMs)
  const shops = new Set([...own, ...before].map(({ shop }) => shop))
  const atMost = (bound: number): number => own.filter(({ amount }) => amount <= bound).length
  return new Map([
    ['orders{}', own.length],
    ...[...shops].map(shop => [`spent{shop=${shop}}`, sumOf(own.filter(record => record.shop === shop))] as const),
    ...SIZES.map(bound => [`sizes_bucket{le=${bound}}`, atMost(bound)] as const),
    ['sizes_bucket{le=+Inf}', own.length],
    ['sizes_sum{}', sumOf(own)],
    ['sizes_count{}', own.length]
  ])
}

/** All samples that `RECOUNTED` has to have in a range of steps, from the records alone. */
export function expectedSeries(records: readonly SentRecord[], { fromMs, toMs }: StepEnds): SeriesValues {
  const series = new Map<string, Map<number, number>>()
  for (let endMs = fromMs + MEASURE_STEP_MS; endMs <= toMs; endMs += MEASURE_STEP_MS)
    for (const [key, value] of expectedAt(records, endMs)) series.set(key, (series.get(key) ?? new Map()).set(endMs, value))
  return series
}

/** Samples that are missing, have another value, or should not be there. */
export function stepFaults(expected: SeriesValues, found: SeriesValues): readonly string[] {
  const valueOf = (values: SeriesValues, key: string, atMs: number): number | undefined => values.get(key)?.get(atMs)
  const missing = [...expected].flatMap(([key, values]) =>
    [...values]
      .filter(([atMs, value]) => valueOf(found, key, atMs) !== value)
      .map(([atMs, value]) => `${key} at ${atMs}: ${valueOf(found, key, atMs) ?? 'nothing'} instead of ${value}`)
  )
  const strange = [...found].flatMap(([key, values]) =>
    [...values.keys()].filter(atMs => valueOf(expected, key, atMs) === undefined).map(atMs => `${key} at ${atMs}: no such step`)
  )
  return [...missing, ...strange]
}
