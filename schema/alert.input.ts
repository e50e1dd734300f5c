import { ArgsType, Field, Float, ID, InputType, Int } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { AlertSeverity, ThresholdOp, type ValueOf } from './enums.js'
import { Duration, JSONObject } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

@InputType('LabelInput', { description: 'A label or an annotation.' })
export class LabelInput {
  @Field(() => String, { description: 'Up to 256 characters.' }) name!: string
  @Field(() => String, { description: 'Value; a template in rules.' }) value!: string
}

@InputType('AlertGroupInput', { description: 'A group of alert rules to store.' })
export class AlertGroupInput {
  @Field(() => String, { description: 'Name, unique in the namespace.' }) name!: string
  @Field(() => Duration, { nullable: true, defaultValue: 60_000, description: 'Whole seconds, `10s` to `1h`.' })
  interval?: number | null
  @Field(() => Int, { nullable: true, description: 'Alerts of one rule, beyond which its evaluation fails; default 1,000.' })
  limit?: number | null
  @Field(() => Duration, {
    nullable: true,
    description: 'How far before the evaluation time data is read; default `0s` with PromQL and `15s` with logs and spans.'
  })
  queryOffset?: number | null
}

@InputType('AlertRuleInput', {
  description: 'An alert rule to store. Exactly one of `alert` and `record`, and one of `expr` and `condition`, is required.'
})
export class AlertRuleInput {
  @Field(() => ID, { nullable: true, description: 'Group of the rule; default: the group `default`, or the present one.' })
  groupId?: string | null
  @Field(() => String, { nullable: true, description: 'Name of an alerting rule.' }) alert?: string | null
  @Field(() => String, { nullable: true, description: 'Name of the metric that a recording rule writes.' })
  record?: string | null
  @Field(() => String, { nullable: true, description: 'PromQL.' }) expr?: string | null
  @Field(() => JSONObject, { nullable: true, description: '`logs`, `spans`, `traces`, `event` or `absence`, as in REST.' })
  condition?: object | null
  @Field(() => ThresholdOp, { nullable: true, description: 'How the value is compared with `threshold`.' })
  op?: ValueOf<typeof ThresholdOp> | null
  @Field(() => Float, { nullable: true, description: 'Value to compare with.' }) threshold?: number | null
  @Field(() => Float, { nullable: true, description: 'Upper bound of OUTSIDE and INSIDE.' }) upper?: number | null
  @Field(() => Duration, { nullable: true, description: 'How long the condition is met before the alert fires; default `0s`.' })
  for?: number | null
  @Field(() => Duration, {
    nullable: true,
    description: 'How long the alert fires after the condition was met last; default `0s`.'
  })
  keepFiringFor?: number | null
  @Field(() => [Int], { nullable: true, description: 'Fires when n of the last m evaluations meet the condition: [n, m].' })
  forNOfM?: number[] | null
  @Field(() => String, { nullable: true, description: 'State without data: `nodata` (default), `ok`, `keep` or `firing`.' })
  noData?: string | null
  @Field(() => String, { nullable: true, description: 'State after failed evaluations: `error` (default), `keep` or `firing`.' })
  onError?: string | null
  @Field(() => [LabelInput], { nullable: true, description: 'Labels of its alerts; values are templates.' })
  labels?: LabelInput[] | null
  @Field(() => [LabelInput], { nullable: true, description: 'Annotations of its alerts; values are templates.' })
  annotations?: LabelInput[] | null
  @Field(() => AlertSeverity, { nullable: true, description: 'Label `severity`; absent for none.' })
  severity?: ValueOf<typeof AlertSeverity> | null
  @Field(() => Boolean, { nullable: true, description: 'Whether the rule is evaluated; default true.' }) enabled?: boolean | null
  @Field(() => String, { nullable: true, description: 'What to do about its alerts: an http or https URL.' })
  runbookUrl?: string | null
}

/** Arguments of `alertEvents`. */
@ArgsType()
export class AlertEventsArgs {
  @Field(() => TimeRangeInput, { description: 'Window of evaluation times.' }) range!: TimeRangeInput
  @Field(() => [ID], { nullable: true, description: 'Only events of these rules; absent: all rules.' }) ruleIds?: string[] | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Events per page, 0 to 500.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
