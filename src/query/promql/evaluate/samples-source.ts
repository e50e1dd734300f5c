import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import { LabelSet } from '../labels.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Expr, VectorSelector } from '../syntax/ast.js'
import { type RawSeries, type Steps, timeOf } from './values.js'

const NS_PER_MS = 1_000_000n
const TWO_TO_32 = 4_294_967_296
// A double holds today's nanoseconds to 256 of them: half of that keeps whole milliseconds whole.
const HALF_ULP_NS = 512

/** Reads the samples that match, within a bound of its own for series and samples. */
export type SelectSamples = (matchers: readonly LabelMatcher[], range: TimeRange) => Promise<readonly SeriesSamples[]>

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

/** Milliseconds of a sample's time, without a bigint for each. */
function toMilliseconds(timestampsNs: BigInt64Array): Float64Array {
  const words = new Int32Array(timestampsNs.buffer, timestampsNs.byteOffset, timestampsNs.length * 2)
  const times = new Float64Array(timestampsNs.length)
  for (let i = 0; i < times.length; i++) {
    const ns = words[2 * i + 1]! * TWO_TO_32 + (words[2 * i]! >>> 0)
    times[i] = Math.floor((ns + HALF_ULP_NS) / 1e6)
  }
  return times
}

function toRaw({ name, labels, timestampsNs, values }: SeriesSamples): RawSeries {
  return { labels: LabelSet.ofSeries(name, labels), times: toMilliseconds(timestampsNs), values }
}

/**
 * Reads what a query needs, once per selector: ranges are open on the left, so a range begins one millisecond later.
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
  let samples = 0
  for (const { selector, fromMs, toMs } of needs.list) {
    const range = { startNs: BigInt(fromMs + 1) * NS_PER_MS, endNs: BigInt(toMs + 1) * NS_PER_MS }
    const series = range.endNs > range.startNs ? await options.select(selector.matchers, range) : []
    samples += series.reduce((total, { values }) => total + values.length, 0)
    if (samples > options.maxSamples) {
      throw new PromqlExecutionError('query processing would load too many samples into memory in query execution')
    }
    found.set(selector, series.filter(({ values }) => values.length > 0).map(toRaw))
  }
  return found
}
