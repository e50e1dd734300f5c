import { allOf, type Field, type Filter } from '../../domain/filter.js'
import { type Label, labelsOfValues } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import { notWhole } from './refusals.js'
import { type CountGrid, type CountRequest, type LabelFields, pushedDown } from './virtual-metric.js'
import type { Warning } from '../../domain/warning.js'

/** A request to a store: counts of records of a range by several fields, over a grid. */
export interface GroupedRequest {
  readonly range: TimeRange
  readonly filter: Filter
  readonly groupBy: readonly Field[]
  readonly grid: CountGrid
  readonly limit: number
}

/** One combination of values. */
interface KeyedRow {
  readonly key: readonly (string | null)[]
}

interface GroupedResult<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  readonly complete: boolean
  readonly warnings?: readonly Warning[]
}

/** A metric that a store counts by all of its labels at once. */
export interface GroupedMetric {
  readonly name: string
  readonly fields: LabelFields
  /** Only these records. */
  readonly only?: Filter
  /** Series that one row ends in. */
  readonly seriesPerRow?: number
}

/** One row per combination of the labels. `query_unsupported` if they exceed the limit of series, or if not all were counted. */
export async function groupedCounts<Row extends KeyedRow>(
  { name, fields, only, seriesPerRow = 1 }: GroupedMetric,
  { range, grid, matchers, most }: CountRequest,
  read: (request: GroupedRequest) => Promise<GroupedResult<Row>>
): Promise<readonly { readonly labels: readonly Label[]; readonly row: Row }[]> {
  const labels = Object.keys(fields)
  const filter = allOf([pushedDown(matchers, fields), ...(only ? [only] : [])])
  const groupBy = labels.map(label => ({ in: 'known', name: fields[label]! }) as const)
  const limit = Math.floor(most.count / seriesPerRow)
  const { rows, hasMore, complete, warnings } = await read({ range, filter, groupBy, grid, limit })
  // What was not looked at may be more still: how many series there are is not known then.
  if (!complete) throw notWhole(name, warnings)
  if (hasMore) throw most.refusal(name)
  return rows.map(row => ({
    labels: labelsOfValues(Object.fromEntries(labels.map((label, i) => [label, row.key[i] ?? null]))),
    row
  }))
}
