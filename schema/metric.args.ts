import { ArgsType, Field, Int } from 'type-graphql'
import { LabelMatcherInput, MetricQueryInput } from './metric.input.js'
import { Duration } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
export class MetricsArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => String, { nullable: true }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 100 }) first!: number
  @Field(() => String, { nullable: true }) after?: string | null
}

@ArgsType()
export class MetricLabelsArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => String, { nullable: true }) metric?: string | null
  @Field(() => [LabelMatcherInput], { nullable: true }) match?: LabelMatcherInput[] | null
}

@ArgsType()
export class MetricRangeArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => Duration, { nullable: true }) step?: number | null
  @Field(() => Int, { nullable: true, defaultValue: 300 }) maxPoints!: number
  @Field(() => [MetricQueryInput]) queries!: MetricQueryInput[]
}
