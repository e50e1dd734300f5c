import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher, SampleWindows } from '../../../ports/metric-store.js'
import type { Expr, MatrixSelector, VectorSelector } from '../syntax/ast.js'
import { infoSelector } from './info-selector.js'
import { fixedTime, shiftedTime, subquerySteps } from './step-times.js'
import { type Steps, timeOf } from './values.js'
import { neededBy, type WindowNeed, windowsOf } from './window-needs.js'

const NS_PER_MS = 1_000_000n

interface Need {
  readonly selector: VectorSelector
  readonly windowMs: number
  readonly stepMs: number | null
  readonly fromMs: number
  readonly toMs: number
  readonly windows: SampleWindows | null
}

/** What a selector looks at around the time of a step, milliseconds. */
interface Look {
  /** Length of the window itself, without what an extended one sees around it. */
  readonly windowMs: number
  readonly beforeMs: number
  readonly afterMs: number
  readonly what: WindowNeed
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

  /** `by` is the function that takes the expression. */
  walk(expr: Expr, steps: Steps, by?: string): void {
    switch (expr.type) {
      case 'selector':
        return this.#addSelector(expr, steps, by !== 'timestamp')
      case 'matrix':
        return this.#addRange(expr, steps, by)
      case 'subquery': {
        const rangeEnd = shiftedTime(steps, fixedTime(expr.at, this.#query), expr.offsetMs)
        const inner = subquerySteps(expr, steps, { defaultStepMs: this.#defaultStepMs, rangeEnd })
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
          return this.#addSelector(infoSelector(expr), steps, false)
        }
        for (const arg of expr.args) this.walk(arg, steps, expr.name)
        return undefined
      case 'paren':
      case 'unary':
        return this.walk(expr.expr, steps, by)
      default:
    }
  }

  #addSelector(selector: VectorSelector, steps: Steps, isTimeFree: boolean): void {
    const windowMs = this.#lookbackMs
    const what: WindowNeed = { keep: 'last', ...(isTimeFree && { isTimeFree }) }
    if (selector.extension !== 'smoothed') return this.#add(selector, steps, { windowMs, beforeMs: windowMs, afterMs: 0, what })
    this.#add(selector, steps, { windowMs, beforeMs: windowMs, afterMs: windowMs, what: { keep: 'all' } })
  }

  /** An extended range sees, next to its windows, as far back as the lookback, and as far ahead if it is smoothed. */
  #addRange(matrix: MatrixSelector, steps: Steps, by: string | undefined): void {
    const { selector, rangeMs } = matrix
    const window = { windowMs: rangeMs, beforeMs: rangeMs, afterMs: 0, what: neededBy(by, matrix) }
    if (selector.extension === undefined) return this.#add(selector, steps, window)
    const beforeMs = rangeMs + this.#lookbackMs
    const afterMs = selector.extension === 'smoothed' ? this.#lookbackMs : 0
    this.#add(selector, steps, { windowMs: rangeMs, beforeMs, afterMs, what: { keep: 'all' } })
  }

  #add(selector: VectorSelector, steps: Steps, { windowMs, beforeMs, afterMs, what }: Look): void {
    const fixedMs = fixedTime(selector.at, this.#query)
    const shiftMs = afterMs - selector.offsetMs
    const fromMs = (fixedMs ?? steps.startMs) - selector.offsetMs - beforeMs
    const toMs = (fixedMs ?? timeOf(steps, steps.count - 1)) + shiftMs
    const windows = fixedMs === null ? windowsOf(steps, shiftMs, beforeMs + afterMs, what) : null
    const stepMs = steps.count > 1 && fixedMs === null ? steps.stepMs : null
    this.list.push({ selector, windowMs, stepMs, fromMs, toMs, windows })
  }
}

/** Samples that a query needs. */
export interface Read {
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  /** Length of the windows that functions look at, without what extended ones see around them. */
  readonly windowMs: number
  /** Distance of these windows; absent when there is one. */
  readonly stepMs?: number
  /** Where the query looks within a long range; absent: everywhere. */
  readonly windows?: SampleWindows
}

/** What a query reads, each read once, and which read each selector means. */
export interface Reads {
  readonly list: readonly Read[]
  readonly indexOf: ReadonlyMap<VectorSelector, number>
}

/** Plans what a query reads. Ranges are open on the left, so a range begins one millisecond later. */
export function planReads(
  expr: Expr,
  query: Steps,
  options: { readonly lookbackMs: number; readonly defaultStepMs: number; readonly wholeReadMs: number }
): Reads {
  const needs = new Needs(query, options.lookbackMs, options.defaultStepMs)
  needs.walk(expr, query)
  const list: Read[] = []
  const indexOf = new Map<VectorSelector, number>()
  const known = new Map<string, number>()
  for (const { selector, windowMs, stepMs, fromMs, toMs, ...need } of needs.list) {
    if (toMs <= fromMs) continue
    const windows = toMs - fromMs > options.wholeReadMs ? need.windows : null
    const key = JSON.stringify([selector.matchers, windowMs, stepMs, fromMs, toMs, windows])
    const index = known.get(key) ?? list.length
    known.set(key, index)
    indexOf.set(selector, index)
    if (index < list.length) continue
    const range = { startNs: BigInt(fromMs + 1) * NS_PER_MS, endNs: BigInt(toMs + 1) * NS_PER_MS }
    list.push({ matchers: selector.matchers, range, windowMs, ...(stepMs !== null && { stepMs }), ...(windows && { windows }) })
  }
  return { list, indexOf }
}
