import * as enums from './enums.js'
import { registerEnum } from './register-shared-enums.js'

registerEnum('LogLevel', enums.LogLevel, 'Severity range of the OpenTelemetry logs data model.', {
  TRACE: 'Severity numbers 1 to 4.',
  DEBUG: 'Severity numbers 5 to 8.',
  INFO: 'Severity numbers 9 to 12.',
  WARN: 'Severity numbers 13 to 16.',
  ERROR: 'Severity numbers 17 to 20.',
  FATAL: 'Severity numbers 21 to 24.',
  UNKNOWN: 'No level, or an unrecognized one.'
})
registerEnum('SpanKind', enums.SpanKind, 'Role of a span in a call (OpenTelemetry `SpanKind`).', {
  INTERNAL: 'Operation inside the service.',
  SERVER: 'Handles a synchronous request.',
  CLIENT: 'Sends a synchronous request.',
  PRODUCER: 'Sends a message.',
  CONSUMER: 'Processes a message.',
  UNSPECIFIED: 'The sender set no kind.'
})
registerEnum('SpanStatus', enums.SpanStatus, 'Outcome of a span (OpenTelemetry `StatusCode`).', {
  UNSET: 'The instrumentation recorded no outcome.',
  OK: 'The application marked the operation as successful.',
  ERROR: 'The operation failed.'
})
registerEnum('TraceOrder', enums.TraceOrder, 'Sort key of traces.', {
  START_TIME: 'Earliest start of the spans.',
  DURATION: 'Earliest start to latest end.'
})
registerEnum('TraceScope', enums.TraceScope, 'What a duration condition applies to.', {
  TRACE: 'The whole trace, from earliest start to latest end.',
  SPAN: 'A single span.'
})
registerEnum('OperationChange', enums.OperationChange, 'How an operation differs between two traces.', {
  APPEARED: 'Only the other trace has it.',
  VANISHED: 'Only the base trace has it.',
  SLOWED: 'Its mean duration is more than 10 % longer.',
  SPED_UP: 'Its mean duration is more than 10 % shorter.',
  UNCHANGED: 'Its mean duration differs by at most 10 %.'
})
registerEnum('OtlpState', enums.OtlpState, 'State of an OTLP protocol and signal.', {
  NEVER: 'No request since the start of the gateway.',
  RECEIVING: 'The latest request was accepted.',
  STALE: 'No request in the last 5 minutes.',
  REJECTING: 'The latest request was rejected, in whole or in part.'
})
registerEnum('MetricKind', enums.MetricKind, 'Type of a metric.', {
  GAUGE: 'A value that goes up and down.',
  COUNTER: 'A cumulative value; a decrease is a reset.'
})
registerEnum(
  'MetricAggregation',
  enums.MetricAggregation,
  'Reduces the samples of all series of a group in one step to one value.',
  {
    AVG: 'Arithmetic mean.',
    SUM: 'Total of the samples.',
    MIN: 'Smallest sample.',
    MAX: 'Largest sample.',
    COUNT: 'Number of samples.',
    LAST: 'Latest sample.',
    RATE: 'PromQL `rate()` of each series in units per second, then summed.',
    INCREASE: 'PromQL `increase()` of each series, then summed.',
    P50: 'Median of the samples.',
    P90: '90th percentile of the samples.',
    P95: '95th percentile of the samples.',
    P99: '99th percentile of the samples.'
  }
)
registerEnum('LabelMatchOp', enums.LabelMatchOp, 'Comparison of a label, as in PromQL selectors.', {
  EQ: '`=`, equal.',
  NEQ: '`!=`, not equal.',
  REGEX: '`=~`, the whole value matches.',
  NOT_REGEX: '`!~`, the whole value does not match.'
})
registerEnum('PatternState', enums.PatternState, 'Whether a pattern of logs is new.', {
  NEW: 'Its first log is at most a day old.',
  KNOWN: 'Its first log is older.',
  GONE: 'The window has no log of it.'
})
registerEnum('AggregateFn', enums.AggregateFn, 'Function of a measure over rows.', {
  COUNT: 'Number of rows; with a field, of those that have it.',
  COUNT_DISTINCT: 'Number of different values of a field.',
  SUM: 'Sum of the numbers of a field. A row contributes each of its different numbers once.',
  AVG: 'Mean of the numbers.',
  MIN: 'Smallest number.',
  MAX: 'Largest number.',
  P50: 'Median, interpolated between the closest ranks.',
  P75: '75th percentile.',
  P90: '90th percentile.',
  P95: '95th percentile.',
  P99: '99th percentile.',
  RATE: 'What COUNT counts, per second of the window, and of each bucket.'
})
registerEnum('SavedFn', enums.SavedFn, 'What a saved measure computes of the records of a step.', {
  COUNT: 'Number of records; with a field, of those that have it.',
  SUM: 'Sum of the numbers of a field.',
  AVG: 'Sum and number of the numbers, as two metrics: their quotient is the mean of any time.',
  MIN: 'Smallest number.',
  MAX: 'Largest number.',
  HISTOGRAM: 'Numbers by their size, for `histogram_quantile`, with their sum and count.'
})
registerEnum('FindingKind', enums.FindingKind, 'What a finding is about.', {
  FIELD_VALUE: 'The share of a value of a field, or of its presence.',
  MEASURE: 'The numbers of a field, by rank; the counts are those of the tail that grew.',
  PATTERN: 'The share of a pattern among logs.',
  ERROR_GROUP: 'Errors of a group for as many logs or spans of the same services; of two windows.',
  METRIC: 'A metric of the same services, by the ranks of its points; of two windows.'
})
registerEnum('ComparedSide', enums.ComparedSide, 'A side of a comparison.', {
  BASE: 'What is compared with.',
  OTHER: 'The side that is compared with the base.'
})
registerEnum('ExceptionState', enums.ExceptionState, 'Triage state of an error group.', {
  OPEN: 'New, or reopened.',
  RESOLVED: 'Marked as fixed, without later errors.',
  REGRESSED: 'An error occurred after the group was marked as fixed.',
  IGNORED: 'Marked as not actionable.'
})
registerEnum('ExceptionDecision', enums.ExceptionDecision, 'Triage state that a member can set.', {
  OPEN: 'Reopens the group.',
  RESOLVED: 'Marks the group as fixed as of now.',
  IGNORED: 'Marks the group as not actionable.'
})
registerEnum('ServiceOrder', enums.ServiceOrder, 'Sort key of services and operations.', {
  NAME: 'Alphabetical order.',
  RATE: 'Most requests first.',
  ERROR_RATE: 'Highest error rate first.',
  P95: 'Highest 95th percentile first.',
  P99: 'Highest 99th percentile first.'
})
registerEnum('ServiceState', enums.ServiceState, 'Age class of the latest span of a service.', {
  ACTIVE: 'At most 5 minutes.',
  STALE: 'More than 5 minutes, at most 24 hours.',
  GONE: 'More than 24 hours.'
})
registerEnum('HostState', enums.HostState, 'Age class of the latest log, span or sample of a host.', {
  ACTIVE: 'At most 5 minutes.',
  STALE: 'More than 5 minutes, at most 24 hours.',
  GONE: 'More than 24 hours.'
})
registerEnum('ProcessOrder', enums.ProcessOrder, 'Sort key of processes, largest first.', {
  CPU: 'CPU time.',
  MEMORY: 'Resident memory.'
})
registerEnum('LogStreamState', enums.LogStreamState, 'Whether lines of a log stream still come.', {
  OPEN: 'Its latest batch is less than 5 minutes old.',
  IDLE: 'No batch for 5 minutes.',
  STALE: 'No batch for a day.',
  ENDED: 'Its sender ended it.'
})
registerEnum('LogStreamEnd', enums.LogStreamEnd, 'Why no more lines of a log stream come.', {
  ROTATED: 'The file was renamed and is read.',
  TRUNCATED: 'The file was truncated.',
  DELETED: 'The file was removed.',
  STOPPED: 'The sender stopped reading it.'
})
registerEnum('GapReason', enums.GapReason, 'Why lines of a log stream are not stored.', {
  TRUNCATED: 'The file was truncated before they were read.',
  DELETED: 'The file was removed before they were read.',
  ROTATED_AWAY: 'The file was rotated away before they were read.',
  UNREADABLE: 'They could not be read.',
  REJECTED: 'The service rejected their records; `code` has the reason.',
  DROPPED: 'Rules of the namespace dropped their records.',
  TOO_OLD: 'They are older than the retention.',
  SKIPPED: 'Batches did not arrive; late ones close the gap.',
  AGENT_STATE_LOST: 'The positions of the agent were lost, and where it went on is not known.',
  JOURNAL_VACUUMED: 'The system journal removed them before they were read.',
  UNKNOWN: 'The stream was first seen in its middle.'
})
registerEnum('RequestRule', enums.RequestRule, 'Which spans of a service count as its requests.', {
  SERVER_CONSUMER: 'Spans of kind SERVER and CONSUMER.',
  ROOT: 'Spans without a parent, because the service has no SERVER or CONSUMER spans.',
  NONE: 'No span, because the service has none of these.'
})
registerEnum('ServiceNodeKind', enums.ServiceNodeKind, 'Kind of a node in the service map.', {
  SERVICE: 'Sends spans with its own `service.name`.',
  DATABASE: 'Peer named by `db.system.name`.',
  QUEUE: 'Peer named by `messaging.system`.',
  EXTERNAL: 'Other peer, named for example by `server.address`.'
})
registerEnum('WebVital', enums.WebVital, 'A page timing. Thresholds separate GOOD, NEEDS_IMPROVEMENT and POOR.', {
  LCP: 'Largest Contentful Paint in milliseconds; thresholds 2,500 and 4,000.',
  CLS: 'Cumulative Layout Shift, without unit; thresholds 0.1 and 0.25.',
  FID: 'First Input Delay in milliseconds; thresholds 100 and 300.',
  INP: 'Interaction to Next Paint in milliseconds; thresholds 200 and 500.',
  FCP: 'First Contentful Paint in milliseconds; thresholds 1,800 and 3,000.',
  TTFB: 'Time to First Byte in milliseconds; thresholds 800 and 1,800.',
  TTI: 'Time to Interactive in milliseconds; no thresholds.',
  TBT: 'Total Blocking Time in milliseconds; no thresholds.',
  DOM_CONTENT_LOADED: 'End of the `DOMContentLoaded` event in milliseconds; no thresholds.',
  LOAD: 'End of the `load` event in milliseconds; no thresholds.'
})
registerEnum('RumDimension', enums.RumDimension, 'Attribute to group page views by.', {
  PAGE_GROUP: 'URL without query and fragment, ids in the path replaced by `:id`.',
  PAGE_URL: 'URL as sent.',
  BROWSER: 'Browser name.',
  OS: 'Operating system.',
  DEVICE_TYPE: 'Device class, for example `mobile`.',
  COUNTRY: 'ISO 3166-1 alpha-2 code.',
  CONNECTION_TYPE: 'Network type, for example `4g`.',
  RELEASE: 'Version of the page.'
})
registerEnum('VitalRating', enums.VitalRating, 'Rating of a page timing at its 75th percentile.', {
  GOOD: 'At most the first threshold.',
  NEEDS_IMPROVEMENT: 'Above the first threshold, at most the second.',
  POOR: 'Above the second threshold.'
})
