import type { TimeRange } from '../domain/time-range.js'
import type { LabelMatcher } from '../ports/metric-store.js'
import type { Grid } from './result.js'
import type { LineAggregation } from './metric-line.js'
import type { Steps } from './promql/evaluate/values.js'
import type { Expr, MatrixSelector } from './promql/syntax/ast.js'

/** One line of a chart, as PromQL. */
export interface MetricExpression {
  readonly expr: Expr
  readonly steps: Steps
  /** The range that the selector reads; times are `shiftNs` after those of the expression. */
  readonly range: TimeRange
  readonly shiftNs: bigint
}

const MS_NS = 1_000_000n
const NOWHERE = { start: 0, end: 0 } as const
const OVER_TIME = {
  avg: 'avg_over_time',
  sum: 'sum_over_time',
  min: 'min_over_time',
  max: 'max_over_time',
  count: 'count_over_time',
  last: 'last_over_time'
} as const satisfies Partial<Record<LineAggregation, string>>
const QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const satisfies Partial<Record<LineAggregation, number>>

/** Whether the aggregation is one of how a counter rises. */
export function isRate(aggregation: LineAggregation): aggregation is 'rate' | 'increase' {
  return aggregation === 'rate' || aggregation === 'increase'
}

function call(name: string, args: readonly Expr[]): Expr {
  return { type: 'call', name, args, position: NOWHERE }
}

function toMs(ns: bigint): number {
  return Number(ns / MS_NS) + Number(ns % MS_NS) / Number(MS_NS)
}

function matrixOf(matchers: readonly LabelMatcher[], grid: Grid, rest: Pick<MatrixSelector, 'pooledBy' | 'within'>): Expr {
  const selector = { type: 'selector', name: null, matchers, offsetMs: 0, at: null, position: NOWHERE } as const
  return { type: 'matrix', selector, rangeMs: Number(grid.stepNs / MS_NS), position: NOWHERE, ...rest }
}

/**
 * The expression of one line: a function of the range of each bucket, evaluated at its end. All but rates look at the
 * samples of a whole group in `[t, t + step)`, which ends a millisecond before the next bucket, since ranges of PromQL are
 * open on the left; rates are those of each series in `(t, t + step]`, summed over the group, the first and the last
 * bucket cut to the window.
 */
export function metricExpression(
  line: {
    readonly matchers: readonly LabelMatcher[]
    readonly aggregation: LineAggregation
    readonly by?: readonly string[] | undefined
  },
  grid: Grid,
  range: TimeRange
): MetricExpression {
  const { matchers, aggregation, by } = line
  const shiftNs = grid.startNs % MS_NS
  const stepMs = Number(grid.stepNs / MS_NS)
  const firstEndMs = Number((grid.startNs - shiftNs) / MS_NS) + stepMs
  if (isRate(aggregation)) {
    const within = { startMs: toMs(range.startNs - shiftNs), endMs: toMs(range.endNs - shiftNs) }
    const rate = call(aggregation, [matrixOf(matchers, grid, { within })])
    const sum: Expr = {
      type: 'aggregation',
      op: 'sum',
      expr: rate,
      param: null,
      grouping: by ?? [],
      isWithout: false,
      position: NOWHERE
    }
    return {
      expr: by === undefined ? rate : sum,
      steps: { startMs: firstEndMs, stepMs, count: grid.length },
      // Prometheus's ranges are open at the start and closed at the end.
      range: { startNs: range.startNs + 1n, endNs: range.endNs + 1n },
      shiftNs
    }
  }
  const matrix = matrixOf(matchers, grid, by === undefined ? {} : { pooledBy: by })
  return { expr: overTime(aggregation, matrix), steps: { startMs: firstEndMs - 1, stepMs, count: grid.length }, range, shiftNs }
}

function overTime(aggregation: Exclude<LineAggregation, 'rate' | 'increase'>, matrix: Expr): Expr {
  if (aggregation in OVER_TIME) return call(OVER_TIME[aggregation as keyof typeof OVER_TIME], [matrix])
  const value = QUANTILES[aggregation as keyof typeof QUANTILES]
  return call('quantile_over_time', [{ type: 'number', value, isDuration: false, position: NOWHERE }, matrix])
}
