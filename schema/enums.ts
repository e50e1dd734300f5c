// Names as GraphQL clients write them, values as the domain spells them; `register-*-enums.ts` describe them.

export const SortDirection = { ASC: 'asc', DESC: 'desc' } as const
export const QueryLanguage = { SEARCH: 'search', PROMQL: 'promql' } as const
export const CutKind = {
  CAP: 'cap',
  SAMPLE: 'sample',
  RETENTION: 'retention',
  STORE: 'store',
  SPOOLED: 'spooled',
  GAP: 'gap'
} as const
export const Signal = { LOGS: 'logs', SPANS: 'spans', METRICS: 'metrics', RUM: 'rum', ERRORS: 'errors' } as const
export const FieldType = { STRING: 'string', NUMBER: 'number', BOOLEAN: 'boolean', TIMESTAMP: 'timestamp' } as const
export const Role = { VIEWER: 'viewer', MEMBER: 'member', ADMIN: 'admin' } as const
export const FilterOp = {
  EQ: 'eq',
  NEQ: 'neq',
  IN: 'in',
  NOT_IN: 'not_in',
  EXISTS: 'exists',
  NOT_EXISTS: 'not_exists',
  CONTAINS: 'contains',
  PREFIX: 'prefix',
  REGEX: 'regex',
  GT: 'gt',
  GTE: 'gte',
  LT: 'lt',
  LTE: 'lte'
} as const
export const IndexPlacement = { DEDICATED: 'dedicated', POOLED: 'pooled' } as const
export const SubstringSearch = { EXACT: 'exact', APPROXIMATE: 'approximate', OFF: 'off' } as const
export const ApiKeyKind = { INGEST: 'ingest', QUERY: 'query', RUM: 'rum' } as const
export const ApiKeyState = { ACTIVE: 'active', ROTATING: 'rotating', EXPIRED: 'expired', REVOKED: 'revoked' } as const
export const LogLevel = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
  FATAL: 'fatal',
  UNKNOWN: 'unknown'
} as const
export const SpanKind = {
  INTERNAL: 'internal',
  SERVER: 'server',
  CLIENT: 'client',
  PRODUCER: 'producer',
  CONSUMER: 'consumer',
  UNSPECIFIED: 'unspecified'
} as const
export const SpanStatus = { UNSET: 'unset', OK: 'ok', ERROR: 'error' } as const
export const TraceOrder = { START_TIME: 'start', DURATION: 'duration' } as const
export const TraceScope = { TRACE: 'trace', SPAN: 'span' } as const
export const OperationChange = {
  APPEARED: 'appeared',
  VANISHED: 'vanished',
  SLOWED: 'slowed',
  SPED_UP: 'sped_up',
  UNCHANGED: 'unchanged'
} as const
export const OtlpState = { NEVER: 'never', RECEIVING: 'receiving', STALE: 'stale', REJECTING: 'rejecting' } as const
export const MetricKind = { GAUGE: 'gauge', COUNTER: 'counter' } as const
export const MetricAggregation = {
  AVG: 'avg',
  SUM: 'sum',
  MIN: 'min',
  MAX: 'max',
  COUNT: 'count',
  LAST: 'last',
  RATE: 'rate',
  INCREASE: 'increase',
  P50: 'p50',
  P90: 'p90',
  P95: 'p95',
  P99: 'p99'
} as const
export const LabelMatchOp = { EQ: 'eq', NEQ: 'neq', REGEX: 'regex', NOT_REGEX: 'not_regex' } as const
export const PatternState = { NEW: 'new', KNOWN: 'known', GONE: 'gone' } as const
export const AggregateFn = {
  COUNT: 'count',
  COUNT_DISTINCT: 'count_distinct',
  SUM: 'sum',
  AVG: 'avg',
  MIN: 'min',
  MAX: 'max',
  P50: 'p50',
  P75: 'p75',
  P90: 'p90',
  P95: 'p95',
  P99: 'p99',
  RATE: 'rate'
} as const
export const SavedFn = {
  COUNT: 'count',
  SUM: 'sum',
  AVG: 'avg',
  MIN: 'min',
  MAX: 'max',
  HISTOGRAM: 'histogram'
} as const
export const FindingKind = {
  FIELD_VALUE: 'field_value',
  MEASURE: 'measure',
  PATTERN: 'pattern',
  ERROR_GROUP: 'error_group',
  METRIC: 'metric'
} as const
export const ComparedSide = { BASE: 'base', OTHER: 'other' } as const
export const ExceptionState = { OPEN: 'open', RESOLVED: 'resolved', REGRESSED: 'regressed', IGNORED: 'ignored' } as const
export const ExceptionDecision = { OPEN: 'open', RESOLVED: 'resolved', IGNORED: 'ignored' } as const
export const AlertSeverity = { INFO: 'info', WARNING: 'warning', CRITICAL: 'critical' } as const
export const AlertState = {
  INACTIVE: 'inactive',
  PENDING: 'pending',
  FIRING: 'firing',
  RESOLVED: 'resolved',
  NODATA: 'nodata',
  ERROR: 'error',
  UNKNOWN: 'unknown'
} as const
export const SloAlertKind = { PAGE: 'page', TICKET: 'ticket' } as const
export const SloDataState = {
  COMPLETE: 'complete',
  PARTIAL: 'partial',
  NO_TRAFFIC: 'no_traffic',
  NO_DATA: 'no_data'
} as const
export const AlertOverlay = { SILENCED: 'silenced', INHIBITED: 'inhibited', MUTED: 'muted', ACKED: 'acked' } as const
export const ThresholdOp = {
  GT: 'gt',
  GTE: 'gte',
  LT: 'lt',
  LTE: 'lte',
  EQ: 'eq',
  NEQ: 'neq',
  OUTSIDE: 'outside',
  INSIDE: 'inside'
} as const
export const LinkBasis = {
  TRACE_ID: 'trace_id',
  SPAN_ID: 'span_id',
  CONTAINER: 'container',
  SERVICE: 'service',
  HOST: 'host'
} as const
export const CorrelationConfidence = { CERTAIN: 'certain', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const
export const CorrelationVerdict = { MOVED: 'moved', NOTHING_MOVED: 'nothing_moved', NOTHING_TO_TEST: 'nothing_to_test' } as const
export const MissingReason = {
  EXPIRED: 'expired',
  NOT_ARRIVED: 'not_arrived',
  NEVER_SEEN: 'never_seen',
  SAMPLED_OUT: 'sampled_out',
  NO_ORIGIN: 'no_origin'
} as const
export const ServiceOrder = { NAME: 'name', RATE: 'rate', ERROR_RATE: 'error_rate', P95: 'p95', P99: 'p99' } as const
export const HostState = { ACTIVE: 'active', STALE: 'stale', GONE: 'gone' } as const
export const LogStreamState = { OPEN: 'open', IDLE: 'idle', STALE: 'stale', ENDED: 'ended' } as const
export const LogStreamEnd = { ROTATED: 'rotated', TRUNCATED: 'truncated', DELETED: 'deleted', STOPPED: 'stopped' } as const
export const SecretDetector = {
  CARD: 'card',
  EMAIL: 'email',
  TOKEN: 'token',
  PRIVATE_KEY: 'private_key',
  URL_PASSWORD: 'url_password'
} as const
export const GapReason = {
  TRUNCATED: 'truncated',
  DELETED: 'deleted',
  ROTATED_AWAY: 'rotated_away',
  UNREADABLE: 'unreadable',
  REJECTED: 'rejected',
  DROPPED: 'dropped',
  TOO_OLD: 'too_old',
  SKIPPED: 'skipped',
  AGENT_STATE_LOST: 'agent_state_lost',
  JOURNAL_VACUUMED: 'journal_vacuumed',
  UNKNOWN: 'unknown'
} as const
export const ProcessOrder = { CPU: 'cpu', MEMORY: 'memory' } as const
export const ServiceState = { ACTIVE: 'active', STALE: 'stale', GONE: 'gone' } as const
export const RequestRule = { SERVER_CONSUMER: 'server_consumer', ROOT: 'root', NONE: 'none' } as const
export const ServiceNodeKind = { SERVICE: 'service', DATABASE: 'database', QUEUE: 'queue', EXTERNAL: 'external' } as const
export const WebVital = {
  LCP: 'largest_contentful_paint_ms',
  CLS: 'cumulative_layout_shift',
  FID: 'first_input_delay_ms',
  INP: 'interaction_to_next_paint_ms',
  FCP: 'first_contentful_paint_ms',
  TTFB: 'time_to_first_byte_ms',
  TTI: 'time_to_interactive_ms',
  TBT: 'total_blocking_time_ms',
  DOM_CONTENT_LOADED: 'dom_content_loaded_ms',
  LOAD: 'load_time_ms'
} as const
export const RumDimension = {
  PAGE_GROUP: 'page',
  PAGE_URL: 'page_url',
  BROWSER: 'browser',
  OS: 'os',
  DEVICE_TYPE: 'device',
  COUNTRY: 'country',
  CONNECTION_TYPE: 'connection',
  RELEASE: 'release'
} as const
export const VitalRating = { GOOD: 'good', NEEDS_IMPROVEMENT: 'needs_improvement', POOR: 'poor' } as const
export const ChannelKind = { WEBHOOK: 'webhook', SLACK: 'slack', EMAIL: 'email', ALERTMANAGER: 'alertmanager' } as const
export const UserErrorCode = {
  INVALID: 'INVALID',
  TAKEN: 'TAKEN',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  LIMIT_REACHED: 'LIMIT_REACHED',
  LAST_ADMIN: 'LAST_ADMIN',
  NAME_RETIRED: 'NAME_RETIRED'
} as const

/** One of the values of an enum table above. */
export type ValueOf<Table> = Table[keyof Table]
