import { parseDurationNs } from '../src/domain/duration.js'
import { regexSize } from '../src/domain/regex.js'
import { classesCost } from '../src/domain/regex-classes.js'
import { resolveWindow } from '../src/domain/time-range.js'
import { MAX_CHOSEN } from '../src/query/choose-facets.js'
import type { MetricQueryInput } from './metric.args.js'

/** Cost of a field that queries a store, in units of one leaf of a result (`src/http/graphql-limits`). */
export const COST_OF_A_SEARCH = 500

/** Cost of a rule that is evaluated over the past: some hundred evaluations a second. */
export const COST_OF_A_BACKTEST = 10 * COST_OF_A_SEARCH

/** Cost of a comparison: samples of both sides, and counts of some forty fields of each. */
export const COST_OF_A_COMPARISON = 10 * COST_OF_A_SEARCH

/** Cost of a link that one store request loads for a whole page of rows. */
export const COST_OF_A_LINK = 5
/** Cost of a detail of a pattern: one search has all details of one. */
export const COST_OF_A_PATTERN = 100
/** Cost of the state of a saved view, up to 16 KiB: one request lists all views of a namespace once. */
export const COST_OF_A_STATE = 60
/** Cost of a span next to a log: its place in the trace (offset, self time, logs) takes another request per trace. */
export const COST_OF_A_LINKED_SPAN = 250

/** Lists of an outline, and the spans that one is computed with: a fourth of the most that are read. */
const OUTLINE_LISTS = 8
const OUTLINE_SPANS = 5_000

/** Buckets of duration of a heat map, and, by default, of time. */
const HEATMAP_ROWS = 56
const HEATMAP_COLUMNS = 60

/** Default number of traces of a scatter chart, and its lists. */
const TRACE_POINTS = 2_000
const POINT_LISTS = 4

const SERIES_PER_LINE = 50
const POINTS = 300
/** A chart of more is refused for that, with the step that would do. */
const MOST_POINTS = 11_000
const NS_PER_MS = 1_000_000n
/** A list of numbers costs about a tenth of as many fields. */
const POINTS_PER_LEAF = 10

/** Queries and regexes are read at once for all fields of a request, which delays everybody. */
const COST_OF_A_CHARACTER = 2
const COST_OF_AN_INSTRUCTION = 4

function countOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && value > 0 ? value : fallback
}

/** What decides how many points a series of a chart has, as it was sent. */
interface ChartArgs {
  readonly maxPoints?: unknown
  readonly step?: unknown
  readonly range?: unknown
}

/** Points of a series: those that the step makes of the range, else as many as there may be. */
function pointsOf({ maxPoints, step, range }: ChartArgs): number {
  const stepNs = typeof step === 'string' ? parseDurationNs(step) : null
  if (stepNs === null || stepNs === 0n || typeof range !== 'object' || range === null) return countOf(maxPoints, POINTS)
  const { from, to } = range as { readonly from?: unknown; readonly to?: unknown }
  try {
    const { startNs, endNs } = resolveWindow(from, to, BigInt(Date.now()) * NS_PER_MS, 0)
    return Math.min(Number((endNs - startNs) / stepNs), MOST_POINTS)
  } catch {
    // The resolver rejects an invalid range.
    return POINTS
  }
}

/** Cost of all spans of a trace as parallel lists. */
export const COST_OF_AN_OUTLINE = COST_OF_A_SEARCH + (OUTLINE_LISTS * OUTLINE_SPANS) / POINTS_PER_LEAF

/** A search, and its counts by time and duration. */
export function costOfHeatmap({ args }: { readonly args: { readonly buckets?: unknown } }): number {
  return COST_OF_A_SEARCH + (countOf(args.buckets, HEATMAP_COLUMNS) * HEATMAP_ROWS) / POINTS_PER_LEAF
}

/** A search, and its traces as parallel lists. */
export function costOfPoints({ args }: { readonly args: { readonly limit?: unknown } }): number {
  return COST_OF_A_SEARCH + (countOf(args.limit, TRACE_POINTS) * POINT_LISTS) / POINTS_PER_LEAF
}

