import type { Label, SeriesSamples } from '../../domain/metric-point.js'
import { seriesKey } from '../../domain/series-key.js'
import { type LabelMatcher, type MetricStore, type SelectRequest } from '../../ports/metric-store.js'
import { NAME } from '../../query/promql/labels.js'
import { matcherTest } from '../../query/promql/label-matcher.js'
import type { SeriesName, SeriesValue } from './series-notation.js'

const NS_PER_MS = 1_000_000n
/** The bits of the NaN that ends a series. */
const STALE_BITS = 0x7ff0000000000002n

interface MemorySeries extends SeriesName {
  readonly times: number[]
  readonly values: (number | 'stale')[]
}

function labelOf({ name, labels }: SeriesName, label: string): string {
  return label === NAME ? name : (labels.find(each => each.name === label)?.value ?? '')
}

/** Series of a test of rules: those of its input, and those that its rules write. */
export class MemoryMetrics implements Pick<MetricStore, 'select'> {
  readonly #series = new Map<string, MemorySeries>()
  /** Samples after this time are not there yet, Unix milliseconds. */
  tillMs = 0

  /** Adds a sample; times of a series rise. One at the time of the last replaces it. */
  add(series: SeriesName, atMs: number, value: SeriesValue): void {
    if (value === null) return
    const key = seriesKey(series)
    let found = this.#series.get(key)
    if (found === undefined) this.#series.set(key, (found = { ...series, times: [], values: [] }))
    if (found.times.at(-1) === atMs) found.values[found.values.length - 1] = value
    else {
      found.times.push(atMs)
      found.values.push(value)
    }
  }

  async select(_ns: unknown, { matchers, range }: SelectRequest): Promise<readonly SeriesSamples[]> {
    const tests = matchers.map((matcher: LabelMatcher) => [matcher.name, matcherTest(matcher)] as const)
    const startMs = Number((range.startNs + NS_PER_MS - 1n) / NS_PER_MS)
    const endMs = Math.min(Number((range.endNs + NS_PER_MS - 1n) / NS_PER_MS), this.tillMs + 1)
    return [...this.#series.values()]
      .filter(series => tests.every(([name, test]) => test(labelOf(series, name))))
      .map(series => samplesOf(series, startMs, endMs))
      .filter(({ values }) => values.length > 0)
  }
}

/** The index of the first time at or after `ms`. */
function firstFrom(times: readonly number[], ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < ms) low = middle + 1
    else high = middle
  }
  return low
}

function samplesOf(series: MemorySeries, startMs: number, endMs: number): SeriesSamples {
  const from = firstFrom(series.times, startMs)
  const to = Math.max(from, firstFrom(series.times, endMs))
  const values = new Float64Array(to - from)
  const bits = new BigUint64Array(values.buffer)
  for (let i = from; i < to; i++) {
    const value = series.values[i]!
    if (value === 'stale') bits[i - from] = STALE_BITS
    else values[i - from] = value
  }
  const labels: readonly Label[] = series.labels
  const timestampsNs = BigInt64Array.from(series.times.slice(from, to), ms => BigInt(ms) * NS_PER_MS)
  return { name: series.name, type: 'gauge', labels, timestampsNs, values }
}
