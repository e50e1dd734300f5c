import { ArgsType, Field, ID, Int } from 'type-graphql'
import { ServiceOrder, type ValueOf } from './enums.js'
import { LogFilterInput } from './log.input.js'
import { TimeRangeInput } from './shared.input.js'
import { TraceFilterInput } from './trace.input.js'

@ArgsType()
export class ServicesArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => String, { nullable: true }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 100 }) first!: number | null
  @Field(() => ServiceOrder, { nullable: true, defaultValue: ServiceOrder.NAME }) orderBy!: ValueOf<typeof ServiceOrder> | null
}

@ArgsType()
export class RangeArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
}

@ArgsType()
export class ApdexArgs extends RangeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 500 }) thresholdMs!: number | null
}

@ArgsType()
export class RedSeriesArgs extends RangeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 60 }) buckets!: number | null
}

@ArgsType()
export class OperationsArgs extends RangeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50 }) first!: number | null
}

@ArgsType()
export class OrderedOperationsArgs extends OperationsArgs {
  @Field(() => ServiceOrder, { nullable: true, defaultValue: ServiceOrder.RATE }) orderBy!: ValueOf<typeof ServiceOrder> | null
}

@ArgsType()
export class ServiceMapArgs extends RangeArgs {
  @Field(() => ID, { nullable: true }) service?: string | null
  @Field(() => Int, { nullable: true }) depth?: number | null
}

@ArgsType()
export class ServiceTracesArgs extends RangeArgs {
  @Field(() => TraceFilterInput, { nullable: true }) filter?: TraceFilterInput | null
  @Field(() => Int, { nullable: true, defaultValue: 20 }) first?: number | null
  @Field(() => String, { nullable: true }) after?: string | null
}

@ArgsType()
export class ServiceLogsArgs extends RangeArgs {
  @Field(() => LogFilterInput, { nullable: true }) filter?: LogFilterInput | null
  @Field(() => Int, { nullable: true, defaultValue: 100 }) first?: number | null
  @Field(() => String, { nullable: true }) after?: string | null
}
