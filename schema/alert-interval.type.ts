import { Field, ID, ObjectType } from 'type-graphql'
import { Timestamp } from './scalars.js'
import { LabelType } from './shared.type.js'

@ObjectType('AlertInterval', { description: 'A time in which an alert fired, within the requested window.' })
export class AlertIntervalType {
  @Field(() => ID, { description: 'Id of the rule, which may have been deleted since.' }) ruleId!: string
  @Field(() => [LabelType], { description: 'Labels of the alert, `alertname` included.' }) labels!: readonly LabelType[]
  @Field(() => Timestamp, { description: 'Start, inclusive.' }) from!: bigint
  @Field(() => Timestamp, { description: 'End, exclusive.' }) to!: bigint
  @Field(() => Boolean, {
    description: 'Whether the alert fired before `from`: the window, or what is known of it, begins later.'
  })
  isOpenAtStart!: boolean
  @Field(() => Boolean, { description: 'Whether the alert fired from `to` on: the window ends earlier, or it fires now.' })
  isOpenAtEnd!: boolean
}

@ObjectType('AlertIntervals', { description: 'When alerts fired in a window.' })
export class AlertIntervalsType {
  @Field(() => [AlertIntervalType], { description: 'At most 200, those that end last first.' })
  intervals!: readonly AlertIntervalType[]
  @Field(() => Timestamp, { description: 'From when on intervals are known: later than the window if it had too many events.' })
  knownFrom!: bigint
  @Field(() => Boolean, { description: 'Whether these are all.' }) complete!: boolean
}
