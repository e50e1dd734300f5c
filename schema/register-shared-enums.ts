import * as enums from './enums.js'
import { registerEnumType } from 'type-graphql'

/** Registers an enum with a description of itself and of each of its values. */
export function registerEnum<Table extends Readonly<Record<string, string>>>(
  name: string,
  table: Table,
  description: string,
  ofValues: Readonly<Record<keyof Table & string, string>>
): void {
  const entries = Object.entries<string>(ofValues).map(([value, ofValue]) => [value, { description: ofValue }] as const)
  registerEnumType<Readonly<Record<string, string>>>(table, { name, description, valuesConfig: Object.fromEntries(entries) })
}

registerEnum('SortDirection', enums.SortDirection, 'Order of a list.', {
  ASC: 'Smallest or oldest first.',
  DESC: 'Largest or latest first.'
})
registerEnum('Signal', enums.Signal, 'A kind of telemetry.', {
  LOGS: 'Log records.',
  SPANS: 'Spans of traces.',
  METRICS: 'Metric samples.',
  RUM: 'Page views of browsers (real user monitoring).',
  ERRORS: 'Application errors.'
})
registerEnum('QueryLanguage', enums.QueryLanguage, 'A language of queries.', {
  SEARCH: 'Search language of logs.',
  PROMQL: 'PromQL.'
})
registerEnum('CutKind', enums.CutKind, 'What cut a result.', {
  CAP: 'A limit on rows, groups or series.',
  SAMPLE: 'The store looked at a part of the records, or searches approximately.',
  RETENTION: 'The window begins before the retention of the namespace.',
  STORE: 'The store lost records or cannot read them.',
  SPOOLED: 'Records wait on disk for a store that does not respond.',
  GAP: 'Lines of a log stream did not arrive, or were rejected.'
})
registerEnum('FieldType', enums.FieldType, 'Type of the values of a field.', {
  STRING: 'Compared by code point.',
  NUMBER: 'Compared numerically.',
  BOOLEAN: '`true` or `false`.',
  TIMESTAMP: 'Instant with nanoseconds.'
})
registerEnum('Role', enums.Role, 'Permissions in a namespace. Each role includes the preceding ones.', {
  VIEWER: 'Reads telemetry.',
  MEMBER: 'Changes shared state such as that of error groups.',
  ADMIN: 'Manages keys, members, retention and the namespace itself.'
})
registerEnum(
  'FilterOp',
  enums.FilterOp,
  'Comparison of a field with one or more operands. A missing field matches only NEQ, NOT_IN and NOT_EXISTS.',
  {
    EQ: 'Equal, case-sensitive; numbers are equal in any notation.',
    NEQ: 'Not equal.',
    IN: 'Equal to any of the operands.',
    NOT_IN: 'Equal to none of the operands.',
    EXISTS: 'Present and not empty; has no operand.',
    NOT_EXISTS: 'Absent or empty; has no operand.',
    CONTAINS: 'Contains the substring, case-insensitive.',
    PREFIX: 'Begins with the operand, case-sensitive.',
    REGEX: 'The whole value matches the regular expression (RE2 syntax, at most 1,024 characters).',
    GT: 'Greater than the operand.',
    GTE: 'Greater than or equal to the operand.',
    LT: 'Less than the operand.',
    LTE: 'Less than or equal to the operand.'
  }
)
registerEnum('IndexPlacement', enums.IndexPlacement, 'How namespaces share indices of a search store.', {
  DEDICATED: 'One set of indices per namespace; default of team namespaces.',
  POOLED: 'Indices shared by several namespaces behind a mandatory filter; default of personal namespaces.'
})
registerEnum('SubstringSearch', enums.SubstringSearch, 'How a search store finds substrings of messages.', {
  EXACT: 'Indexes positions; all results are exact.',
  APPROXIMATE: 'Indexes trigrams; rows are exact, counts can be too high and carry a warning.',
  OFF: 'Rejects substring conditions with `unsupported_by_store`.'
})
registerEnum('SecretDetector', enums.SecretDetector, 'Kinds of secrets and personal data that are found by their form.', {
  CARD: 'Payment card numbers of known issuers with a valid check digit.',
  EMAIL: 'E-mail addresses.',
  TOKEN: 'API keys and access tokens of well-known makers, and JSON Web Tokens.',
  PRIVATE_KEY: 'Private keys in PEM, and of PGP.',
  URL_PASSWORD: 'Passwords in URLs.'
})
registerEnum('ApiKeyKind', enums.ApiKeyKind, 'What an API key is authorized for.', {
  INGEST: 'Writes telemetry.',
  QUERY: 'Reads telemetry with the permissions of a viewer.',
  RUM: 'Writes page views from allowed origins. This key is public.'
})
registerEnum('ApiKeyState', enums.ApiKeyState, 'Position in the life cycle of an API key.', {
  ACTIVE: 'Valid.',
  ROTATING: 'Valid, and so is the previous secret until the end of the overlap.',
  EXPIRED: 'Invalid since `expiresAt`.',
  REVOKED: 'Invalid since `revokedAt`.'
})
registerEnum('LinkBasis', enums.LinkBasis, 'Attribute that two signals share.', {
  TRACE_ID: 'The same trace.',
  SPAN_ID: 'The same span.',
  CONTAINER: 'The same container or pod.',
  SERVICE: 'The same service at the same time.',
  HOST: 'The same host at the same time.'
})
registerEnum('CorrelationConfidence', enums.CorrelationConfidence, 'Reliability of a link between signals.', {
  CERTAIN: 'The same id.',
  HIGH: 'The same container or pod.',
  MEDIUM: 'The same service.',
  LOW: 'Only the same host, or fewer than 10 % of the matching log records.'
})
registerEnum('CorrelationVerdict', enums.CorrelationVerdict, 'Outcome of the comparison of metric series.', {
  MOVED: 'At least one series changed significantly.',
  NOTHING_MOVED: 'No series changed significantly.',
  NOTHING_TO_TEST: 'No series has enough points: 8 in the baseline and 3 in the window.'
})
registerEnum('MissingReason', enums.MissingReason, 'Why a signal has no related data.', {
  EXPIRED: 'The window is past the retention.',
  NOT_ARRIVED: 'The window ended less than 2 minutes ago.',
  NEVER_SEEN: 'The window has no matching data.',
  SAMPLED_OUT: 'A log record marks its trace as not sampled.',
  NO_ORIGIN: 'The starting point has no attribute to search by.'
})
registerEnum('UserErrorCode', enums.UserErrorCode, 'Reason for which a mutation was rejected.', {
  INVALID: 'An argument is missing or out of bounds.',
  TAKEN: 'The name is already in use.',
  NOT_FOUND: 'The object does not exist.',
  CONFLICT: 'The state of the object does not allow the change.',
  LIMIT_REACHED: 'A quota is exhausted.',
  LAST_ADMIN: 'The namespace would have no admin.',
  NAME_RETIRED: 'The name is reserved, for example by a deleted namespace.'
})
