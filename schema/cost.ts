import type { MetricQueryInput } from './metric.input.js'

/** Cost of a field that asks a store, in units of one leaf of an answer (`src/http/graphql-limits`). */
export const COST_OF_A_SEARCH = 500

/** Cost of a link that one store request answers for a whole page of rows. */
export const COST_OF_A_LINK = 5
/** Cost of a span beside a log: what its trace tells of it (offset, self time, logs) takes another request per trace. */
export const COST_OF_A_LINKED_SPAN = 250

const SERIES_PER_LINE = 50
const POINTS = 300
/** A list of numbers costs about a tenth of as many fields. */
const POINTS_PER_LEAF = 10

function countOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && value > 0 ? value : fallback
}

/** One search, and lines as a chart usually has them. */
export function costOfPromql({ args }: { readonly args: { readonly maxPoints?: unknown } }): number {
  return COST_OF_A_SEARCH + (SERIES_PER_LINE * countOf(args.maxPoints, POINTS)) / POINTS_PER_LEAF
}

/** Lines are searches of their own; each may answer `limit` series of `maxPoints` numbers. */
export function costOfMetricRange({
  args
}: {
  readonly args: { readonly queries?: unknown; readonly maxPoints?: unknown }
}): number {
  const lines: readonly unknown[] = Array.isArray(args.queries) ? args.queries : [args.queries]
  const series = lines.reduce<number>(
    (sum, line) => sum + countOf((line as Partial<MetricQueryInput> | null | undefined)?.limit, SERIES_PER_LINE),
    0
  )
  return lines.length * COST_OF_A_SEARCH + (series * countOf(args.maxPoints, POINTS)) / POINTS_PER_LEAF
}