/** The four charts of a host, each of some expressions. */
export const COST_OF_HOST_SERIES = 4 * COST_OF_A_SEARCH

/** Lines of a chart: each is a search of its own, and each series a list of as many numbers as the chart has points. */
function costOfLines(lines: number, series: number, points: number): number {
  return lines * COST_OF_A_SEARCH + (series * points) / POINTS_PER_LEAF
}

function isRegex(op: unknown): boolean {
  return op === 'REGEX' || op === 'NOT_REGEX'
}

/** Conditions on labels by what their regexes cost to be read. */
function costOfConditions(match: unknown): number {
  const conditions: readonly unknown[] = Array.isArray(match) ? match : [match]
  return conditions.reduce<number>((sum, condition) => {
    const { op, value } = (condition ?? {}) as { readonly op?: unknown; readonly value?: unknown }
    if (!isRegex(op) || typeof value !== 'string') return sum
    return sum + (regexSize(value) + classesCost(value)) * COST_OF_AN_INSTRUCTION
  }, 0)
}

/** One line, of as many series as one of `metricRange` has by default. Values of one time are one point each. */
export function costOfPromql({ args }: { readonly args: ChartArgs & { readonly query?: unknown } }): number {
  const chars = typeof args.query === 'string' ? args.query.length : 0
  return costOfLines(1, SERIES_PER_LINE, args.range == null ? 1 : pointsOf(args)) + chars * COST_OF_A_CHARACTER
}

/** Parsing a query. */
export function costOfValidation({ args }: { readonly args: { readonly text?: unknown } }): number {
  return 1 + (typeof args.text === 'string' ? args.text.length : 0) * COST_OF_A_CHARACTER
}

/** A search, and its conditions. */
export function costOfMetricLabels({ args }: { readonly args: { readonly match?: unknown } }): number {
  return COST_OF_A_SEARCH + costOfConditions(args.match)
}

/** Each of the lines may return `limit` series. */
export function costOfMetricRange({ args }: { readonly args: ChartArgs & { readonly queries?: unknown } }): number {
  const lines: readonly unknown[] = Array.isArray(args.queries) ? args.queries : [args.queries]
  const series = lines.reduce<number>(
    (sum, line) => sum + countOf((line as Partial<MetricQueryInput> | null | undefined)?.limit, SERIES_PER_LINE),
    0
  )
  const conditions = lines.reduce<number>(
    (sum, line) => sum + costOfConditions((line as Partial<MetricQueryInput> | null | undefined)?.match),
    0
  )
  return costOfLines(lines.length, series, pointsOf(args)) + conditions
}

/** A search that selects fields from the records, and counts of up to 18 fields at once. */
const SEARCHES_OF_SUGGESTED_FACETS = 5
/** Default number of values of a suggested facet, and the leaves of each. */
const SUGGESTED_VALUES = 10
const LEAVES_OF_A_VALUE = 3

/** Selects fields and counts them, and lists values of each. */
export function costOfSuggestedFacets({ args }: { readonly args: { readonly limit?: unknown } }): number {
  const values = MAX_CHOSEN * countOf(args.limit, SUGGESTED_VALUES)
  return SEARCHES_OF_SUGGESTED_FACETS * COST_OF_A_SEARCH + values * LEAVES_OF_A_VALUE
}

/** Default number of groups of an aggregation. */
const AGGREGATE_GROUPS = 20
const AGGREGATE_BUCKETS = 1_000

/** Searches for groups and values, and a list of numbers for each group and measure. */
export function costOfAggregate({ args }: { readonly args: { readonly input?: unknown } }): number {
  const { limit, buckets, step, measures } = (args.input ?? {}) as Readonly<Record<string, unknown>>
  const points = step == null && buckets == null ? 1 : Math.min(countOf(buckets, AGGREGATE_BUCKETS), AGGREGATE_BUCKETS)
  const lists = countOf(limit, AGGREGATE_GROUPS) * (Array.isArray(measures) ? measures.length : 1)
  return 2 * COST_OF_A_SEARCH + (lists * points) / POINTS_PER_LEAF
}
