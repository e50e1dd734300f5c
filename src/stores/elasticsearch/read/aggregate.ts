import type { AggregateRequest, AggregateResult, AggregateRow, AggregateValues, Measure } from '../../../domain/aggregate.js'
import { compareKeys } from '../../../domain/string-order.js'
import type { DocumentKind } from '../document/field-names.js'
import { groupsCut, type ListedGroup, listGroups, MAX_LISTED_VALUES } from './aggregate-groups.js'
import { errorOf, keepsValues, Measures } from './aggregate-measures.js'
import { decidedQuery } from './decider.js'
import { gridAggregation, gridBuckets, gridRange, overlap } from './grid.js'
import { type Counted, countGroups } from './key-groups.js'
import type { SearchContext } from './pages.js'
import { ALL, every, none, type Query } from './query.js'
import { timeClause } from './scope.js'
import type { Aggregations } from './search-engine.js'

/** Groups that are ranked by a measure; each is computed by a filter of its own. */
export const MAX_RANKED_GROUPS = 1_000
/** Buckets of one request in which the engine keeps values: of exact measures and of estimates. */
const VALUED_AT_ONCE = { exact: 100, estimated: 500 }
/** Different values of one bucket: together fewer than the engine's limit of buckets. */
const MAX_VALUES = 50_000
const MAX_VALUES_OF_BUCKET = 5_000
/** What `countGroups` puts into one request. */
const BUCKETS_AT_ONCE = 30_000

/** Measures that are computed of groups of records. */
interface Portion extends Pick<AggregateRequest, 'grid' | 'exact'> {
  readonly kind: DocumentKind
  readonly measures: readonly Measure[]
}

/** The aggregations of a group: measures of all of its records, and of each bucket of the grid. */
function groupAggregations({ scope }: SearchContext, { grid }: Portion, { aggregations }: Measures): Aggregations {
  if (!grid) return aggregations
  const { startNs, endNs } = gridRange(grid)
  const coversRange = startNs <= scope.range.startNs && endNs >= scope.range.endNs
  const inGrid = coversRange ? ALL : timeClause(overlap(scope.range, grid))
  return { ...aggregations, inGrid: { filter: inGrid, aggs: { grid: { ...gridAggregation(grid), aggs: aggregations } } } }
}

function valuesOf({ grid }: Portion, measures: Measures, found: Counted | undefined): AggregateValues {
  const values = measures.read(found)
  if (!grid) return { values }
  const inGrid = found?.['inGrid'] as Counted | undefined
  const buckets = gridBuckets(grid, inGrid?.['grid']).map(bucket => measures.read(bucket))
  return { values, series: values.map((_, i) => buckets.map(each => each[i]!)) }
}

/** The measures of each group, in the order of the groups. */
async function measureGroups(
  context: SearchContext,
  groups: readonly { readonly query: Query }[],
  portion: Portion
): Promise<readonly AggregateValues[]> {
  const { grid, exact, kind } = portion
  const cells = 1 + (grid?.count ?? 0)
  const atOnce = exact ? VALUED_AT_ONCE.exact : VALUED_AT_ONCE.estimated
  const isValued = portion.measures.some(keepsValues)
  const together = Math.max(cells, Math.min(atOnce, cells * groups.length))
  const cap = exact ? Math.min(MAX_VALUES_OF_BUCKET, Math.floor(MAX_VALUES / together)) : MAX_VALUES_OF_BUCKET
  const measures = new Measures({ measures: portion.measures, kind, exact, cap })
  const counted = await countGroups(context, groups, {
    buckets: cells * (isValued ? Math.ceil(BUCKETS_AT_ONCE / atOnce) : 1 + portion.measures.length),
    aggregationsOf: () => groupAggregations(context, portion, measures)
  })
  const byGroup = new Map(counted.map(({ group, found }) => [group, found]))
  return groups.map(group => valuesOf(portion, measures, byGroup.get(group)))
}

interface RankedGroups {
  readonly groups: readonly ListedGroup[]
  readonly total: number
  /** Only so many groups were ranked; null when all were. */
  readonly cut: number | null
}

/** The best groups of a request by its measure. */
async function rankGroups(
  context: SearchContext,
  { kind, query, request }: { readonly kind: DocumentKind; readonly query: Query; readonly request: AggregateRequest }
): Promise<RankedGroups> {
  const { measures, rankBy, limit, exact } = request
  const { groups: listed, isCut } = await listGroups(context, { kind, query, request })
  const by = measures[rankBy.measure]!
  const isByRows = by.kind === 'count' && by.field === undefined
  const compared = isByRows ? listed : listed.slice(0, MAX_RANKED_GROUPS)
  const values = isByRows
    ? compared.map(({ count }) => count)
    : (await measureGroups(context, compared, { kind, exact, measures: [by] })).map(each => each.values[0]!)
  const ranked = compared
    .map((group, i) => ({ group, value: values[i]! }))
    .toSorted((a, b) => {
      if (a.value === b.value) return compareKeys(a.group.key, b.group.key)
      if (a.value === null || b.value === null) return a.value === null ? 1 : -1
      return rankBy.order === 'asc' ? a.value - b.value : b.value - a.value
    })
  const areMissing = isCut || compared.length < listed.length
  return {
    groups: ranked.slice(0, limit).map(({ group }) => group),
    total: listed.length,
    cut: areMissing ? (isByRows ? MAX_LISTED_VALUES : MAX_RANKED_GROUPS) : null
  }
}

/** Measures by groups and over time. Percentiles and distinct counts of many values are estimates, unless that is refused. */
export async function aggregateRecords(
  context: SearchContext,
  kind: DocumentKind,
  request: AggregateRequest
): Promise<AggregateResult> {
  const query = await decidedQuery(context, kind, request.filter)
  const portion: Portion = { ...request, kind }
  const relativeError = errorOf(request)
  if (request.groupBy.length === 0) {
    const [values] = await measureGroups(context, [{ query }], portion)
    const whole = { other: null, groups: { value: 1, relation: 'eq' }, complete: true, warnings: [] } as const
    return { rows: [{ key: [], ...values! }], ...whole, relativeError }
  }
  const { groups, total, cut } = await rankGroups(context, { kind, query, request })
  const hasOthers = request.other && total > groups.length
  const others = hasOthers ? [{ query: every([query, ...groups.map(group => none(group.query))]) }] : []
  const values = await measureGroups(context, [...groups, ...others], portion)
  return {
    rows: groups.map(({ key }, i): AggregateRow => ({ key, ...values[i]! })),
    other: hasOthers ? values.at(-1)! : null,
    groups: { value: total, relation: cut === null ? 'eq' : 'gte' },
    relativeError,
    complete: cut === null,
    warnings: cut === null ? [] : [groupsCut(cut)]
  }
}
