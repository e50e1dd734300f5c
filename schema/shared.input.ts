import { Field, InputType } from 'type-graphql'
import { FilterOp, type ValueOf } from './enums.js'
import { Timestamp } from './scalars.js'

@InputType('TimeRange')
export class TimeRangeInput {
  @Field(() => Timestamp) from!: string
  @Field(() => Timestamp, { nullable: true, defaultValue: 'now' }) to?: string | null
}

@InputType('FieldFilter', {
  description:
    'One condition. `field` is a well-known name (`service`, `level`, …) or a dotted path into log_fields, tags or attributes.'
})
export class FieldFilterInput {
  @Field(() => String) field!: string
  @Field(() => FilterOp, { defaultValue: FilterOp.EQ }) op!: ValueOf<typeof FilterOp>
  @Field(() => String, { nullable: true }) value?: string | null
  @Field(() => [String], { nullable: true }) values?: string[] | null
}
