import { Extensions, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { OperationChange, SpanKind, SpanStatus, type ValueOf } from './enums.js'
import { JSONObject, SafeInt, Timestamp } from './scalars.js'
import { GridType, TimeWindowType } from './shared.type.js'

const OFFSET = 'Milliseconds from the start of the trace.'

@ObjectType('ServiceSpanCount', { description: 'Span counts of one service in a trace.' })
export class ServiceSpanCountType {
  @Field(() => String, { description: 'Service name; empty for spans without `service.name`.' }) service!: string
  @Field(() => Int, { description: 'Number of spans of the service.' }) spans!: number
  @Field(() => Int, { description: 'Number of its spans with status ERROR.' }) errors!: number
}

@ObjectType('TraceSummary', {
  description: 'A trace in a list, computed over all its stored spans, also those outside the window.'
})
export class TraceSummaryType {
  @Field(() => ID, { description: '32 lower-case hexadecimal digits.' }) traceId!: string
  @Field(() => Timestamp, { description: 'Earliest start of its spans.' }) startTime!: bigint
  @Field(() => Float, { description: 'Milliseconds from the earliest start to the latest end.' }) durationMs!: number
  @Field(() => String, {
    nullable: true,
    description: 'Service of the root span, or of the earliest span whose parent is not stored.'
  })
  rootService!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Span name of the root span, or of the earliest span whose parent is not stored.'
  })
  rootOperation!: string | null
  @Field(() => [ServiceSpanCountType], { description: 'Services of the trace, most spans first.' })
  services!: readonly ServiceSpanCountType[]
  @Field(() => Int, { description: 'Number of stored spans; a span that was sent twice counts once.' }) spanCount!: number
  @Field(() => Int, { description: 'Number of spans with status ERROR.' }) errorCount!: number
  @Field(() => SpanStatus, { description: 'ERROR when any span has status ERROR, else UNSET.' })
  status!: ValueOf<typeof SpanStatus>
  @Field(() => Boolean, { description: 'True when a parent span is not stored, or the trace has no root span.' })
  hasMissingSpans!: boolean
}

@ObjectType('TraceEdge', { description: 'A trace with its cursor.' })
export class TraceEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => TraceSummaryType, { description: 'Summary of the trace.' }) node!: TraceSummaryType
}

@ObjectType('DurationHistogram', {
  description:
    'Spans by duration: `counts[i]` spans last longer than `boundsMs[i - 1]` and at most `boundsMs[i]`. The last count has the spans above all bounds.'
})
export class DurationHistogramType {
  @Field(() => [Float], {
    description: 'Upper bounds in milliseconds, logarithmic from 0.001 to 1,000,000, independent of the data.'
  })
  boundsMs!: readonly number[]
  @Field(() => [SafeInt], { description: 'Spans per bucket, one more entry than `boundsMs`.' }) counts!: readonly number[]
  @Field(() => Float, {
    nullable: true,
    description: 'Median in milliseconds; null without spans. Search stores estimate within 2 %.'
  })
  p50Ms!: number | null
  @Field(() => Float, {
    nullable: true,
    description: '90th percentile in milliseconds; null without spans. Search stores estimate within 2 %.'
  })
  p90Ms!: number | null
  @Field(() => Float, {
    nullable: true,
    description: '99th percentile in milliseconds; null without spans. Search stores estimate within 2 %.'
  })
  p99Ms!: number | null
}

@ObjectType('DurationHeatmap', {
  description:
    'Spans by start and duration: `counts[i][j]` spans start in bucket `j` of `grid` and last longer than `boundsMs[i - 1]` and at most `boundsMs[i]`. The last list has the spans above all bounds.'
})
export class DurationHeatmapType {
  @Field(() => GridType, { description: 'Time buckets; the last one can end after the window.' }) grid!: GridType
  @Field(() => [Float], {
    description: 'Upper bounds in milliseconds, logarithmic from 0.001 to 1,000,000, independent of the data.'
  })
  boundsMs!: readonly number[]
  @Field(() => [[SafeInt]], {
    description: 'A list per bucket of duration, one more than `boundsMs`, of counts per time bucket.'
  })
  counts!: readonly (readonly number[])[]
}

