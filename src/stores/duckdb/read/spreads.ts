import type { Measure } from '../../../domain/aggregate.js'
import type { Field } from '../../../domain/filter.js'
import { SPREAD_PERCENTILES, type SpreadPercentiles, type SpreadRequest, type SpreadResult } from '../../../domain/search.js'
import { aggregateRecords } from './aggregate.js'
import { ungroupedRequest } from './aggregate-values.js'
import { countRows } from './count-rows.js'
import type { TableFields } from './field-target.js'
import type { NarrowedByIds } from './narrowed-by-ids.js'
import { estimatedSpread } from './number-counts.js'
import type { Scope } from './source.js'
import type { SpreadCells } from './spread-cells.js'

/** Numbers that one pass keeps in memory for exact percentiles, 8 bytes each and up to twice that while they are collected. */
const MAX_EXACT_NUMBERS = 4_000_000

function spreadMeasures(field: Field): readonly Measure[] {
  const percentiles = SPREAD_PERCENTILES.map(at => ({ kind: 'percentile', field, at }) as const)
  return [{ kind: 'numbers', field }, { kind: 'min', field }, { kind: 'max', field }, ...percentiles]
}

function exactSpread(field: Field, values: readonly (number | null)[]): SpreadResult {
  const [numbers, min = null, max = null, ...percentiles] = values
  const known = { areExtremesExact: true, percentiles: percentiles as unknown as SpreadPercentiles, relativeError: 0 }
  return { field, numbers: numbers ?? 0, min, max, ...known }
}

/** What spreads are measured of. */
export interface SpreadSource {
  readonly narrowing: NarrowedByIds
  readonly fields: TableFields
  readonly cells: SpreadCells
  /** Rows times fields of a pass; with more of them percentiles are estimated. */
  readonly maxExact?: number
}

/** Spreads in the requested order; those that share a filter come from one pass. */
export async function measureSpreads(
  { narrowing, fields, cells, maxExact = MAX_EXACT_NUMBERS }: SpreadSource,
  requests: readonly SpreadRequest[]
): Promise<readonly SpreadResult[]> {
  const results = new Map<SpreadRequest, SpreadResult>()
  for (const group of passes(requests)) {
    const { filter } = group[0]!
    const scope = await narrowing.scopeOf(filter)
    const isExact = (await countRows(scope, fields, filter)) * group.length <= maxExact
    const spreads = isExact ? await exactSpreads(scope, fields, group) : await estimatedSpreads(scope, fields, group, cells)
    for (const [i, request] of group.entries()) results.set(request, spreads[i]!)
  }
  return requests.map(request => results.get(request)!)
}

function passes(requests: readonly SpreadRequest[]): readonly (readonly SpreadRequest[])[] {
  const filters = requests.map(({ filter }) => JSON.stringify(filter))
  return [...new Set(filters)].map(filter => requests.filter((_, i) => filters[i] === filter))
}

async function estimatedSpreads(
  scope: Scope,
  fields: TableFields,
  group: readonly SpreadRequest[],
  cells: SpreadCells
): Promise<readonly SpreadResult[]> {
  return (await cells.numbersOf(scope, fields, group)).map((numbers, i) => estimatedSpread(group[i]!.field, numbers))
}

async function exactSpreads(
  scope: Scope,
  fields: TableFields,
  group: readonly SpreadRequest[]
): Promise<readonly SpreadResult[]> {
  const measures = group.map(({ field }) => spreadMeasures(field))
  const request = ungroupedRequest(scope, group[0]!.filter, measures.flat())
  const { rows } = await aggregateRecords(scope, fields, request)
  const { values } = rows[0]!
  const { length } = measures[0]!
  return group.map(({ field }, i) => exactSpread(field, values.slice(i * length, (i + 1) * length)))
}
