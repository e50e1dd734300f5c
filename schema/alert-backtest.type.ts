import { Field, Float, Int, ObjectType } from 'type-graphql'
import { AlertState, type ValueOf } from './enums.js'
import { READ } from './descriptions.js'
import { Duration, Timestamp } from './scalars.js'
import { LabelType, QueryStatsType } from './shared.type.js'

@ObjectType('BacktestInterval', { description: 'A time in which an alert had one state.' })
export class BacktestIntervalType {
  @Field(() => AlertState, { description: 'Its state in this time.' }) state!: ValueOf<typeof AlertState>
  @Field(() => Timestamp, { description: 'Start, inclusive: an evaluation.' }) from!: bigint
  @Field(() => Timestamp, { description: 'End, exclusive.' }) to!: bigint
  @Field(() => Float, { nullable: true, description: 'Value farthest beyond the threshold; null for states without values.' })
  peak!: number | null
}

@ObjectType('BacktestInstance', { description: 'An alert that the rule would have had.' })
export class BacktestInstanceType {
  @Field(() => [LabelType], { description: 'As in `AlertInstance`.' }) labels!: readonly LabelType[]
  @Field(() => [BacktestIntervalType], { description: 'When it had which state, in order of time.' })
  intervals!: readonly BacktestIntervalType[]
}

@ObjectType('BacktestSuggestion', { description: 'A change of the rule with fewer notifications.' })
export class BacktestSuggestionType {
  @Field(() => Float, { nullable: true, description: 'Other threshold; null when it stays as it is.' }) threshold!: number | null
  @Field(() => Duration, { description: 'Longer `for` of the rule.' }) for!: number
  @Field(() => Float, { description: 'Notifications of a week with it.' }) perWeek!: number
}

@ObjectType('AlertBacktest', { description: 'What a rule would have done: its evaluation over the past.' })
export class AlertBacktestType {
  @Field(() => [BacktestInstanceType], { description: 'Alerts by labels.' }) instances!: readonly BacktestInstanceType[]
  @Field(() => Int, { description: 'Times at which the first of its alerts began to fire.' }) notifications!: number
  @Field(() => Float, { description: 'The same, of a week.' }) perWeek!: number
  @Field(() => Int, { description: 'Alerts that fired again within 15 minutes.' }) flaps!: number
  @Field(() => [BacktestSuggestionType], { description: 'Changes with fewer notifications, at most 3.' })
  suggestions!: readonly BacktestSuggestionType[]
  @Field(() => Int, { description: 'Steps that were evaluated.' }) evaluations!: number
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