@ObjectType('TracePoints', { description: 'Traces by start and duration, as parallel lists, latest first.' })
export class TracePointsType {
  @Field(() => [ID], { description: 'Ids of 32 lower-case hexadecimal digits.' }) traceIds!: readonly string[]
  @Field(() => [Timestamp], { description: 'Earliest start of the spans of each trace.' }) starts!: readonly bigint[]
  @Field(() => [Float], { description: 'Milliseconds from the earliest start to the latest end.' })
  durationsMs!: readonly number[]
  @Field(() => [Boolean], { description: 'Whether a span of the trace has status ERROR.' }) errors!: readonly boolean[]
  @Field(() => SafeInt, {
    description: 'Number of matching traces that are not in the lists; a lower bound where `total` is one.'
  })
  omitted!: number
}

@ObjectType('TraceConnection', {
  description: 'Traces with at least one matching span. Histogram, durations and facets count the matching spans.'
})
export class TraceConnectionType {
  @Field(() => TimeWindowType, { description: READ.window }) window!: TimeWindowType
}

@ObjectType('SpanEvent', { description: 'An event that the span recorded.' })
export class SpanEventType {
  @Field(() => String, { description: 'Event name, for example `exception`.' }) name!: string
  @Field(() => Timestamp, { description: 'Time at which the event occurred.' }) timestamp!: bigint
  @Field(() => JSONObject, { description: 'Event attributes as sent.' }) attributes!: object
}

@ObjectType('SpanLink', { description: 'A causal relation to a span of this or another trace.' })
export class SpanLinkType {
  @Field(() => ID, { description: 'Trace of the linked span; 32 lower-case hexadecimal digits.' }) traceId!: string
  @Field(() => ID, { description: 'Linked span; 16 lower-case hexadecimal digits.' }) spanId!: string
  @Field(() => JSONObject, { description: 'Link attributes as sent.' }) attributes!: object
}

@ObjectType('SpanException', { description: 'An `exception` event of a span, after the semantic conventions of OpenTelemetry.' })
export class SpanExceptionType {
  @Field(() => String, { nullable: true, description: 'Attribute `exception.type`; null when absent or empty.' })
  type!: string | null
  @Field(() => String, { nullable: true, description: 'Attribute `exception.message`; null when absent or empty.' })
  message!: string | null
  @Field(() => String, { nullable: true, description: 'Attribute `exception.stacktrace`; null when absent or empty.' })
  stacktrace!: string | null
  @Field(() => Timestamp, { description: 'Time of the event.' }) timestamp!: bigint
}

@ObjectType('Span', { description: 'One operation of a trace (OpenTelemetry `Span`).' })
export class SpanType {
  @Field(() => ID, { description: '16 lower-case hexadecimal digits.' }) spanId!: string
  @Field(() => ID, { description: '32 lower-case hexadecimal digits.' }) traceId!: string
  @Field(() => ID, { nullable: true, description: 'Parent span; null for a root span.' }) parentSpanId!: string | null
  @Field(() => String, { description: 'Resource attribute `service.name`; empty when absent.' }) service!: string
  @Field(() => String, { nullable: true, description: 'Resource attribute `host.name`.' }) host!: string | null
  @Field(() => String, { description: 'Span name.' }) operation!: string
  @Field(() => SpanKind, { description: 'Role of the span in a call.' }) kind!: ValueOf<typeof SpanKind>
  @Field(() => SpanStatus, { description: 'Outcome as the instrumentation set it.' }) status!: ValueOf<typeof SpanStatus>
  @Field(() => String, { nullable: true, description: 'Description of the status; null when absent.' })
  statusMessage!: string | null
  @Field(() => Timestamp, { description: 'Start of the operation.' }) startTime!: bigint
  @Field(() => Float, { description: 'End minus start in milliseconds; 0 when the end precedes the start.' }) durationMs!: number
  @Field(() => JSONObject, { description: 'Span attributes as sent.' }) attributes!: object
  @Field(() => JSONObject, { description: 'Attributes of the resource, and of the scope under `otel.scope.*`.' })
  resource!: object
  @Field(() => String, { nullable: true, description: 'Name of the instrumentation scope; null when absent.' })
  scope!: string | null
  // A span has few of each: an entry costs as one.
  @Extensions({ entries: 1 })
  @Field(() => [SpanEventType], { description: 'Events of the span as sent.' })
  events!: readonly SpanEventType[]
  @Extensions({ entries: 1 })
  @Field(() => [SpanLinkType], { description: 'Links to other spans.' })
  links!: readonly SpanLinkType[]
  @Extensions({ entries: 1 })
  @Field(() => [SpanExceptionType], { description: 'Events with the name `exception`.' })
  exceptions!: readonly SpanExceptionType[]
}

@ObjectType('CriticalPathSegment', { description: 'A section of the critical path.' })
export class CriticalPathSegmentType {
  @Field(() => ID, { description: 'Span that determines the duration of the trace in this section.' }) spanId!: string
  @Field(() => Float, { description: OFFSET }) startOffsetMs!: number
  @Field(() => Float, { description: 'Length of the section in milliseconds.' }) durationMs!: number
}

