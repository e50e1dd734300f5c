import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import type { Expr, VectorSelector } from '../syntax/ast.js'
import { infoSelector } from './info-selector.js'
import { type Steps, timeOf } from './values.js'

const NS_PER_MS = 1_000_000n

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
  readonly windowMs: number
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
        if (expr.name === 'info') {
          this.walk(expr.args[0]!, steps)
          return this.#add(infoSelector(expr), steps, this.#lookbackMs)
        }
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
    this.list.push({ selector, windowMs: beforeMs, fromMs, toMs })
  }
}

/** Samples that a query needs. */
export interface Read {
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  /** How long the windows are that are looked at. */
  readonly windowMs: number
}

/** What a query reads, the same only once, and which of it each selector means. */
export interface Reads {
  readonly list: readonly Read[]
  readonly indexOf: ReadonlyMap<VectorSelector, number>
}

/** Plans what a query reads. Ranges are open on the left, so a range begins one millisecond later. */
export function planReads(
  expr: Expr,
  query: Steps,
  options: { readonly lookbackMs: number; readonly defaultStepMs: number }
): Reads {
  const needs = new Needs(query, options.lookbackMs, options.defaultStepMs)
  needs.walk(expr, query)
  const list: Read[] = []
  const indexOf = new Map<VectorSelector, number>()
  const known = new Map<string, number>()
  for (const { selector, windowMs, fromMs, toMs } of needs.list) {
    if (toMs <= fromMs) continue
    const key = JSON.stringify([selector.matchers, windowMs, fromMs, toMs])
    const index = known.get(key) ?? list.length
    known.set(key, index)
    indexOf.set(selector, index)
    if (index < list.length) continue
    const range = { startNs: BigInt(fromMs + 1) * NS_PER_MS, endNs: BigInt(toMs + 1) * NS_PER_MS }
    list.push({ matchers: selector.matchers, range, windowMs })
  }
  return { list, indexOf }
}
