import { GatewayError } from '../../../domain/errors.js'
import { boundsOf, type Condition } from '../../../domain/condition.js'
import { ALL, every, NONE, some, type Query } from './query.js'
import { MAX_TIME_NS, timeClause } from './scope.js'
import { exactly, UNDECIDED, type Verdict } from './verdict.js'

const NANOSECONDS = /^-?[0-9]{1,19}$/

function nanoseconds(text: string): bigint {
  const value = NANOSECONDS.test(text) ? BigInt(text) : null
  if (value !== null && value >= -(2n ** 63n) && value < 2n ** 63n) return value
  throw new GatewayError('query_unsupported', 'timestamp is compared with Unix nanoseconds written as digits', {
    field: 'timestamp'
  })
}

function at(ns: bigint): Query {
  return ns < 0n ? NONE : timeClause({ startNs: ns, endNs: ns + 1n })
}

function bound(op: string, ns: bigint): Query {
  switch (op) {
    case 'gt':
      return timeClause({ startNs: ns + 1n, endNs: MAX_TIME_NS + 1n })
    case 'gte':
      return timeClause({ startNs: ns, endNs: MAX_TIME_NS + 1n })
    case 'lt':
      return timeClause({ startNs: 0n, endNs: ns })
    default:
      return timeClause({ startNs: 0n, endNs: ns + 1n })
  }
}

/** A condition on the event time. */
export function timeCondition(condition: Condition): Verdict {
  switch (condition.kind) {
    case 'eq':
      return exactly(at(nanoseconds(condition.value)))
    case 'in':
      return exactly(some(condition.values.map(value => at(nanoseconds(value)))))
    case 'exists':
      return exactly(ALL)
    case 'range':
      return exactly(every(boundsOf(condition).map(({ op, value }) => bound(op, nanoseconds(value)))))
    default:
      return UNDECIDED
  }
}
