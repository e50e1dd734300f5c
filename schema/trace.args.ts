import { ArgsType, Field, ID, Int, InputType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { SortDirection, TraceOrder, type ValueOf, SpanKind, SpanStatus, TraceScope } from './enums.js'
import { Timestamp, Duration } from './scalars.js'
import { TimeRangeInput, FieldFilterInput } from './shared.input.js'

@InputType('TraceFilter', {
  description:
    'Conditions on traces. All conditions on spans must match the same span. Fields: `name`, `service`, `kind`, `status`, `duration_ns`, `attributes.x`, `resource.x` and others.'
})
export class TraceFilterInput {
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => [String], { nullable: true, description: 'Spans of any of these services.' }) services?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Spans with any of these names.' }) operations?: string[] | null
  @Field(() => [SpanKind], { nullable: true, description: 'Spans of any of these kinds.' })
  kinds?: ValueOf<typeof SpanKind>[] | null
  @Field(() => [SpanStatus], { nullable: true, description: 'Spans with any of these statuses.' })
  statuses?: ValueOf<typeof SpanStatus>[] | null
  @Field(() => Duration, { nullable: true, description: 'Shortest duration, inclusive; `us` and `ns` are valid units too.' })
  minDuration?: number | null
  @Field(() => Duration, { nullable: true, description: 'Longest duration, inclusive; `us` and `ns` are valid units too.' })
  maxDuration?: number | null
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Only spans without a parent.' })
  rootOnly?: boolean | null
  @Field(() => Boolean, { nullable: true, description: 'Whether any span of the trace, matching or not, has status ERROR.' })
  hasError?: boolean | null
  @Field(() => TraceScope, {
    nullable: true,
    defaultValue: TraceScope.TRACE,
    description: 'Whether `minDuration` and `maxDuration` apply to whole traces or to spans.'
  })
  scope?: ValueOf<typeof TraceScope> | null
}

@ArgsType()
class TraceScopeArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => TraceFilterInput, { nullable: true, description: 'Conditions on the traces; absent: all traces.' })
  filter?: TraceFilterInput | null
}

/** Arguments of `traces`. */
@ArgsType()
export class TracesArgs extends TraceScopeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Traces per page, at most 200.' }) first?: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
  @Field(() => TraceOrder, { nullable: true, defaultValue: TraceOrder.START_TIME, description: 'Sort key.' })
  orderBy!: ValueOf<typeof TraceOrder>
  @Field(() => SortDirection, {
    nullable: true,
    defaultValue: SortDirection.DESC,
    description: 'Sort direction; DESC is latest or longest first.'
  })
  order!: ValueOf<typeof SortDirection>
}

/** Arguments of `trace`. */
@ArgsType()
export class TraceArgs {
  @Field(() => ID, {
    description: '1 to 32 hexadecimal digits, case-insensitive, leading zeros optional; or its last 16 digits.'
  })
  traceId!: string
  @Field(() => Timestamp, {
    nullable: true,
    description:
      'A time at which the trace ran, for example that of a log. Decides between traces that share the last 16 digits: the only one within 1 h of it is found.'
  })
  around?: string | null
}

/** Arguments of `span`. */
@ArgsType()
export class SpanArgs {
  @Field(() => ID, { description: 'Trace of the span, as for `trace`.' }) traceId!: string
  @Field(() => ID, { description: '1 to 16 hexadecimal digits, case-insensitive, leading zeros optional.' }) spanId!: string
}

/** Arguments of `traceFields`. */
@ArgsType()
export class TraceFieldsArgs extends TraceScopeArgs {
  @Field(() => String, { nullable: true, description: 'Only field names that contain this substring, case-insensitive.' })
  contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 200, description: 'Maximum number of fields, 1 to 1,000.' }) limit!: number
}

/** Arguments of `traceFieldValues`. */
@ArgsType()
export class TraceFieldValuesArgs extends TraceScopeArgs {
  @Field(() => String, { description: 'Well-known field of a span, or path into `attributes` or `resource`.' }) field!: string
  @Field(() => String, { nullable: true, description: 'Only values that contain this substring, case-insensitive.' })
  contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Maximum number of values, 1 to 1,000.' }) limit!: number
}

/** Arguments of `durations`. */
@ArgsType()
export class DurationsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 40, description: 'Number of buckets, 3 to 200.' }) buckets!: number
}

/** Arguments of `heatmap`. */
@ArgsType()
export class HeatmapArgs {
  @Field(() => Int, { nullable: true, defaultValue: 60, description: 'Number of time buckets, 1 to 300.' }) buckets!: number
}

/** Arguments of `points`. */
@ArgsType()
export class TracePointsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 2_000, description: 'Maximum number of traces, 1 to 2,000.' }) limit!: number
}

/** Arguments of `spans`. */
@ArgsType()
export class SpansArgs {
  @Field(() => Int, { nullable: true, defaultValue: 2_000, description: 'Maximum number of spans, at most 20,000.' })
  limit!: number
}

/** Arguments of `logs`. */
@ArgsType()
export class TraceLogsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 200, description: 'Records per page, at most 5,000.' }) first?: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

/** Arguments of `logs`. */
@ArgsType()
export class SpanLogsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Records per page, at most 5,000.' }) first?: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

/** Arguments of `compareTraces`. */
@ArgsType()
export class CompareTracesArgs {
  @Field(() => ID, { description: 'Id of the trace to compare with.' }) base!: string
  @Field(() => ID, { description: 'Id of the trace that is compared.' }) other!: string
}
