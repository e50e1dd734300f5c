import type { RecordAggregate, RecordCondition } from '../../../domain/alerts/alert-rule.js'
import type { Measure } from '../../../domain/aggregate.js'
import type { MeasureFunction } from '../../../query/aggregate/aggregate-query.js'
import { type MeasuredFields, parseMeasures } from '../../../query/aggregate/parse-measures.js'

/** Whether a condition counts logs by at most one field, which a histogram of the search does. */
export function isCountOfLogs({ kind, agg, groupBy }: RecordCondition): boolean {
  return kind === 'logs' && agg === 'count' && groupBy.length <= 1
}

/** Whether no records are a value: counts are zero then, and others have no data. */
export function isCount(agg: RecordAggregate): boolean {
  return agg === 'count' || agg === 'distinct'
}

function functionOf(agg: RecordAggregate): MeasureFunction {
  return agg === 'distinct' ? 'count_distinct' : agg
}

/** The measures of a condition: the number of records, and its value. Throws `invalid_field`. */
export function measuresOf({ agg, field }: RecordCondition, fields: MeasuredFields): readonly Measure[] {
  const [value] = parseMeasures([{ fn: functionOf(agg), ...(field !== null && agg !== 'count' && { field }) }], fields).measures
  return [{ kind: 'count' }, value!]
}
