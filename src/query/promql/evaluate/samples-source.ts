import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Expr, VectorSelector } from '../syntax/ast.js'
import { type RawSeries, type Steps, timeOf } from './values.js'

const NS_PER_MS = 1_000_000n

/** Reads the samples that match, within a bound of its own for series and samples; series without any are left out. */
export type SelectSamples = (matchers: readonly LabelMatcher[], range: TimeRange) => Promise<readonly RawSeries[]>

/** The steps of a subquery: multiples of its step within the ranges of all steps around it. */
export function subquerySteps(
  expr: Extract<Expr, { type: 'subquery' }>,
  steps: Steps,
  { defaultStepMs, endOf }: { readonly defaultStepMs: number; readonly endOf: (step: number) => number }
): Steps {
  const stepMs = expr.stepMs ?? defaultStepMs
  const fromMs = endOf(0) - expr.rangeMs
  const endMs = endOf(steps.count - 1)
  const startMs = (Math.floor(fromMs / stepMs) + 1) * stepMs
  return { startMs, stepMs, count: Math.max(0, Math.floor((endMs - startMs) / stepMs) + 1) }
}

/** The time that `@` fixes, if any. */
export function fixedTime(at: VectorSelector['at'], query: Steps): number | null {
  if (at === null) return null
  if (at === 'start') return query.startMs
  return at === 'end' ? timeOf(query, query.count - 1) : at.atMs
}

interface Need {
  readonly selector: VectorSelector
  fromMs: number
  toMs: number
}

/** Which samples each selector of a query needs. */
class Needs {
  readonly list: Need[] = []
  readonly #query: Steps
  readonly #lookbackMs: number
  readonly #defaultStepMs: number

  constructor(query: Steps, lookbackMs: number, defaultStepMs: number) {
    this.#query = query
    this.#lookbackMs = lookbackMs
    this.#defaultStepMs = defaultStepMs
  }

  walk(expr: Expr, steps: Steps): void {
    switch (expr.type) {
      case 'selector':
        return this.#add(expr, steps, this.#lookbackMs)
      case 'matrix':
        return this.#add(expr.selector, steps, expr.rangeMs)
      case 'subquery': {
        const fixedMs = fixedTime(expr.at, this.#query)
        const endOf = (step: number): number => (fixedMs ?? timeOf(steps, step)) - expr.offsetMs
        const inner = subquerySteps(expr, steps, { defaultStepMs: this.#defaultStepMs, endOf })
        return inner.count > 0 ? this.walk(expr.expr, inner) : undefined
      }
      case 'binary':
        this.walk(expr.lhs, steps)
        return this.walk(expr.rhs, steps)
      case 'aggregation':
        if (expr.param !== null) this.walk(expr.param, steps)
        return this.walk(expr.expr, steps)
      case 'call':
        for (const arg of expr.args) this.walk(arg, steps)
        return undefined
      case 'paren':
      case 'unary':
        return this.walk(expr.expr, steps)
      default:
    }
  }

  #add(selector: VectorSelector, steps: Steps, beforeMs: number): void {
    const fixedMs = fixedTime(selector.at, this.#query)
    const fromMs = (fixedMs ?? steps.startMs) - selector.offsetMs - beforeMs
    const toMs = (fixedMs ?? timeOf(steps, steps.count - 1)) - selector.offsetMs
    this.list.push({ selector, fromMs, toMs })
  }
}

/**
 * Reads what a query needs, the same only once: ranges are open on the left, so a range begins one millisecond later.
 * `maxSamples` bounds what all selectors read together.
 */
export async function readSamples(
  expr: Expr,
  query: Steps,
  options: {
    readonly lookbackMs: number
    readonly defaultStepMs: number
    readonly maxSamples: number
    readonly select: SelectSamples
  }
): Promise<ReadonlyMap<VectorSelector, readonly RawSeries[]>> {
  const needs = new Needs(query, options.lookbackMs, options.defaultStepMs)
  needs.walk(expr, query)
  const found = new Map<VectorSelector, readonly RawSeries[]>()
  const known = new Map<string, readonly RawSeries[]>()
  let samples = 0
  for (const { selector, fromMs, toMs } of needs.list) {
    const key = JSON.stringify([selector.matchers, fromMs, toMs])
    const range = { startNs: BigInt(fromMs + 1) * NS_PER_MS, endNs: BigInt(toMs + 1) * NS_PER_MS }
    const series = known.get(key) ?? (toMs > fromMs ? await options.select(selector.matchers, range) : [])
    if (!known.has(key)) samples += series.reduce((total, { values }) => total + values.length, 0)
    if (samples > options.maxSamples) {
      throw new PromqlExecutionError('query processing would load too many samples into memory in query execution')
    }
    known.set(key, series)
    found.set(selector, series)
  }
  return found
}
