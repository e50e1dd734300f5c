import {
  type AlertCondition,
  RECORD_AGGREGATES,
  type RecordCondition,
  TRACE_AGGREGATES
} from '../../../domain/alerts/alert-rule.js'
import { isGatewayError, unreachable } from '../../../domain/errors.js'
import { EVENT_TYPE_RULE, FOUND_EVENT_TYPES, isEventType } from '../../../domain/service-event.js'
import { MEASURED_LOGS, MEASURED_SPANS } from '../../../query/aggregate/aggregated-records.js'
import type { MeasuredRecords } from '../../../query/aggregate/aggregation.js'
import { parseGroupFields } from '../../../query/aggregate/parse-measures.js'
import { PromqlBadQuery } from '../../../query/promql/promql-error.js'
import type { Expr } from '../../../query/promql/syntax/ast.js'
import { TYPE_NAMES, typeOf } from '../../../query/promql/syntax/check-types.js'
import { fieldOf } from '../../../query/vocabulary.js'
import { MAX_FOR_MS, MAX_GROUP_BY, MAX_NAME_CHARS, MAX_WINDOW_MS, MIN_WINDOW_MS } from '../limits.js'
import { isCountOfLogs, measuresOf } from '../read/measured-condition.js'
import type { RuleInput } from './rule-input.js'

/** Reads PromQL. Throws `PromqlBadQuery`. */
export type ReadPromql = (query: string) => Expr

const MAX_QUERY_CHARS = 20_000
const WINDOW = { least: MIN_WINDOW_MS, most: MAX_WINDOW_MS, otherwise: 300_000 } as const
const KINDS = ['logs', 'spans', 'traces', 'event', 'absence'] as const
const ABSENT = ['host', 'service', 'metric', 'logs'] as const
/** The result for a condition that has errors: it is never stored. */
const NONE: AlertCondition = { kind: 'promql', expr: '' }

/** Reads `expr` or `condition` of a rule. */
export function parseCondition(rule: RuleInput, readPromql: ReadPromql): AlertCondition {
  if (rule.has('expr') === rule.has('condition')) {
    rule.fault('expr', 'a rule must have exactly one of expr and condition')
    return NONE
  }
  if (rule.has('expr')) return promqlCondition(rule, readPromql)
  const condition = rule.object('condition')
  condition.only(KINDS)
  const kinds = KINDS.filter(kind => condition.has(kind))
  if (kinds.length !== 1) {
    rule.fault('condition', `must have exactly one of ${KINDS.join(', ')}`)
    return NONE
  }
  return conditionOf(kinds[0]!, condition.object(kinds[0]!), readPromql)
}

function conditionOf(kind: (typeof KINDS)[number], parts: RuleInput, readPromql: ReadPromql): AlertCondition {
  switch (kind) {
    case 'logs':
    case 'spans':
      return recordsCondition(kind, parts)
    case 'traces':
      return tracesCondition(parts)
    case 'event':
      return eventCondition(parts)
    case 'absence':
      return absenceCondition(parts, readPromql)
    default:
      return unreachable(kind)
  }
}

function promqlCondition(rule: RuleInput, readPromql: ReadPromql): AlertCondition {
  const expr = rule.string('expr', MAX_QUERY_CHARS) ?? ''
  const parsed = readExpression(rule, 'expr', expr, readPromql)
  if (parsed === null) return NONE
  const type = typeOf(parsed)
  if (type === 'matrix' || type === 'string')
    rule.fault('expr', `must result in an instant vector or a scalar, but results in a ${TYPE_NAMES[type]}`)
  return { kind: 'promql', expr }
}

function readExpression(input: RuleInput, name: string, expr: string, readPromql: ReadPromql): Expr | null {
  if (expr.trim() === '') {
    input.fault(name, 'must not be empty')
    return null
  }
  try {
    return readPromql(expr)
  } catch (error) {
    if (!(error instanceof PromqlBadQuery)) throw error
    input.fault(name, `could not parse expression: ${error.message}`)
    return null
  }
}

/** What `read` returns; null, with the error at this member, when it refuses what was sent. */
function readOrFault<T>(input: RuleInput, name: string, read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    input.fault(name, error.message)
    return null
  }
}

function readSearch(input: RuleInput, { filterOf }: MeasuredRecords): string {
  const query = input.string('query', MAX_QUERY_CHARS) ?? ''
  readOrFault(input, 'query', () => filterOf({ query }))
  return query
}

