import type { PageViews, PageViewsRequest, PageViewsRow } from '../../../ports/event-store.js'
import { VITAL_FIELDS } from '../document/field-names.js'
import { decidedQuery } from './decider.js'
import { gridAggregation, gridCounts, gridSums, gridSumsAggregation, overlap } from './grid.js'
import { countGroups, type Counted, type KeyGroup, listKeyGroups } from './key-groups.js'
import type { SearchContext } from './pages.js'
import { every, type Query } from './query.js'
import { timeClause } from './scope.js'
import type { Aggregations } from './search-engine.js'

/** One filter per bound, for values beyond the bound before, and one more at the end. */
function valueFilters(field: string, bounds: readonly number[]): readonly Query[] {
  if (bounds.length === 0) return [{ exists: { field } }]
  const upTo = bounds.map((lte, i) => ({ range: { [field]: i === 0 ? { lte } : { gt: bounds[i - 1]!, lte } } }))
  return [...upTo, { range: { [field]: { gt: bounds.at(-1)! } } }]
}

function aggregationsOf({ grid, vital }: PageViewsRequest): Aggregations {
  if (!vital) return { views: gridAggregation(grid) }
  const { field } = VITAL_FIELDS[vital.name]
  const filters = valueFilters(field, vital.bounds)
  return {
    views: gridSumsAggregation(grid, field),
    values: { filters: { filters }, aggs: { counts: gridAggregation(grid) } }
  }
}

function toRow({ key }: KeyGroup, found: Counted, { grid, vital }: PageViewsRequest): PageViewsRow {
  const views = gridCounts(grid, found['views'])
  if (!vital) return { key, views }
  const buckets = found['values']!.buckets!.map(bucket => gridCounts(grid, (bucket as unknown as Counted)['counts']))
  return { key, views, sums: gridSums(grid, found['views']), buckets }
}

/** As `EventStore.pageViews`. */
export async function readPageViews(context: SearchContext, request: PageViewsRequest): Promise<PageViews> {
  const { filter, groupBy, grid, vital, limit } = request
  const matching = await decidedQuery(context, 'rum', filter)
  const query = every([matching, timeClause(overlap(context.scope.range, grid))])
  const { groups, isCut } = await listKeyGroups(context, { kind: 'rum', query, groupBy })
  const buckets = grid.count * (vital ? vital.bounds.length + 2 : 1)
  const aggs = aggregationsOf(request)
  const counted = await countGroups(context, groups.slice(0, limit), { buckets, aggregationsOf: () => aggs })
  const rows = counted.map(({ group, found }) => toRow(group, found, request))
  return { rows, hasMore: groups.length > limit, complete: !isCut, warnings: [] }
}
