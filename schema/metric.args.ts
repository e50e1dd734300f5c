import { ArgsType, Field, Int, InputType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { Duration } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'
import { LabelMatchOp, MetricAggregation, type ValueOf } from './enums.js'

@InputType('LabelMatcher', { description: 'A condition on a label. An absent label is the empty string.' })
class LabelMatcherInput {
  @Field(() => String, { description: 'Label name as in PromQL.' }) name!: string
  @Field(() => LabelMatchOp, { defaultValue: LabelMatchOp.EQ, description: 'Comparison operator.' })
  op!: ValueOf<typeof LabelMatchOp>
  @Field(() => String, { description: 'Value, or regular expression (RE2) that must match the whole value.' }) value!: string
}

@InputType('MetricQuery', { description: 'Selects and aggregates the series of one metric, without PromQL.' })
export class MetricQueryInput {
  @Field(() => String, { nullable: true, description: 'Name that the resulting series repeat.' }) ref?: string | null
  @Field(() => String, { description: 'Metric name as in PromQL.' }) metric!: string
  @Field(() => [LabelMatcherInput], { nullable: true, description: 'Label conditions, at most 32. All must match.' })
  match?: LabelMatcherInput[] | null
  @Field(() => MetricAggregation, {
    defaultValue: MetricAggregation.AVG,
    description: 'Function that reduces the samples of a step to one value.'
  })
  aggregation!: ValueOf<typeof MetricAggregation>
  @Field(() => [String], {
    nullable: true,
    description: 'Labels to group by. Absent: one series per stored series; empty: one series in total.'
  })
  by?: string[] | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Maximum number of series, 1 to 1,000.' })
  limit?: number | null
}

/** Arguments of `metrics`. */
@ArgsType()
export class MetricsArgs {
  @Field(() => TimeRangeInput, { description: 'Metrics without a sample since `from` are left out of the page.' })
  range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: 'Only names that contain this substring.' }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Names per page, at most 500.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

/** Arguments of `metricLabels`. */
@ArgsType()
export class MetricLabelsArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: 'Only labels of this metric.' }) metric?: string | null
  @Field(() => [LabelMatcherInput], { nullable: true, description: 'Label conditions, at most 32. All must match.' })
  match?: LabelMatcherInput[] | null
}

/** Arguments of `metricRange`. */
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
