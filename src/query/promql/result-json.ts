import { formatValue } from './format-value.js'
import { jsonNumber } from './go-number.js'
import type { NativeHistogram } from '../../domain/native-histogram/native-histogram.js'
import { type Cell, cellAt, type GridSeries, type RawSeries, type Steps, timeOf } from './evaluate/values.js'
import { JsonBytes } from './json-bytes.js'
import { byLabels, type LabelSet } from './labels.js'
import type { PromqlResult, PromqlRequest } from './promql-request.js'
import { warningSentence } from '../../domain/warning.js'
import { disjointBuckets } from './histograms/buckets.js'

/** Which ends of a bucket belong to it: 0 the upper one, 1 the lower one, 2 none, 3 both. */
function boundaryRule(hasLower: boolean, hasUpper: boolean): number {
  if (hasLower) return hasUpper ? 3 : 1
  return hasUpper ? 0 : 2
}

/** A histogram as Prometheus's HTTP API writes it; `buckets` is left out if empty. */
function histogramJson(histogram: NativeHistogram): string {
  const buckets = disjointBuckets(histogram).map(({ lower, upper, hasLower, hasUpper, count }) => {
    return `[${boundaryRule(hasLower, hasUpper)},"${jsonNumber(lower)}","${jsonNumber(upper)}","${jsonNumber(count)}"]`
  })
  const list = buckets.length === 0 ? '' : `,"buckets":[${buckets.join(',')}]`
  return `{"count":"${jsonNumber(histogram.count)}","sum":"${jsonNumber(histogram.sum)}"${list}}`
}

const MS_PER_S = 1_000
const DIGITS = 3

/**
 * Unix milliseconds as the seconds of samples in Prometheus's responses: without a fraction, or with three digits
 * (`jsonutil.MarshalTimestamp`).
 */
function formatSeconds(ms: number): string {
  const rest = Math.abs(ms) % MS_PER_S
  if (rest === 0) return String(ms / MS_PER_S)
  const whole = Math.floor(Math.abs(ms) / MS_PER_S)
  return `${ms < 0 ? '-' : ''}${whole}.${String(rest).padStart(DIGITS, '0')}`
}

// Bodies of `query` and `query_range`, written by hand: a value is a string, a time a number of seconds.

/** Warning of a result whose limit left out series. */
export const TRUNCATED = 'results truncated due to limit'

function pair(timeMs: number, value: number): string {
  return `[${formatSeconds(timeMs)},"${jsonNumber(value)}"]`
}

function cell(timeMs: number, histogram: NativeHistogram): string {
  return `[${formatSeconds(timeMs)},${histogramJson(histogram)}]`
}

function metric(labels: LabelSet): string {
  return JSON.stringify(labels.toObject())
}

/** Writes one result. */
class ResultWriter {
  readonly #out: JsonBytes
  readonly #limit: number
  #isTruncated = false

  constructor(maxBytes: number, limit: number) {
    this.#out = new JsonBytes(maxBytes)
    this.#limit = limit
  }

