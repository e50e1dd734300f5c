import type { Exemplar } from '../../domain/exemplar.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { ExemplarStore } from '../../ports/metric-notes.js'
import { keptRange } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { readQuery } from './run-query.js'
import { LabelSet } from './labels.js'
import { PromqlBadQuery } from './promql-error.js'
import type { Expr, VectorSelector } from './syntax/ast.js'

/** The selectors of an expression, in the order of the expression. */
function selectorsOf(expr: Expr): readonly VectorSelector[] {
  switch (expr.type) {
    case 'selector':
      return [expr]
    case 'matrix':
      return [expr.selector]
    case 'binary':
      return [...selectorsOf(expr.lhs), ...selectorsOf(expr.rhs)]
    case 'aggregation':
      return [...(expr.param === null ? [] : selectorsOf(expr.param)), ...selectorsOf(expr.expr)]
    case 'call':
      return expr.args.flatMap(selectorsOf)
    case 'subquery':
    case 'paren':
    case 'unary':
      return selectorsOf(expr.expr)
    default:
      return []
  }
}

/** The limit of exemplars of one selector; older ones are left out, and the result is marked so. */
const MAX_EXEMPLARS = 5_000
const MAX_SELECTORS = 20

/** The exemplars of one series, by time. */
export interface SeriesExemplars {
  readonly series: LabelSet
  readonly exemplars: readonly Exemplar[]
}

/** Dependencies of `PromqlExemplars`. */
export interface PromqlExemplarsDeps {
  readonly exemplars: Pick<ExemplarStore, 'select'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

/** Finds exemplars of the series that a query selects, as Prometheus's `query_exemplars` does. */
export class PromqlExemplars {
  readonly #deps: PromqlExemplarsDeps

  constructor(deps: PromqlExemplarsDeps) {
    this.#deps = deps
  }

  /** Series with exemplars in the window, sorted by their labels. Throws `PromqlBadQuery`. */
  async find(
    ns: Namespace,
    query: string,
    range: TimeRange
  ): Promise<{ readonly series: readonly SeriesExemplars[]; readonly hasMore: boolean }> {
    const { exemplars, clock, settings } = this.#deps
    const selectors = selectorsOf(readQuery(query, settings))
    if (selectors.length > MAX_SELECTORS)
      throw new PromqlBadQuery(`a query for exemplars must not exceed ${MAX_SELECTORS} selectors`)
    const kept = keptRange(range, { namespace: ns, signal: 'metrics', nowNs: clock.nowNs() })
    const found = new Map<string, SeriesExemplars>()
    let hasMore = false
    // A selector that occurs twice in the query is read once.
    const distinct = new Map(selectors.map(({ matchers }) => [JSON.stringify(matchers), matchers]))
    for (const matchers of distinct.values()) {
      const result = await exemplars.select(ns.id, { matchers, range: kept, limit: MAX_EXEMPLARS })
      hasMore ||= result.hasMore
      for (const [key, series] of bySeries(result.exemplars)) found.set(key, series)
    }
    return { series: [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series), hasMore }
  }
}

function bySeries(exemplars: readonly Exemplar[]): Map<string, SeriesExemplars> {
  const all = new Map<string, { series: LabelSet; exemplars: Exemplar[] }>()
  for (const exemplar of exemplars) {
    const series = LabelSet.ofSeries(exemplar.name, exemplar.labels)
    const one = all.get(series.key)
    if (one === undefined) all.set(series.key, { series, exemplars: [exemplar] })
    else one.exemplars.push(exemplar)
  }
  return all
}
