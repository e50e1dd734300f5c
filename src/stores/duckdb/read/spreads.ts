import type { AggregateRequest, Measure } from '../../../domain/aggregate.js'
import type { Field } from '../../../domain/filter.js'
import { SPREAD_PERCENTILES, type SpreadPercentiles, type SpreadRequest, type SpreadResult } from '../../../domain/search.js'
import { aggregateRecords } from './aggregate.js'
import { countRows } from './count-rows.js'
import type { TableFields } from './field-target.js'
import type { NarrowedByIds } from './narrowed-by-ids.js'

/** Numbers that one pass keeps in memory for exact percentiles, 8 bytes each and up to twice that while they are collected. */
const MAX_EXACT_NUMBERS = 4_000_000

function spreadMeasures(field: Field): readonly Measure[] {
  const percentiles = SPREAD_PERCENTILES.map(at => ({ kind: 'percentile', field, at }) as const)
  return [{ kind: 'numbers', field }, { kind: 'min', field }, { kind: 'max', field }, ...percentiles]
}

interface MeasuredPass {
  /** Of `spreadMeasures`, for each request. */
  readonly values: readonly (readonly (number | null)[])[]
  readonly isExact: boolean
}

function spreadOf(field: Field, values: readonly (number | null)[], isExact: boolean): SpreadResult {
  const [numbers, min = null, max = null, ...percentiles] = values
  const relativeError = isExact || numbers === 0 ? 0 : null
  const known = { areExtremesExact: true, percentiles: percentiles as unknown as SpreadPercentiles, relativeError }
  return { field, numbers: numbers ?? 0, min, max, ...known }
}

/**
 * Spreads in the requested order; those that share a filter come from one pass.
 * @param maxExact rows times fields of a pass; with more of them percentiles are estimated
 */
export async function measureSpreads(
  narrowing: NarrowedByIds,
  fields: TableFields,
  requests: readonly SpreadRequest[],
  maxExact = MAX_EXACT_NUMBERS
): Promise<readonly SpreadResult[]> {
  const results = new Map<SpreadRequest, SpreadResult>()
  for (const group of passes(requests)) {
    const { values, isExact } = await measurePass(narrowing, fields, group, maxExact)
    for (const [i, request] of group.entries()) results.set(request, spreadOf(request.field, values[i]!, isExact))
  }
  return requests.map(request => results.get(request)!)
}

function passes(requests: readonly SpreadRequest[]): readonly (readonly SpreadRequest[])[] {
  const filters = requests.map(({ filter }) => JSON.stringify(filter))
  return [...new Set(filters)].map(filter => requests.filter((_, i) => filters[i] === filter))
}

async function measurePass(
  narrowing: NarrowedByIds,
  fields: TableFields,
  group: readonly SpreadRequest[],
  maxExact: number
): Promise<MeasuredPass> {
  const { filter } = group[0]!
  const scope = await narrowing.scopeOf(filter)
  const isExact = (await countRows(scope, fields, filter)) * group.length <= maxExact
  const measures = group.map(({ field }) => spreadMeasures(field))
  const request: AggregateRequest = {
    ...{ range: scope.range, filter, measures: measures.flat(), groupBy: [] },
    ...{ rankBy: { measure: 0, order: 'desc' }, limit: 1, other: false, exact: true }
  }
  const { rows } = await aggregateRecords(scope, fields, request, isExact ? 'quantile_cont' : 'approx_quantile')
  const { values } = rows[0]!
  const { length } = measures[0]!
  return { values: group.map((_, i) => values.slice(i * length, (i + 1) * length)), isExact }
}
