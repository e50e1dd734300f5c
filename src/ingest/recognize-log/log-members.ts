import { fieldList } from '../../domain/records/field.js'
import { LOG } from '../../domain/records/log.js'

/** Strings of a record that JSON logs have at members which its table names: the service and others. */
export type LogName = MemberName<(typeof LOG)[keyof typeof LOG]>
type MemberName<Field> = Field extends { readonly members: readonly string[]; readonly name: infer Name } ? Name & string : never

/** The fields with these names. */
export const NAMED_FIELDS = fieldList(LOG).flatMap(each => {
  return each.type === 'text' && each.members ? [{ ...each, name: each.name as LogName, members: each.members }] : []
  /** Names of these fields. */
})
export const LOG_NAMES: readonly LogName[] = NAMED_FIELDS.map(({ name }) => name)

/** What a log record is made of besides its free fields. */
export type LogRow = 'message' | 'time' | 'level' | LogName | 'trace_id' | 'span_id' | 'stack'
/** All rows, in the order of their report. */
export const LOG_ROWS: readonly LogRow[] = ['message', 'time', 'level', ...LOG_NAMES, 'trace_id', 'span_id', 'stack']

/** An object with a member for each row. */
export function perRow<Value>(value: (row: LogRow) => Value): Record<LogRow, Value> {
  return Object.fromEntries(LOG_ROWS.map(row => [row, value(row)])) as Record<LogRow, Value>
}

/** Where loggers keep the fields of a record: the record itself, and these members of it. */
const CONTEXTS = ['contextMap', 'mdc', 'extra', 'record.extra', '@fields', 'fields'] as const

function inContexts(names: readonly string[]): readonly string[] {
  return [...names, ...CONTEXTS.flatMap(context => names.map(name => `${context}.${name}`))]
}

// Those that are not strings of the record's table.
const MEMBERS: Readonly<Record<Exclude<LogRow, LogName>, readonly string[]>> = {
  message: [
    ...['message', 'message.message', 'msg', '@message', 'MESSAGE', 'short_message', '_msg', 'log', 'textPayload'],
    ...['jsonPayload.message', '@m', '@mt', 'event', 'body', 'record.message', 'event.original'],
    ...['fields.message', 'Message']
  ],
  time: [
    ...['timestamp', 'timestamp_ns', '@timestamp', 'time', 'ts', '_time', '_timestamp', '@t', 'date', 'datetime', 'eventTime'],
    ...['instant', 'timestampSeconds', '__REALTIME_TIMESTAMP', '_SOURCE_REALTIME_TIMESTAMP', 'timeMillis', 'asctime'],
    ...['record.time.timestamp', 'time_iso8601', 'msec', 't.$date', 'Timestamp']
  ],
  level: [
    ...['level', 'log.level', 'severity', 'levelname', 'log_level', 'loglevel', 'lvl', 'PRIORITY', '@l', 'severity_text'],
    ...['severityText', 'severity_number', 'severityNumber', 'level_name', 'levelno', 'level_value', 'record.level.name'],
    ...['@fields.level', 'LogLevel', 'status']
  ],
  trace_id: [
    ...inContexts(['trace_id', 'trace.id', 'traceId', 'traceid', 'TraceId', 'traceID', 'otelTraceID', 'dd.trace_id']),
    ...['logging.googleapis.com/trace', '@tr', 'traceparent']
  ],
  span_id: [
    ...inContexts(['span_id', 'span.id', 'spanId', 'spanid', 'SpanId', 'spanID', 'otelSpanID', 'dd.span_id']),
    ...['logging.googleapis.com/spanId', '@sp', 'traceparent']
  ],
  stack: [
    ...['err.stack', 'error.stack_trace', 'error.stack', 'exception.stacktrace', 'stack_trace', 'stacktrace', 'exc_info'],
    ...['thrown.extendedStackTrace', '@x', 'stack', '@fields.stack', 'fields.err.stack', 'full_message']
  ]
}

/**
 * Which members of a record are its message, time, level and so on, best first: the names of this interface, then those of
 * common loggers and shippers. A dot means nested or dotted alike; case counts. The table of docs/logs.md is made of it.
 */
export const LOG_MEMBERS: Readonly<Record<LogRow, readonly string[]>> = {
  ...MEMBERS,
  ...(Object.fromEntries(NAMED_FIELDS.map(({ name, members }) => [name, members])) as Record<LogName, readonly string[]>)
}

/** Names of this interface; what they hold is checked, where what other names hold is looked over. */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  ...['message', 'timestamp', 'timestamp_ns', 'level', ...LOG_NAMES, 'trace_id', 'span_id']
])

/** Members of the time that often hold a date of the business: a birth, a due date, a flight. */
export const AMBIGUOUS_TIMES: ReadonlySet<string> = new Set(['date', 'datetime', 'eventTime'])

/** Members with the class and the message of the exception whose stack trace is at the first. */
export const EXCEPTION_OF_STACK: Readonly<Record<string, { readonly type: readonly string[]; readonly message: string }>> = {
  'err.stack': { type: ['err.type', 'err.name'], message: 'err.message' },
  'error.stack_trace': { type: ['error.type'], message: 'error.message' },
  'error.stack': { type: ['error.type', 'error.name'], message: 'error.message' },
  'exception.stacktrace': { type: ['exception.type', 'exception.exception_class'], message: 'exception.exception_message' },
  'thrown.extendedStackTrace': { type: ['thrown.name'], message: 'thrown.message' },
  'fields.err.stack': { type: ['fields.err.type', 'fields.err.name'], message: 'fields.err.message' }
}
