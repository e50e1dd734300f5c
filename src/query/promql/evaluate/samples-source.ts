import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher, SampleWindows, WindowFold } from '../../../ports/metric-store.js'
import type { Expr, MatrixSelector, VectorSelector } from '../syntax/ast.js'
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
  return at === 'end' ? (query.endMs ?? timeOf(query, query.count - 1)) : at.atMs
}

type Keep = SampleWindows['keep']

/** What the store may make of a window for a function. */
const FOLDS: ReadonlyMap<string, WindowFold> = new Map<string, WindowFold>([
  ['avg_over_time', 'mean'],
  ['count_over_time', 'count'],
  ['sum_over_time', 'sum']
])

/** What functions of a range need of each window, where that is less than all of it. */
const KEEPS: ReadonlyMap<string, Keep> = new Map<string, Keep>([
  ...FOLDS,
  ['absent_over_time', 'last'],
  ['first_over_time', 'first'],
  ['last_over_time', 'last'],
  ['max_over_time', 'highest'],
  ['min_over_time', 'lowest'],
  ['present_over_time', 'last'],
  ['ts_of_first_over_time', 'first'],
  ['ts_of_last_over_time', 'last']
])

/** Functions of a range whose value says nothing of the times of samples. */
function isTimeFree(name: string): boolean {
  return KEEPS.has(name) && !FOLDS.has(name) && !name.startsWith('ts_of_')
}

type What = Pick<SampleWindows, 'keep' | 'isTimeFree'>

/** What a function needs of the windows of a range. Those of several series are folded together by nobody but evaluation. */
function neededBy(name: string | undefined, { pooledBy, within }: MatrixSelector): What {
  const keep = (name !== undefined && KEEPS.get(name)) || 'all'
  if (pooledBy !== undefined) return { keep: [...FOLDS.values()].some(fold => fold === keep) ? 'all' : keep }
  return name !== undefined && within === undefined && isTimeFree(name) ? { keep, isTimeFree: true } : { keep }
}

/** Longer steps are not worth leaving out what lies between them, and their nanoseconds would not fit into 64 bits. */
const LONGEST_STEP_MS = 1e12

/** The windows of a selector, where anything lies beside them that need not be read. */
function windowsOf({ startMs, stepMs, count }: Steps, shiftMs: number, lengthMs: number, what: What): SampleWindows | null {
  const windows = { firstEndMs: startMs + shiftMs, stepMs, lengthMs, ...what }
  const isWhole = [windows.firstEndMs, stepMs, lengthMs].every(Number.isSafeInteger)
  const isLooser = lengthMs < stepMs || (lengthMs === stepMs && what.keep !== 'all')
  return isWhole && count > 1 && isLooser && stepMs <= LONGEST_STEP_MS ? windows : null
}

interface Need {
  readonly selector: VectorSelector
  readonly windowMs: number
  readonly fromMs: number
  readonly toMs: number
  readonly windows: SampleWindows | null
}

/** What a selector looks at around the time of a step. */
interface Look {
  /** The window that is meant, without what is seen beside it. */
  readonly windowMs: number
  readonly beforeMs: number
  readonly afterMs: number
  readonly what: What
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
    const what: What = { keep: 'last', ...(isTimeFree && { isTimeFree }) }
    if (selector.extension !== 'smoothed') return this.#add(selector, steps, { windowMs, beforeMs: windowMs, afterMs: 0, what })
    this.#add(selector, steps, { windowMs, beforeMs: windowMs, afterMs: windowMs, what: { keep: 'all' } })
  }

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
    this.list.push({ selector, windowMs, fromMs, toMs, windows })
  }
}

/** Samples that a query needs. */
export interface Read {
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  /** How long the windows are that are looked at. */
  readonly windowMs: number
  /** Where in a long range they lie, when not all of it is looked at. */
  readonly windows?: SampleWindows
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
  options: { readonly lookbackMs: number; readonly defaultStepMs: number; readonly wholeReadMs: number }
): Reads {
  const needs = new Needs(query, options.lookbackMs, options.defaultStepMs)
  needs.walk(expr, query)
  const list: Read[] = []
  const indexOf = new Map<VectorSelector, number>()
  const known = new Map<string, number>()
  for (const { selector, windowMs, fromMs, toMs, ...need } of needs.list) {
    if (toMs <= fromMs) continue
    const windows = toMs - fromMs > options.wholeReadMs ? need.windows : null
    const key = JSON.stringify([selector.matchers, windowMs, fromMs, toMs, windows])
    const index = known.get(key) ?? list.length
    known.set(key, index)
    indexOf.set(selector, index)
    if (index < list.length) continue
    const range = { startNs: BigInt(fromMs + 1) * NS_PER_MS, endNs: BigInt(toMs + 1) * NS_PER_MS }
    list.push({ matchers: selector.matchers, range, windowMs, ...(windows && { windows }) })
  }
  return { list, indexOf }
}
