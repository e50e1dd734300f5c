import { ArgsType, Field, ID, Int } from 'type-graphql'
import { SortDirection, TraceOrder, type ValueOf } from './enums.js'
import { Timestamp } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'
import { TraceFilterInput } from './trace.input.js'

@ArgsType()
class TraceScopeArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => TraceFilterInput, { nullable: true }) filter?: TraceFilterInput | null
}

@ArgsType()
export class TracesArgs extends TraceScopeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50 }) first?: number | null
  @Field(() => String, { nullable: true }) after?: string | null
  @Field(() => TraceOrder, { nullable: true, defaultValue: TraceOrder.START_TIME }) orderBy!: ValueOf<typeof TraceOrder>
  @Field(() => SortDirection, { nullable: true, defaultValue: SortDirection.DESC }) order!: ValueOf<typeof SortDirection>
}

@ArgsType()
export class TraceArgs {
  @Field(() => ID, { description: 'In any capitalisation, with or without leading zeros; or its last 16 digits.' })
  traceId!: string
  @Field(() => Timestamp, { nullable: true, description: 'A known time; traces are found without it.' }) around?: string | null
}

@ArgsType()
export class TraceFieldsArgs extends TraceScopeArgs {
  @Field(() => String, { nullable: true }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 200 }) limit!: number
}

@ArgsType()
export class TraceFieldValuesArgs extends TraceScopeArgs {
  @Field(() => String) field!: string
  @Field(() => String, { nullable: true }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 50 }) limit!: number
}

@ArgsType()
export class DurationsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 40 }) buckets!: number
}

@ArgsType()
export class SpansArgs {
  @Field(() => Int, { nullable: true, defaultValue: 2_000 }) limit!: number
}

@ArgsType()
export class TraceLogsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 200 }) first?: number | null
  @Field(() => String, { nullable: true }) after?: string | null
}

@ArgsType()
export class SpanLogsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 100 }) first?: number | null
  @Field(() => String, { nullable: true }) after?: string | null
}

@ArgsType()
export class CompareTracesArgs {
  @Field(() => ID) base!: string
  @Field(() => ID) other!: string
}
