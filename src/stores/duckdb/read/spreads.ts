import type { AggregateRequest, Measure } from '../../../domain/aggregate.js'
import type { Field } from '../../../domain/filter.js'
import { SPREAD_PERCENTILES, type SpreadPercentiles, type SpreadRequest, type SpreadResult } from '../../../domain/search.js'
import { aggregateRecords } from './aggregate.js'
import type { TableFields } from './field-target.js'
import type { NarrowedByIds } from './narrowed-by-ids.js'

function spreadMeasures(field: Field): readonly Measure[] {
  const percentiles = SPREAD_PERCENTILES.map(at => ({ kind: 'percentile', field, at }) as const)
  return [{ kind: 'numbers', field }, { kind: 'min', field }, { kind: 'max', field }, ...percentiles]
}

/** The spread out of the values of `spreadMeasures`. */
function spreadOf(field: Field, [numbers, min = null, max = null, ...percentiles]: readonly (number | null)[]): SpreadResult {
  const exact = { areExtremesExact: true, percentiles: percentiles as unknown as SpreadPercentiles, relativeError: 0 }
  return { field, numbers: numbers ?? 0, min, max, ...exact }
}

/** Spreads in the requested order; those that share a filter come from one pass. */
export async function measureSpreads(
  narrowing: NarrowedByIds,
  fields: TableFields,
  requests: readonly SpreadRequest[]
): Promise<readonly SpreadResult[]> {
  const results = new Map<SpreadRequest, SpreadResult>()
  for (const group of passes(requests)) {
    const values = await measurePass(narrowing, fields, group)
    for (const [i, request] of group.entries()) results.set(request, spreadOf(request.field, values[i]!))
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
  group: readonly SpreadRequest[]
): Promise<readonly (readonly (number | null)[])[]> {
  const scope = await narrowing.scopeOf(group[0]!.filter)
  const measures = group.map(({ field }) => spreadMeasures(field))
  const request: AggregateRequest = {
    ...{ range: scope.range, filter: group[0]!.filter, measures: measures.flat(), groupBy: [] },
    ...{ rankBy: { measure: 0, order: 'desc' }, limit: 1, other: false, exact: true }
  }
  const { rows } = await aggregateRecords(scope, fields, request)
  const { values } = rows[0]!
  const { length } = measures[0]!
  return group.map((_, i) => values.slice(i * length, (i + 1) * length))
}
