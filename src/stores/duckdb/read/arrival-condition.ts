import { GatewayError } from '../../../domain/errors.js'
import type { Filter } from '../../../domain/filter.js'
import { ulidTimeMs } from '../../../domain/ulid.js'
import { boundsOf, type Condition } from './condition.js'
import type { Params } from './params.js'

const TIME_CHARS = 10

/** SQL of a range of ingest ids (`domain/filter`). The plain bounds let the engine skip row groups by their statistics. */
export function arrivalCondition(condition: Condition, params: Params): string {
  if (condition.kind !== 'range')
    throw new GatewayError('query_unsupported', 'ingest_id takes a range only', { field: 'ingest_id' })
  return `(${['TRUE', ...boundsOf(condition).map(({ op, value }) => `ingest_id ${op} ${params.add(value)}`)].join(' AND ')})`
}

/** Unix milliseconds before which no match arrived; null when the filter has no such bound. */
export function earliestArrivalMs(filter: Filter): number | null {
  if (filter.kind === 'and') return filter.of.map(earliestArrivalMs).find(ms => ms !== null) ?? null
  if (filter.kind !== 'range' || filter.field.in !== 'known' || filter.field.name !== 'ingest_id') return null
  return filter.gte === undefined ? null : ulidTimeMs(filter.gte.slice(0, TIME_CHARS))
}
