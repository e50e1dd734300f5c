import { Extensions, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { OperationChange, SpanKind, SpanStatus, type ValueOf } from './enums.js'
import { JSONObject, SafeInt, Timestamp } from './scalars.js'
import { TimeWindowType } from './shared.type.js'

const OFFSET = 'From the start of the trace.'

@ObjectType('ServiceSpanCount')
export class ServiceSpanCountType {
  @Field(() => String, { description: 'Empty for spans that name no service.' }) service!: string
  @Field(() => Int) spans!: number
  @Field(() => Int) errors!: number
}

@ObjectType('TraceSummary', { description: 'A trace in a list, summed up over all its spans.' })
export class TraceSummaryType {
  @Field(() => ID) traceId!: string
  @Field(() => Timestamp) startTime!: bigint
  @Field(() => Float) durationMs!: number
  @Field(() => String, { nullable: true }) rootService!: string | null
  @Field(() => String, { nullable: true }) rootOperation!: string | null
  @Field(() => [ServiceSpanCountType]) services!: readonly ServiceSpanCountType[]
  @Field(() => Int) spanCount!: number
  @Field(() => Int) errorCount!: number
  @Field(() => SpanStatus, { description: 'ERROR when any span has failed.' }) status!: ValueOf<typeof SpanStatus>
  @Field(() => Boolean, { description: 'A span names a parent that is not stored, or there is no root.' })
  hasMissingSpans!: boolean
}

@ObjectType('TraceEdge')
export class TraceEdgeType {
  @Field(() => String) cursor!: string
  @Field(() => TraceSummaryType) node!: TraceSummaryType
}

@ObjectType('DurationHistogram', {
  description:
    '`counts[i]` spans last at most `boundsMs[i]` and longer than the bound before; the last count is of what lasts longer.'
})
export class DurationHistogramType {
  @Field(() => [Float]) boundsMs!: readonly number[]
  @Field(() => [SafeInt]) counts!: readonly number[]
  @Field(() => Float, { nullable: true }) p50Ms!: number | null
  @Field(() => Float, { nullable: true }) p90Ms!: number | null
  @Field(() => Float, { nullable: true }) p99Ms!: number | null
}

@ObjectType('TraceConnection', {
  description: 'Traces with a span that matches. Histogram, durations and facets count the spans that match.'
})
export class TraceConnectionType {
  @Field(() => TimeWindowType) window!: TimeWindowType
}

@ObjectType('SpanEvent')
export class SpanEventType {
  @Field(() => String) name!: string
  @Field(() => Timestamp) timestamp!: bigint
  @Field(() => JSONObject) attributes!: object
}

@ObjectType('SpanLink')
export class SpanLinkType {
  @Field(() => ID) traceId!: string
  @Field(() => ID) spanId!: string
  @Field(() => JSONObject) attributes!: object
}

@ObjectType('SpanException')
export class SpanExceptionType {
  @Field(() => String, { nullable: true }) type!: string | null
  @Field(() => String, { nullable: true }) message!: string | null
  @Field(() => String, { nullable: true }) stacktrace!: string | null
  @Field(() => Timestamp) timestamp!: bigint
}

@ObjectType('Span')
export class SpanType {
  @Field(() => ID) spanId!: string
  @Field(() => ID) traceId!: string
  @Field(() => ID, { nullable: true }) parentSpanId!: string | null
  @Field(() => String, { description: 'Empty when the span names none.' }) service!: string
  @Field(() => String, { nullable: true }) host!: string | null
  @Field(() => String) operation!: string
  @Field(() => SpanKind) kind!: ValueOf<typeof SpanKind>
  @Field(() => SpanStatus) status!: ValueOf<typeof SpanStatus>
  @Field(() => String, { nullable: true }) statusMessage!: string | null
  @Field(() => Timestamp) startTime!: bigint
  @Field(() => Float) durationMs!: number
  @Field(() => JSONObject) attributes!: object
  @Field(() => JSONObject) resource!: object
  @Field(() => String, { nullable: true, description: 'Instrumentation scope.' }) scope!: string | null
  // A span has few of each: an entry costs as one.
  @Extensions({ entries: 1 })
  @Field(() => [SpanEventType])
  events!: readonly SpanEventType[]
  @Extensions({ entries: 1 })
  @Field(() => [SpanLinkType])
  links!: readonly SpanLinkType[]
  @Extensions({ entries: 1 })
  @Field(() => [SpanExceptionType])
  exceptions!: readonly SpanExceptionType[]
}

@ObjectType('CriticalPathSegment')
export class CriticalPathSegmentType {
  @Field(() => ID) spanId!: string
  @Field(() => Float, { description: OFFSET }) startOffsetMs!: number
  @Field(() => Float) durationMs!: number
}

@ObjectType('ServiceShare', { description: 'What a service did in a trace.' })
export class ServiceShareType extends ServiceSpanCountType {
  @Field(() => Float, { description: 'Sum of the self times of its spans.' }) selfTimeMs!: number
  @Field(() => Float, { description: 'Its part of the critical path.' }) criticalMs!: number
}

@ObjectType('Trace')
export class TraceType {
  @Field(() => ID) traceId!: string
  @Field(() => [String], { description: 'Why it has another id than the requested one.' }) warnings!: readonly string[]
}

@ObjectType('OperationTotals')
export class OperationTotalsType {
  @Field(() => Int) spans!: number
  @Field(() => Int) errors!: number
  @Field(() => Float) totalMs!: number
  @Field(() => Float) meanMs!: number
  @Field(() => Float) selfTimeMs!: number
}

@ObjectType('OperationComparison', {
  description:
    'An operation (service, name, kind) of two traces. Slowed or sped up: the mean duration changed by more than a tenth.'
})
export class OperationComparisonType {
  @Field(() => String, { description: 'Empty for spans that name no service.' }) service!: string
  @Field(() => String) operation!: string
  @Field(() => SpanKind) kind!: ValueOf<typeof SpanKind>
  @Field(() => OperationChange) change!: ValueOf<typeof OperationChange>
  @Field(() => OperationTotalsType, { nullable: true }) base!: OperationTotalsType | null
  @Field(() => OperationTotalsType, { nullable: true }) other!: OperationTotalsType | null
  @Field(() => Float, { description: 'What the operation itself added.' }) selfTimeDeltaMs!: number
}

@ObjectType('TraceComparison', { description: 'Two traces side by side; operations whose own time differs most come first.' })
export class TraceComparisonType {
  @Field(() => TraceType) base!: TraceType
  @Field(() => TraceType) other!: TraceType
  @Field(() => [OperationComparisonType]) operations!: readonly OperationComparisonType[]
}
