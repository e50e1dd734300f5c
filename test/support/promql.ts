import type { NamespaceId } from '../../src/domain/ids.js'
import { runQuery, planRequest } from '../../src/query/promql/run-query.js'
import type { Stop } from '../../src/query/promql/evaluate/budget.js'
import { formatValue } from '../../src/query/promql/format-value.js'
import { type Cell, cellAt, type Steps, timeOf } from '../../src/query/promql/evaluate/values.js'
import type { NativeHistogram } from '../../src/domain/native-histogram/native-histogram.js'
import { formatHistogram } from '../../src/query/promql/histograms/format-histogram.js'
import type { LabelSet } from '../../src/query/promql/labels.js'
import { promqlBounds } from '../../src/query/promql/promql-query.js'
import type { PromqlResult } from '../../src/query/promql/promql-request.js'
import { packSeries, unpackSeries } from '../../src/query/promql/series-message.js'
import { DEFAULT_QUERY_SETTINGS, type QuerySettings } from '../../src/query/settings.js'
import { type FixedSeries, fixedMetrics } from './fixed-metrics.js'

const NS = 'promql' as NamespaceId
const NEVER = new AbortController().signal
const FRACTION_DIGITS = 9

/** A series with one sample a minute from time 0 on; `null` leaves one out. */
export function everyMinute(
  labels: Readonly<Record<string, string>>,
  ...values: readonly (number | null | 'stale' | NativeHistogram)[]
): FixedSeries {
  return { labels, samples: values.flatMap((value, i) => (value === null ? [] : [[i * 60_000, value] as const])) }
}

function labelText(labels: LabelSet): string {
  const name = labels.get('__name__')
  const others = labels.labels.filter(label => label.name !== '__name__').map(label => `${label.name}=${label.value}`)
  return others.length === 0 && name !== '' ? name : `${name}{${others.join(',')}}`
}

function number(value: number): string {
  return formatValue(Number.isInteger(value) ? value : Number(value.toFixed(FRACTION_DIGITS)))
}

function shownCell(cell: Cell): string {
  return typeof cell === 'number' ? number(cell) : formatHistogram(cell)
}

function lines({ value }: PromqlResult, steps: Steps): readonly string[] {
  const at = (i: number, text: string): string => (steps.count === 1 ? text : `${text}@${timeOf(steps, i) / 60_000}`)
  if (value.type === 'string') return [value.value]
  if (value.type === 'scalar') return [Array.from(value.values, (one, i) => at(i, number(one))).join(' ')]
  if (value.type === 'matrix') {
    return value.series.map(({ labels, values, histograms }) => {
      return `${labelText(labels)} ${Array.from(values, (one, i) => shownCell(histograms?.[i] ?? one)).join(' ')}`
    })
  }
  return value.series.map(series => {
    const shown = Array.from(series.present, (has, i) => (has === 1 ? [at(i, shownCell(cellAt(series, i)))] : [])).flat()
    return `${labelText(series.labels)} ${shown.join(' ')}`
  })
}

/** Responses of the evaluator over fixed series, as lines of text. */
export class PromqlBench {
  readonly #metrics: ReturnType<typeof fixedMetrics>
  readonly #settings: QuerySettings

  constructor(series: readonly FixedSeries[], settings: Partial<QuerySettings> = {}) {
    this.#metrics = fixedMetrics(series)
    this.#settings = { ...DEFAULT_QUERY_SETTINGS, ...settings }
  }

  async run(
    query: string,
    steps: Steps,
    stop: () => Stop | null = () => null,
    isRange: boolean = steps.count > 1
  ): Promise<PromqlResult> {
    const bounds = promqlBounds(this.#settings)
    const { maxSeries, maxSamples } = this.#settings
    const request = { query, steps, isRange }
    const plan = planRequest(request, bounds)
    const found = await Promise.all(
      plan.reads.list.map(async ({ matchers, range }) => {
        const series = await this.#metrics.select(NS, { matchers, range, maxSeries, maxSamples }, NEVER)
        return unpackSeries(packSeries(series))
      })
    )
    return runQuery(request, plan, { bounds, found, stop })
  }

  /** At one minute. */
  async at(minute: number, query: string): Promise<readonly string[]> {
    const steps = { startMs: minute * 60_000, stepMs: 1, count: 1 }
    return lines(await this.run(query, steps), steps)
  }

  /** At every minute from one to another. */
  async over(from: number, to: number, query: string): Promise<readonly string[]> {
    const steps = { startMs: from * 60_000, stepMs: 60_000, count: to - from + 1 }
    return lines(await this.run(query, steps), steps)
  }
}
