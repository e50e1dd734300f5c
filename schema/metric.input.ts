import { Field, InputType, Int } from 'type-graphql'
import { LabelMatchOp, MetricAggregation, type ValueOf } from './enums.js'

@InputType('LabelMatcher')
export class LabelMatcherInput {
  @Field(() => String) name!: string
  @Field(() => LabelMatchOp, { defaultValue: LabelMatchOp.EQ }) op!: ValueOf<typeof LabelMatchOp>
  @Field(() => String) value!: string
}

@InputType('MetricQuery', { description: 'One line of a chart, for those who do not write PromQL.' })
export class MetricQueryInput {
  @Field(() => String, { nullable: true }) ref?: string | null
  @Field(() => String) metric!: string
  @Field(() => [LabelMatcherInput], { nullable: true }) match?: LabelMatcherInput[] | null
  @Field(() => MetricAggregation, { defaultValue: MetricAggregation.AVG }) aggregation!: ValueOf<typeof MetricAggregation>
  @Field(() => [String], { nullable: true }) by?: string[] | null
  @Field(() => Int, { nullable: true, defaultValue: 50 }) limit?: number | null
}
