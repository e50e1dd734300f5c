import type { IngestId } from '../../src/domain/ids.js'
import type { Label, MetricPoint } from '../../src/domain/metric-point.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import type { Batch } from '../../src/ports/append.js'
import type { LabelMatcher, SampleWindows, SelectRequest } from '../../src/ports/metric-store.js'

/** Numbers from 0 (inclusive) to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const NAMES = ['cpu', 'cpu_total', 'mem,used', 'http requests=2xx', '#disk', 'ÉCLAIR 😀', '_value', 'a\\', 'line\nfeed']
const LABEL_NAMES = ['host', 'zone', '_value', '_ns', 'time', 'a b', 'k=v', '"q"', 'table', 'percent%']
const LABEL_VALUES = ['a', 'b', 'ab', 'A', '10.0.0.1', 'x,y', 'é=1', '"', '\\', 'a\nb', '%41', '${r}', '#1', ' ']
const REGEXES = ['a|b', 'a.*', '.*', '.+', '', '[ab]+', '(?i:a)', 'x.y', '\\d+(\\.\\d+){3}', 'a\\nb', '[^a]', '.']
// Without -0: the embedded engine gives it back as 0 once a deletion has rewritten its table.
const VALUES = [0, 1, -1.5, 1e300, 5e-324, 1.1e-15, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53]
const KEEPS: readonly SampleWindows['keep'][] = ['all', 'first', 'last', 'highest', 'lowest', 'count', 'sum', 'mean']
const MATCH_OPS = ['eq', 'neq', 'regex', 'not_regex'] as const

/** The times of a round are on so many steps, so that samples meet. */
const STEPS = 40
const STEP_NS = 1_000_000_001n

/** Random points and queries about a small world in which names, labels and times often meet. */
export class MetricWorld {
  readonly #random: () => number
  readonly #baseNs: bigint
  readonly #newIngestId: () => IngestId
  #lastBatch: Batch<MetricPoint> | null = null

  constructor(seed: number, baseNs: bigint, newIngestId: () => IngestId) {
    this.#random = seededRandom(seed)
    this.#baseNs = baseNs
    this.#newIngestId = newIngestId
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  /** A batch; now and then the last one again. */
  batch(): Batch<MetricPoint> {
    if (this.#lastBatch && this.below(10) === 0) return this.#lastBatch
    // No two points of one batch meet: the embedded engine does not report which of them wins.
    const items = new Map<string, MetricPoint>()
    for (let left = this.below(40); left >= 0; left--) {
      const point = this.#point(items.size)
      const key = JSON.stringify([point.name, point.labels, String(point.timestampNs)])
      if (!items.has(key)) items.set(key, point)
    }
    this.#lastBatch = { ingestId: this.#newIngestId(), items: [...items.values()] }
    return this.#lastBatch
  }

  timeNs(): bigint {
    return this.#baseNs + BigInt(this.below(STEPS)) * STEP_NS
  }

  /** Mostly a part of the round's time, at times all or nothing. */
  range(): TimeRange {
    if (this.below(5) === 0) return { startNs: this.#baseNs, endNs: this.#baseNs + BigInt(STEPS) * STEP_NS }
    const [a, b] = [this.timeNs(), this.timeNs() + BigInt(this.below(2))]
    return a < b ? { startNs: a, endNs: b } : { startNs: b, endNs: a }
  }

  matchers(): readonly LabelMatcher[] {
    const named: LabelMatcher[] = this.below(2) === 0 ? [{ name: '__name__', op: 'eq', value: this.#of(NAMES) }] : []
    return [...named, ...Array.from({ length: this.below(4) }, () => this.#matcher())]
  }

  select(): SelectRequest {
    const isTight = this.below(6) === 0
    return {
      matchers: this.matchers(),
      range: this.range(),
      maxSeries: isTight ? this.below(8) : 10_000,
      maxSamples: isTight ? this.below(60) : 100_000
    }
  }

  /** As `select` with generous bounds, now and then of all time; steps of half an hour hold all samples of a round. */
  selectWindows(): SelectRequest & { readonly windows: SampleWindows } {
    const stepMs = this.#of([1, 1_000, 1_500, 4_000, 7_001, 1_800_000, 3_600_000])
    const lengthMs = this.below(2) === 0 ? stepMs : 1 + this.below(stepMs)
    const firstEndMs = Number(this.timeNs() / 1_000_000n) + this.below(stepMs)
    const windows = { firstEndMs, stepMs, lengthMs, keep: this.#of(KEEPS), ...(this.below(2) === 0 && { isTimeFree: true }) }
    return { matchers: this.matchers(), range: this.range(), maxSeries: 10_000, maxSamples: 100_000, windows }
  }

  catalog(): { readonly contains?: string; readonly after?: string; readonly limit: number } {
    return {
      limit: this.below(8),
      ...(this.below(2) === 0 && { contains: this.#of(['', 'C', 'é', '_', 'total', '😀']) }),
      ...(this.below(2) === 0 && { after: this.#of(NAMES) })
    }
  }

  #point(index: number): MetricPoint {
    const labels = new Map<string, string>()
    for (let i = this.below(4); i > 0; i--) labels.set(this.#of(LABEL_NAMES), this.#of(LABEL_VALUES))
    const sorted: Label[] = [...labels].map(([name, value]) => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1))
    const value = this.below(3) === 0 ? this.#of(VALUES) : (this.#random() - 0.5) * 10 ** this.below(12)
    const type = this.below(3) === 0 ? 'counter' : 'gauge'
    return { index, name: this.#of(NAMES), type, labels: sorted, timestampNs: this.timeNs(), value }
  }

  #matcher(): LabelMatcher {
    const op = this.#of(MATCH_OPS)
    const isRegex = op === 'regex' || op === 'not_regex'
    const isName = this.below(6) === 0
    const value = isRegex ? this.#of(REGEXES) : this.#of(isName ? NAMES : ['', ...LABEL_VALUES])
    return { name: isName ? '__name__' : this.#of(LABEL_NAMES), op, value }
  }

  #of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}
