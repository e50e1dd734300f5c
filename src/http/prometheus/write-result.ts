import { formatValue } from '../../query/promql/format-value.js'
import { type GridSeries, type RawSeries, type Steps, timeOf } from '../../query/promql/evaluate/values.js'
import type { LabelSet } from '../../query/promql/labels.js'
import type { PromqlAnswer } from '../../query/promql/promql-query.js'

// Bodies of Prometheus's HTTP API, written by hand: a value is a string without exponent, a time a number of seconds.

const TRUNCATED = 'results truncated due to limit'

function pair(timeMs: number, value: number): string {
  return `[${timeMs / 1000},"${formatValue(value)}"]`
}

function metric(labels: LabelSet): string {
  return JSON.stringify(labels.toObject())
}

function matrixSeries({ labels, values, present }: GridSeries, steps: Steps): string {
  const pairs: string[] = []
  for (let i = 0; i < values.length; i++) if (present[i] === 1) pairs.push(pair(timeOf(steps, i), values[i]!))
  return `{"metric":${metric(labels)},"values":[${pairs.join(',')}]}`
}

function rawSeries({ labels, times, values }: RawSeries): string {
  const pairs = Array.from(times, (ms, i) => pair(ms, values[i]!))
  return `{"metric":${metric(labels)},"values":[${pairs.join(',')}]}`
}

function byLabels(a: { readonly labels: LabelSet }, b: { readonly labels: LabelSet }): number {
  return a.labels.key < b.labels.key ? -1 : 1
}

interface Data {
  readonly json: string
  readonly isTruncated: boolean
}

function list<Item>(type: string, items: readonly Item[], limit: number, write: (item: Item) => string): Data {
  const shown = items.slice(0, limit)
  const json = `{"resultType":"${type}","result":[${shown.map(write).join(',')}]}`
  return { json, isTruncated: shown.length < items.length }
}

function instantData({ value }: PromqlAnswer, atMs: number, limit: number): Data {
  switch (value.type) {
    case 'scalar':
      return { json: `{"resultType":"scalar","result":${pair(atMs, value.values[0]!)}}`, isTruncated: false }
    case 'string': {
      const result = `[${atMs / 1000},${JSON.stringify(value.value)}]`
      return { json: `{"resultType":"string","result":${result}}`, isTruncated: false }
    }
    case 'matrix':
      return list('matrix', [...value.series].sort(byLabels), limit, rawSeries)
    default:
      return list('vector', value.series, limit, ({ labels, values }) => {
        return `{"metric":${metric(labels)},"value":${pair(atMs, values[0]!)}}`
      })
  }
}

function rangeData({ value }: PromqlAnswer, steps: Steps, limit: number): Data {
  if (value.type === 'vector') return list('matrix', [...value.series].sort(byLabels), limit, one => matrixSeries(one, steps))
  if (value.type !== 'scalar') throw new TypeError('a range query gives numbers only')
  const pairs = Array.from(value.values, (number, i) => pair(timeOf(steps, i), number))
  return { json: `{"resultType":"matrix","result":[{"metric":{},"values":[${pairs.join(',')}]}]}`, isTruncated: false }
}

function success(data: Data, { warnings, infos }: Pick<PromqlAnswer, 'warnings' | 'infos'>): string {
  const said = [...warnings, ...(data.isTruncated ? [TRUNCATED] : [])]
  const notes = said.length === 0 ? '' : `,"warnings":${JSON.stringify(said)}`
  const more = infos.length === 0 ? '' : `,"infos":${JSON.stringify(infos)}`
  return `{"status":"success","data":${data.json}${notes}${more}}`
}

/** The answer of `query`. */
export function writeInstant(answer: PromqlAnswer, atMs: number, limit: number): string {
  return success(instantData(answer, atMs, limit), answer)
}

/** The answer of `query_range`. */
export function writeRange(answer: PromqlAnswer, steps: Steps, limit: number): string {
  return success(rangeData(answer, steps, limit), answer)
}

/** The answer of the other endpoints: any data, cut to the limit when it is a list. */
export function writeData(data: unknown, limit: number, warnings: readonly string[] = []): string {
  const isList = Array.isArray(data)
  const shown: unknown = isList ? data.slice(0, limit) : data
  const isTruncated = isList && data.length > limit
  return success({ json: JSON.stringify(shown), isTruncated }, { warnings, infos: [] })
}
