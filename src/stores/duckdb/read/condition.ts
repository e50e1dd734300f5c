import type { Filter } from '../../../domain/filter.js'

/** A filter on one field: every member of the union but the logical ones. */
export type Condition = Exclude<Filter, { kind: 'and' | 'or' | 'not' }>

/** A filter on the order of values. */
export type RangeCondition = Extract<Filter, { kind: 'range' }>

/** The bounds of a range with their SQL operators. */
export function boundsOf(range: RangeCondition): readonly { op: string; value: string }[] {
  const bounds: { op: string; value: string }[] = []
  if (range.gt !== undefined) bounds.push({ op: '>', value: range.gt })
  if (range.gte !== undefined) bounds.push({ op: '>=', value: range.gte })
  if (range.lt !== undefined) bounds.push({ op: '<', value: range.lt })
  if (range.lte !== undefined) bounds.push({ op: '<=', value: range.lte })
  return bounds
}
