import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import { NAME } from '../../../query/promql/labels.js'
import type { Expr, VectorSelector } from '../../../query/promql/syntax/ast.js'

const NOWHERE = { start: 0, end: 0 }

function over(name: string, selector: VectorSelector, rangeMs: number): Expr {
  return { type: 'call', name, args: [{ type: 'matrix', selector, rangeMs, position: NOWHERE }], position: NOWHERE }
}

/** `last_over_time(selector[range])`: the last value of each series that had one. */
export function lastValues(selector: VectorSelector, rangeMs: number): Expr {
  return over('last_over_time', selector, rangeMs)
}

/**
 * `group by (label) (last_over_time({label="name"}[range]))`: values of a label of series that had samples. Other functions drop
 * the names of metrics, and several metrics of one source have equal labels.
 */
export function sourcesExpression(label: 'host' | 'service', name: string | null, rangeMs: number): Expr {
  const matcher: LabelMatcher = name === null ? { name: label, op: 'neq', value: '' } : { name: label, op: 'eq', value: name }
  const selector: VectorSelector = { type: 'selector', name: null, matchers: [matcher], offsetMs: 0, at: null, position: NOWHERE }
  const expr = over('last_over_time', selector, rangeMs)
  return { type: 'aggregation', op: 'group', expr, param: null, grouping: [label], isWithout: false, position: NOWHERE }
}

/** What `absent()` results in: labels of the equality matchers, but those of a label that has several. */
export function emptyExpression({ matchers }: VectorSelector): VectorElement {
  const labels = matchers
    .filter(({ name, op, value }) => {
      return name !== NAME && op === 'eq' && value !== '' && matchers.filter(other => other.name === name).length === 1
    })
    .map(({ name, value }) => ({ name, value }))
  return { labels: labels.sort((a, b) => (a.name < b.name ? -1 : 1)), value: 1 }
}
