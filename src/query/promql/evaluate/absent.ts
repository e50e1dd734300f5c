import { type LabelSet, NAME, NO_LABELS } from '../labels.js'
import type { Expr } from '../syntax/ast.js'
import { emptySeries, type GridSeries } from './values.js'

/** The labels that an absent series would have had: those that the selector names once, with `=`. */
export function absentLabels(expr: Expr): LabelSet {
  if (expr.type === 'paren') return absentLabels(expr.expr)
  const selector = expr.type === 'matrix' ? expr.selector : expr
  if (selector.type !== 'selector') return NO_LABELS
  let labels = NO_LABELS
  const seen = new Set<string>([NAME])
  for (const { name, op, value } of selector.matchers) {
    if (name === NAME) continue
    labels = op === 'eq' && !seen.has(name) ? labels.with(name, value) : labels.without([name])
    seen.add(name)
  }
  return labels
}

/** 1 at the steps at which no series has a value. */
export function absentSeries(labels: LabelSet, series: readonly GridSeries[], count: number): GridSeries {
  const result = emptySeries(labels, count)
  for (let i = 0; i < count; i++) {
    if (series.some(({ present }) => present[i] === 1)) continue
    result.values[i] = 1
    result.present[i] = 1
  }
  return result
}
