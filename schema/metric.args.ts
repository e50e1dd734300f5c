import { ArgsType, Field, Int } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { LabelMatcherInput, MetricQueryInput } from './metric.input.js'
import { Duration } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
export class MetricsArgs {
  @Field(() => TimeRangeInput, { description: 'Metrics without a sample since `from` are left out of the page.' })
  range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: 'Only names that contain this substring.' }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Names per page, at most 500.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

@ArgsType()
export class MetricLabelsArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: 'Only labels of this metric.' }) metric?: string | null
  @Field(() => [LabelMatcherInput], { nullable: true, description: 'Label conditions, at most 32. All must match.' })
  match?: LabelMatcherInput[] | null
}

@ArgsType()
export class MetricRangeArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => Duration, {
    nullable: true,
    description: 'Distance of the grid points. Default: the shortest round step that keeps `maxPoints`.'
  })
  step?: number | null
  @Field(() => Int, {
    nullable: true,
    defaultValue: 300,
    description: 'Maximum number of points when `step` is absent, 1 to 11,000.'
  })
  maxPoints!: number
  @Field(() => [MetricQueryInput], { description: '1 to 20 queries.' }) queries!: MetricQueryInput[]
}
