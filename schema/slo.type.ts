import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { Slo } from '../src/domain/alerts/slo.js'
import type { ReadRules } from './alert.type.js'
import { READ } from './descriptions.js'
import { BacktestInstanceType } from './alert-backtest.type.js'
import { SloAlertKind, SloDataState, type ValueOf } from './enums.js'
import { Payload } from './payload.type.js'
import { Duration, JSONObject, Timestamp } from './scalars.js'
import { QueryStatsType } from './shared.type.js'

@ObjectType('BurnRate', { description: 'How fast an error budget is spent.' })
export class BurnRateType {
  @Field(() => Duration, { description: 'Length of the time that ends now.' }) window!: number
  @Field(() => Float, {
    nullable: true,
    description: 'At 1 the budget lasts exactly as long as the window; null without events.'
  })
  rate!: number | null
}

@ObjectType('ErrorBudgetDay', { description: 'A day of UTC, or the part of it that is in the window.' })
export class ErrorBudgetDayType {
  @Field(() => Timestamp, { description: 'Start, inclusive.' }) start!: bigint
  @Field(() => Timestamp, { description: 'End, exclusive.' }) end!: bigint
  @Field(() => Float, { description: 'Events.' }) total!: number
  @Field(() => Float, { description: 'Bad events.' }) bad!: number
  @Field(() => Float, { nullable: true, description: 'Share of good events, 0 to 1; null without events.' })
  attained!: number | null
  @Field(() => Float, { nullable: true, description: 'Burn rate of the day; null without events.' }) burnRate!: number | null
  @Field(() => Float, { nullable: true, description: 'Share of the budget of the window that it spent; null without events.' })
  consumed!: number | null
  @Field(() => Int, { description: 'Minutes that were not counted.' }) missingMinutes!: number
}

@ObjectType('SloReport', { description: 'The error budget of an SLO now. No data is never 100 %.' })
export class SloReportType {
  @Field(() => SloDataState, { description: 'What is known of the window.' }) state!: ValueOf<typeof SloDataState>
  @Field(() => Timestamp, { description: 'Start of the window, inclusive.' }) start!: bigint
  @Field(() => Timestamp, { description: 'End of the window, exclusive.' }) end!: bigint
  @Field(() => Timestamp, { nullable: true, description: 'Start of the first hour with a count; null without one.' })
  countedSince!: bigint | null
  @Field(() => Int, { description: 'Minutes of the window that were not counted.' }) missingMinutes!: number
  @Field(() => Float, { description: 'Events.' }) total!: number
  @Field(() => Float, { description: 'Bad events.' }) bad!: number
  @Field(() => Float, { nullable: true, description: 'Share of good events, 0 to 1; null without events.' })
  attained!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'Share of the budget that is spent; above 1 the objective is missed. Null without events.'
  })
  consumed!: number | null
  @Field(() => Float, { nullable: true, description: '1 - `consumed`.' }) budgetLeft!: number | null
  @Field(() => [BurnRateType], { description: 'Shortest window first; windows without a count are left out.' })
  burnRates!: readonly BurnRateType[]
  @Field(() => Timestamp, {
    nullable: true,
    description: 'When the budget is spent at the rate of the last 6 hours; null when it is not, or is spent already.'
  })
  exhaustedAt!: bigint | null
  @Field(() => [ErrorBudgetDayType], { description: 'Days, oldest first.' }) days!: readonly ErrorBudgetDayType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('SloAlertBacktest', { description: 'What one burn-rate alert of an SLO would have done.' })
export class SloAlertBacktestType {
  @Field(() => String, { description: 'Name of the alert: `alertname` of its alerts.' }) alert!: string
  @Field(() => SloAlertKind, { description: 'How urgent it is.' }) kind!: ValueOf<typeof SloAlertKind>
  @Field(() => Duration, { description: 'The longer one of its two windows.' }) window!: number
  @Field(() => Float, { description: 'Burn rate above which it fires, of both windows.' }) factor!: number
  @Field(() => [BacktestInstanceType], { description: 'Its alerts by labels; peaks are burn rates.' })
  instances!: readonly BacktestInstanceType[]
  @Field(() => Int, { description: 'Times at which it began to fire.' }) notifications!: number
  @Field(() => Float, { description: 'The same, of a week.' }) perWeek!: number
  @Field(() => Int, { description: 'Firings that began within 15 minutes of the end of the one before.' }) flaps!: number
  @Field(() => Int, { description: 'Minutes at which it was evaluated; fewer than of other alerts when its time was over.' })
  evaluations!: number
}

@ObjectType('SloBacktest', { description: 'What an SLO would have done: its rules, evaluated over the past.' })
export class SloBacktestType {
  @Field(() => [SloAlertBacktestType], { description: 'Its alerts, shortest windows first.' })
  alerts!: readonly SloAlertBacktestType[]
  @Field(() => SloReportType, { description: 'Its error budget at the end of the range.' }) report!: SloReportType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('SloName', { description: 'An SLO, as its rules name it.' })
export class SloNameType {
  @Field(() => ID, { description: 'Value of `Slo.id`.' }) id!: string
  @Field(() => String, { description: 'Value of `Slo.name`.' }) name!: string
}

@ObjectType('Slo', { description: 'A service level objective. It produces the rules of its burn-rate alerts.' })
export class SloType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => String, { description: 'Name, unique in the namespace.' }) name!: string
  @Field(() => String, { description: 'Service that it is about.' }) service!: string
  @Field(() => Float, { description: 'Percent of events that are to be good.' }) objective!: number
  @Field(() => Duration, { description: 'Length of the rolling window.' }) window!: number
  @Field(() => Boolean, { description: 'Whether its rules are evaluated.' }) enabled!: boolean
  @Field(() => Int, { description: 'Version, to be sent with a change.' }) version!: number
  @Field(() => Timestamp, { description: 'Time of the last change.' }) updatedAt!: bigint
  @Field(() => JSONObject, { description: 'All of its members, as REST has them.' }) document!: object
  /** Looked up when selected: fields `rules` and `report` of the resolver. */
  slo!: Slo
  allRules!: ReadRules
}

@ObjectType('SloPayload', { description: 'Result of `saveSlo`.' })
export class SloPayload extends Payload {
  @Field(() => SloType, { nullable: true, description: 'Stored SLO; null on rejection.' }) slo?: SloType | null
}
