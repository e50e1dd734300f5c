import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import { type GridResult, readGrid } from '../../../query/promql/grid-bytes.js'
import { NAME } from '../../../query/promql/labels.js'
import { PromqlExecutionError } from '../../../query/promql/promql-error.js'
import type { PromqlQuery } from '../../../query/promql/promql-query.js'
import type { Expr } from '../../../query/promql/syntax/ast.js'
import { seesItsRequest } from './query-shape.js'
import { IncompleteRead, type Snapshot } from './snapshot.js'

/** The evaluation of PromQL. */
export type RunPromql = Pick<PromqlQuery, 'run' | 'parse'>

/** One series at all times. */
interface Line {
  readonly metric: string | undefined
  readonly labels: readonly Label[]
  readonly values: readonly (number | null)[]
}

/** Evaluates PromQL at times of one distance. The query has been parsed before. */
export class PromqlSource {
  readonly #promql: RunPromql

  constructor(promql: RunPromql) {
    this.#promql = promql
  }

  /** The vectors at these times. A scalar is an element without labels, as in a rule of Prometheus. */
  async snapshots(ns: Namespace, query: string, times: readonly number[], signal: AbortSignal): Promise<readonly Snapshot[]> {
    const expr = this.#promql.parse(query)
    const vectors = await this.vectors(ns, expr, times, signal)
    return vectors.map(elements => ({ elements, hasData: elements.length > 0 }))
  }

  /** Throws `IncompleteRead` when the store lacks samples, and the errors of `PromqlQuery.run`. */
  async vectors(
    ns: Namespace,
    expr: Expr,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly (readonly VectorElement[])[]> {
    if (times.length > 1 && seesItsRequest(expr)) {
      const each: (readonly VectorElement[])[] = []
      for (const time of times) each.push(...(await this.vectors(ns, expr, [time], signal)))
      return each
    }
    const lines = await this.#lines(ns, expr, times, signal)
    return times.map((_, i) => {
      return lines.flatMap(({ metric, labels, values }): readonly VectorElement[] => {
        const value = values[i]
        if (value === null || value === undefined) return []
        return [{ ...(metric !== undefined && { metric }), labels, value }]
      })
    })
  }

  async #lines(ns: Namespace, query: Expr, times: readonly number[], signal: AbortSignal): Promise<readonly Line[]> {
    const [startMs, second] = times as readonly [number, number?]
    const isRange = second !== undefined
    const steps = { startMs, stepMs: isRange ? second - startMs : 1, count: times.length }
    const result = readGrid(await this.#promql.run(ns, { query, steps, isRange, form: 'grid' }, signal))
    checkGrid(result)
    return result.lines.map(({ labels, values }) => {
      const metric = labels.find(({ name }) => name === NAME)?.value
      return { metric, labels: metric === undefined ? labels : labels.filter(({ name }) => name !== NAME), values }
    })
  }
}

function checkGrid({ hasGaps, isTruncated, hasHistograms, warnings }: GridResult): void {
  if (hasGaps || isTruncated) throw new IncompleteRead(warnings, 'samples are missing')
  if (hasHistograms)
    throw new PromqlExecutionError('the condition results in native histograms; use a quantile, the count or the sum')
}