  instant({ value }: PromqlResult, atMs: number): void {
    switch (value.type) {
      case 'scalar':
        // Scalars and strings are written by another hand there: times without zeros at their end, numbers without exponent.
        return this.#out.ascii(`{"resultType":"scalar","result":[${atMs / 1000},"${formatValue(value.values[0]!)}"]}`)
      case 'string':
        return this.#out.text(`{"resultType":"string","result":[${atMs / 1000},${JSON.stringify(value.value)}]}`)
      case 'matrix':
        return this.#list('matrix', [...value.series].sort(byLabels), one => this.#raw(one))
      default:
        return this.#list('vector', value.series, ({ labels, values, histograms }) => {
          const histogram = histograms?.[0]
          const sample = histogram === undefined ? `"value":${pair(atMs, values[0]!)}` : `"histogram":${cell(atMs, histogram)}`
          this.#out.text(`{"metric":${metric(labels)},${sample}}`)
        })
    }
  }

  range({ value }: PromqlResult, steps: Steps): void {
    // Of each step the text before its value: the same for all series.
    const heads = Array.from({ length: steps.count }, (_, i) => `[${formatSeconds(timeOf(steps, i))},"`)
    if (value.type === 'scalar') {
      this.#out.ascii('{"resultType":"matrix","result":[{"metric":{},"values":[')
      this.#values(heads, value.values, null)
      return this.#out.ascii(']}]}')
    }
    if (value.type !== 'vector') throw new TypeError('a range query gives numbers only')
    return this.#list('matrix', [...value.series].sort(byLabels), one => this.#grid(one, steps, heads))
  }

  finish({ warnings, infos }: PromqlResult): Uint8Array<ArrayBuffer> {
    const sentences = [...warnings.map(warningSentence), ...(this.#isTruncated ? [TRUNCATED] : [])]
    if (sentences.length > 0) this.#out.text(`,"warnings":${JSON.stringify(sentences)}`)
    if (infos.length > 0) this.#out.text(`,"infos":${JSON.stringify(infos)}`)
    this.#out.ascii('}')
    return this.#out.finish()
  }

  begin(): void {
    this.#out.ascii('{"status":"success","data":')
  }

  #list<Item>(type: string, items: readonly Item[], write: (item: Item) => void): void {
    const shown = items.slice(0, this.#limit)
    this.#isTruncated = shown.length < items.length
    this.#out.ascii(`{"resultType":"${type}","result":[`)
    for (const [i, item] of shown.entries()) {
      if (i > 0) this.#out.ascii(',')
      write(item)
    }
    this.#out.ascii(']}')
  }

  #raw(raw: RawSeries): void {
    const { labels, times, values, histograms } = raw
    if (histograms !== undefined) return this.#mixed(labels, times, i => cellAt(raw, i))
    this.#out.text(`{"metric":${metric(labels)},"values":[`)
    this.#out.ascii(Array.from(times, (ms, i) => pair(ms, values[i]!)).join(','))
    this.#out.ascii(']}')
  }

  /** Numbers and histograms of one series, each in their own list. */
  #mixed(labels: LabelSet, times: ArrayLike<number>, cellOf: (i: number) => Cell): void {
    const [numbers, histograms]: [string[], string[]] = [[], []]
    for (let i = 0; i < times.length; i++) {
      const found = cellOf(i)
      if (typeof found === 'number') numbers.push(pair(times[i]!, found))
      else histograms.push(cell(times[i]!, found))
    }
    this.#out.text(`{"metric":${metric(labels)}`)
    if (numbers.length > 0) this.#out.ascii(`,"values":[${numbers.join(',')}]`)
    if (histograms.length > 0) this.#out.ascii(`,"histograms":[${histograms.join(',')}]`)
    this.#out.ascii('}')
  }

  #grid(series: GridSeries, steps: Steps, heads: readonly string[]): void {
    const { labels, values, present, histograms } = series
    if (histograms !== undefined) {
      const here = Array.from(present.keys()).filter(i => present[i] === 1)
      const times = here.map(i => timeOf(steps, i))
      return this.#mixed(labels, times, i => cellAt(series, here[i]!))
    }
    this.#out.text(`{"metric":${metric(labels)},"values":[`)
    this.#values(heads, values, present)
    this.#out.ascii(']}')
  }

  #values(heads: readonly string[], values: Float64Array, present: Uint8Array | null): void {
    let text = ''
    for (let i = 0; i < values.length; i++) {
      if (present !== null && present[i] === 0) continue
      if (text !== '') text += ','
      text += `${heads[i]!}${jsonNumber(values[i]!)}"]`
    }
    this.#out.ascii(text)
  }
}

/** The body of a result, UTF-8. Throws `PromqlExecutionError` when it would be longer than `maxBytes`. */
export function writeResult(request: PromqlRequest, result: PromqlResult, maxBytes: number): Uint8Array<ArrayBuffer> {
  const writer = new ResultWriter(maxBytes, request.limit ?? Infinity)
  writer.begin()
  if (request.isRange) writer.range(result, request.steps)
  else writer.instant(result, request.steps.startMs)
  return writer.finish(result)
}