@ObjectType('ServiceShare', { description: 'Contribution of a service to a trace.' })
export class ServiceShareType extends ServiceSpanCountType {
  @Field(() => Float, { description: 'Sum of the self times of its spans, in milliseconds.' }) selfTimeMs!: number
  @Field(() => Float, { description: 'Time of its spans on the critical path, in milliseconds.' }) criticalMs!: number
}

@ObjectType('TraceOutline', {
  description:
    'All spans of a trace as parallel lists, in the order of the tree: entry i of each list belongs to the same span. Times are rounded to 1 microsecond, in traces over 1 s to a millionth of the trace.'
})
export class TraceOutlineType {
  @Field(() => [String], { description: 'Service names; empty string for spans without `service.name`.' })
  serviceNames!: readonly string[]
  @Field(() => [String], { description: 'Span names.' }) operationNames!: readonly string[]
  @Field(() => [ID], { description: 'Span ids, 16 lower-case hexadecimal digits each.' }) spanIds!: readonly string[]
  @Field(() => [Int], {
    nullable: 'items',
    description: 'Index of the parent span; null for roots and for spans whose parent is not stored.'
  })
  parents!: readonly (number | null)[]
  @Field(() => [Float], { description: OFFSET }) starts!: readonly number[]
  @Field(() => [Float], { description: 'Durations in milliseconds.' }) durations!: readonly number[]
  @Field(() => [Float], {
    nullable: 'items',
    description: 'Milliseconds in which the span ran and none of its children did.'
  })
  selfTimes!: readonly (number | null)[]
  @Field(() => [Int], { description: 'Index of the service in `serviceNames`.' }) services!: readonly number[]
  @Field(() => [Int], { description: 'Index of the span name in `operationNames`.' }) operations!: readonly number[]
  @Field(() => [Int], {
    description: 'Bits: 1 status ERROR, 2 on the critical path, 4 parent not stored, 8 has an exception.'
  })
  flags!: readonly number[]
}

@ObjectType('Trace', { description: 'A trace with its spans. At most 20,000 spans are read.' })
export class TraceType {
  @Field(() => ID, { description: '32 lower-case hexadecimal digits.' }) traceId!: string
  @Field(() => [String], { description: 'Explains a trace id that differs from the requested one.' }) warnings!: readonly string[]
}

@ObjectType('OperationTotals', { description: 'Totals of one operation in a trace.' })
export class OperationTotalsType {
  @Field(() => Int, { description: 'Number of its spans.' }) spans!: number
  @Field(() => Int, { description: 'Number of its spans with status ERROR.' }) errors!: number
  @Field(() => Float, { description: 'Sum of the span durations, in milliseconds.' }) totalMs!: number
  @Field(() => Float, { description: 'Mean span duration, in milliseconds.' }) meanMs!: number
  @Field(() => Float, { description: 'Sum of the self times, in milliseconds.' }) selfTimeMs!: number
}

@ObjectType('OperationComparison', { description: 'An operation (service, span name and kind) in two traces.' })
export class OperationComparisonType {
  @Field(() => String, { description: 'Service name; empty for spans without `service.name`.' }) service!: string
  @Field(() => String, { description: 'Span name.' }) operation!: string
  @Field(() => SpanKind, { description: 'Span kind.' }) kind!: ValueOf<typeof SpanKind>
  @Field(() => OperationChange, { description: 'Presence in both traces, and change of the mean duration.' })
  change!: ValueOf<typeof OperationChange>
  @Field(() => OperationTotalsType, {
    nullable: true,
    description: 'Totals in the base trace; null when the operation is absent there.'
  })
  base!: OperationTotalsType | null
  @Field(() => OperationTotalsType, {
    nullable: true,
    description: 'Totals in the other trace; null when the operation is absent there.'
  })
  other!: OperationTotalsType | null
  @Field(() => Float, { description: 'Self time in the other trace minus self time in the base trace, in milliseconds.' })
  selfTimeDeltaMs!: number
}

@ObjectType('TraceComparison', { description: 'Two traces compared by operation.' })
export class TraceComparisonType {
  @Field(() => TraceType, { description: 'Trace to compare with.' }) base!: TraceType
  @Field(() => TraceType, { description: 'Trace that is compared.' }) other!: TraceType
  @Field(() => [OperationComparisonType], { description: 'Operations of both traces, largest difference of self time first.' })
  operations!: readonly OperationComparisonType[]
}
