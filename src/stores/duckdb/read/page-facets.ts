import { listedBy } from '../../../domain/facet-values.js'
import type { Filter } from '../../../domain/filter.js'
import type { FacetRequest, FacetResult } from '../../../domain/search.js'
import { compareStrings } from '../../../domain/string-order.js'
import { fieldTarget, type TableFields } from './field-target.js'
import type { ResultRow } from './statement.js'

/** All rows that match a filter. */
export interface WholePage {
  readonly rows: readonly ResultRow[]
  readonly filter: Filter
}

/** Rows of one value. */
interface Counted {
  count: number
  lastNs: bigint
}

function countsOf(rows: readonly ResultRow[], column: string): ReadonlyMap<string, Counted> {
  const counts = new Map<string, Counted>()
  for (const row of rows) {
    const value = row[column] as string | null
    if (value === null || value === '') continue
    const ts = row['ts'] as bigint
    const known = counts.get(value)
    counts.set(value, { count: (known?.count ?? 0) + 1, lastNs: known && known.lastNs > ts ? known.lastNs : ts })
  }
  return counts
}

/** A facet of a column of strings over rows that are all here; null where it is to be counted by the engine. */
export function pageFacet({ rows, filter }: WholePage, fields: TableFields, request: FacetRequest): FacetResult | null {
  const { field, limit, lastSeen } = request
  const target = fieldTarget(field, fields)
  if (target.kind !== 'text' || JSON.stringify(request.filter) !== JSON.stringify(filter)) return null
  const counts = countsOf(rows, target.column)
  const isListed = listedBy(request)
  const listed = [...counts].filter(([value]) => isListed(value))
  const best = listed.sort(([a, { count: ofA }], [b, { count: ofB }]) => ofB - ofA || compareStrings(a, b)).slice(0, limit)
  const values = best.map(([value, { count, lastNs }]) => ({ value, count, ...(lastSeen && { lastSeenNs: lastNs }) }))
  const valued = [...counts.values()].reduce((sum, { count }) => sum + count, 0)
  return {
    field,
    values,
    distinct: { value: listed.length, relation: 'eq' },
    other: valued - values.reduce((sum, { count }) => sum + count, 0),
    missing: rows.length - valued
  }
}
