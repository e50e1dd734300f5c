import { Field, InputType } from 'type-graphql'
import { FilterOp, type ValueOf } from './enums.js'
import { Timestamp } from './scalars.js'

@InputType('TimeRange', { description: 'A window of event time.' })
export class TimeRangeInput {
  @Field(() => Timestamp, { description: 'Start, inclusive; before `to`.' }) from!: string
  @Field(() => Timestamp, { nullable: true, defaultValue: 'now', description: 'End, exclusive.' }) to?: string | null
}

@InputType('FieldFilter', { description: 'One condition on a field.' })
export class FieldFilterInput {
  @Field(() => String, {
    description: 'Well-known name (`service`, `level`) or dotted path (`tags.env`, `attributes.http.route`); 1 to 256 characters.'
  })
  field!: string
  @Field(() => FilterOp, { defaultValue: FilterOp.EQ, description: 'Comparison operator.' }) op!: ValueOf<typeof FilterOp>
  @Field(() => String, {
    nullable: true,
    description: 'Operand of all operators except IN, NOT_IN, EXISTS and NOT_EXISTS; at most 8,192 characters.'
  })
  value?: string | null
  @Field(() => [String], { nullable: true, description: 'Operands of IN and NOT_IN, 1 to 1,000.' }) values?: string[] | null
}