function recordsCondition(kind: RecordCondition['kind'], input: RuleInput): AlertCondition {
  input.only(['query', 'group_by', 'agg', 'field', 'window'])
  const records = kind === 'logs' ? MEASURED_LOGS : MEASURED_SPANS
  const query = readSearch(input, records)
  const groupBy = input.strings('group_by', MAX_GROUP_BY, MAX_NAME_CHARS)
  const agg = input.oneOf('agg', RECORD_AGGREGATES, 'count')
  const field = input.string('field', MAX_NAME_CHARS)
  if (agg === 'count' && field !== null) input.fault('field', 'has no meaning with count; filter by the field in query')
  const condition = { kind, query, groupBy, agg, field, windowMs: input.duration('window', WINDOW) }
  if (agg !== 'count' && field === null) input.fault('field', `is required with agg ${agg}, for example duration_ms`)
  else readOrFault(input, 'field', () => measuresOf(condition, records))
  checkGroups(input, condition, records)
  return condition
}

function checkGroups(input: RuleInput, condition: RecordCondition, records: MeasuredRecords): void {
  if (!isCountOfLogs(condition) && !readOrFault(input, 'group_by', () => parseGroupFields(condition.groupBy, records))) return
  for (const name of condition.groupBy) {
    const field = readOrFault(input, 'group_by', () => fieldOf(records.vocabulary, name))
    const isUnbounded = field?.in === 'known' && (field.name === 'timestamp' || field.name === 'message')
    if (name === '' || isUnbounded)
      input.fault(
        'group_by',
        `${JSON.stringify(name)} cannot group ${condition.kind}; use a field such as service, host or level`
      )
  }
}

function tracesCondition(input: RuleInput): AlertCondition {
  input.only(['service', 'operation', 'agg', 'window'])
  const service = input.string('service', MAX_NAME_CHARS)
  const operation = input.string('operation', MAX_NAME_CHARS)
  if (operation !== null && service === null) input.fault('service', 'is required with operation')
  const agg = input.oneOf('agg', TRACE_AGGREGATES, 'rate')
  return { kind: 'traces', service, operation, agg, windowMs: input.duration('window', WINDOW) }
}

/** What a type has to be: a dotted one is of the service. */
function ruleOfType(type: string): string {
  if (!type.includes('.')) return EVENT_TYPE_RULE
  return `${JSON.stringify(type)} is not an event that the service finds; use ${FOUND_EVENT_TYPES.join(', ')}, or a reported type`
}

function eventCondition(input: RuleInput): AlertCondition {
  input.only(['type', 'service', 'environment', 'window'])
  const type = input.string('type', MAX_NAME_CHARS) ?? ''
  if (!input.has('type')) input.fault('type', 'is required, for example deploy')
  else if (!isEventType(type) && !FOUND_EVENT_TYPES.includes(type)) input.fault('type', ruleOfType(type))
  const [service, environment] = [input.string('service', MAX_NAME_CHARS), input.string('environment', MAX_NAME_CHARS)]
  return { kind: 'event', type, service, environment, windowMs: input.duration('window', WINDOW) }
}

function absenceCondition(input: RuleInput, readPromql: ReadPromql): AlertCondition {
  input.only(['of', 'name', 'query', 'for'])
  if (!input.has('of')) input.fault('of', `is required; use one of ${ABSENT.join(', ')}`)
  const of = input.oneOf('of', ABSENT, 'host')
  const forMs = input.duration('for', { least: MIN_WINDOW_MS, most: MAX_FOR_MS, otherwise: 300_000 })
  const isNamed = of === 'host' || of === 'service'
  const unused = isNamed ? 'query' : 'name'
  if (input.has(unused)) input.fault(unused, `has no meaning with of ${of}; use ${isNamed ? 'name' : 'query'}`)
  if (isNamed) {
    const name = input.string('name', MAX_NAME_CHARS)
    return { kind: 'absence', of: of === 'host' ? { kind: of, host: name } : { kind: of, service: name }, forMs }
  }
  if (of === 'logs') return { kind: 'absence', of: { kind: of, query: readSearch(input, MEASURED_LOGS) }, forMs }
  const query = input.string('query', MAX_QUERY_CHARS) ?? ''
  const parsed = readExpression(input, 'query', query, readPromql)
  if (parsed !== null && (parsed.type !== 'selector' || parsed.offsetMs !== 0 || parsed.at !== null))
    input.fault('query', 'must be a series selector such as up{job="api"}, without functions, offset and @')
  return { kind: 'absence', of: { kind: of, query }, forMs }
}
