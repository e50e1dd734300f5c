import type { TimeRange } from '../../domain/time-range.js'
import type { Namespace } from '../../domain/namespace.js'
import { retentionStartNs } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import type { LabelMatcher, MetricStore } from '../../ports/metric-store.js'
import type { QuerySettings } from '../settings.js'
import { Budget } from './evaluate/budget.js'
import { Evaluator } from './evaluate/evaluator.js'
import { Notes } from './evaluate/notes.js'
import { readSamples } from './evaluate/samples-source.js'
import { type RawSeries, type Steps, type Value, withValues } from './evaluate/values.js'
import { typeOf } from './syntax/check-types.js'
import { parsePromql } from './syntax/parser.js'
import type { ValueType } from './syntax/ast.js'

/** A PromQL question: one time, or a grid of times. */
export interface PromqlQuestion {
  readonly query: string
  readonly steps: Steps
  /** How far back an instant selector looks for a sample. */
  readonly lookbackMs?: number
  /** Less than the query limit's own. */
  readonly timeoutMs?: number
}

/** An answer: a value over the steps, or the samples of a range selector, which an instant query may ask for. */
export interface PromqlAnswer {
  readonly type: ValueType
  readonly value: Value | { readonly type: 'matrix'; readonly series: readonly RawSeries[] }
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
}

export interface PromqlQueryDeps {
  readonly metrics: Pick<MetricStore, 'select'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

/** Prometheus's `--query.lookback-delta`. */
const LOOKBACK_MS = 300_000
/** Step of subqueries that name none: Prometheus takes its global evaluation interval. */
const DEFAULT_STEP_MS = 60_000
const MAX_VALUES = 50_000_000

/** Evaluates PromQL over the metric store of any engine. */
export class PromqlQuery {
  readonly #deps: PromqlQueryDeps

  constructor(deps: PromqlQueryDeps) {
    this.#deps = deps
  }

  /** Steps that a question may have. */
  get maxPoints(): number {
    return this.#deps.settings.maxPoints
  }

  /**
   * Answers a question. Throws `PromqlSyntaxError` (Prometheus: bad_data), `PromqlExecutionError` (execution),
   * `PromqlTimeout` (timeout), and what the store throws.
   */
  async answer(ns: Namespace, question: PromqlQuestion, signal: AbortSignal): Promise<PromqlAnswer> {
    const { clock, settings } = this.#deps
    const expr = parsePromql(question.query)
    const lookbackMs = question.lookbackMs ?? LOOKBACK_MS
    const endMs = clock.monotonicMs() + Math.min(question.timeoutMs ?? settings.timeoutMs, settings.timeoutMs)
    const budget = new Budget(MAX_VALUES, signal, () => clock.monotonicMs() > endMs)
    const notes = new Notes()
    const { steps } = question
    const options = { lookbackMs, defaultStepMs: DEFAULT_STEP_MS, maxSamples: settings.maxSamples }
    const select = (matchers: readonly LabelMatcher[], range: TimeRange) => this.#select(ns, matchers, range, signal)
    const samples = await readSamples(expr, steps, { ...options, select })
    budget.check()
    const evaluator = new Evaluator({ query: steps, samples, lookbackMs, defaultStepMs: DEFAULT_STEP_MS, budget, notes }, steps)
    const type = typeOf(expr)
    const value = type === 'matrix' ? rawValue(evaluator, expr) : withoutEmpty(evaluator.evaluate(expr))
    return { type, value, warnings: notes.warnings, infos: notes.infos }
  }

  async #select(ns: Namespace, matchers: readonly LabelMatcher[], range: TimeRange, signal: AbortSignal) {
    const { metrics, clock, settings } = this.#deps
    const oldestNs = retentionStartNs(ns.retention, 'metrics', clock.nowNs())
    const startNs = range.startNs > oldestNs ? range.startNs : oldestNs
    if (startNs >= range.endNs) return []
    const { maxSeries, maxSamples } = settings
    return metrics.select(ns.id, { matchers, range: { ...range, startNs }, maxSeries, maxSamples }, signal)
  }
}

function withoutEmpty(value: Value): Value {
  return value.type === 'vector' ? { type: 'vector', series: withValues(value.series) } : value
}

/** The samples of a range selector within the window of the only step. */
function rawValue(evaluator: Evaluator, expr: ReturnType<typeof parsePromql>): PromqlAnswer['value'] {
  const { series, ranges } = evaluator.range(expr)
  const endMs = ranges.endOf(0)
  const within = series.map(({ labels, times, values }) => {
    const from = times.findIndex(ms => ms > endMs - ranges.rangeMs)
    const to = times.findLastIndex(ms => ms <= endMs) + 1
    return from < 0
      ? { labels, times: times.slice(0, 0), values }
      : { labels, times: times.slice(from, to), values: values.slice(from, to) }
  })
  return { type: 'matrix', series: within.filter(({ times }) => times.length > 0) }
}
