import { Field, InputType, Int } from 'type-graphql'
import { LabelMatchOp, MetricAggregation, type ValueOf } from './enums.js'

@InputType('LabelMatcher', { description: 'A condition on a label. An absent label is the empty string.' })
export class LabelMatcherInput {
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
