import { Field, InputType, Int } from 'type-graphql'
import { READ } from './descriptions.js'
import { AggregateFn, Signal, SortDirection, type ValueOf } from './enums.js'
import { Duration } from './scalars.js'
import { FieldFilterInput, TimeRangeInput } from './shared.input.js'

@InputType('Measure', { description: 'What to compute of the rows of a group.' })
export class MeasureInput {
  @Field(() => AggregateFn, { description: 'All but COUNT and RATE require a field.' }) fn!: ValueOf<typeof AggregateFn>
  @Field(() => String, {
    nullable: true,
    description: 'A numeric field (`duration`, `attributes.http.size`); of COUNT and COUNT_DISTINCT any field.'
  })
  field?: string | null
  @Field(() => String, { nullable: true, description: 'Name in the result and in `orderBy`; default `p95(duration)`.' })
  ref?: string | null
}

@InputType('AggregateInput', { description: 'Measures over rows, by groups and over time.' })
export class AggregateInput {
  @Field(() => Signal, { description: 'LOGS or SPANS.' }) signal!: ValueOf<typeof Signal>
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => [MeasureInput], { description: 'At most 8.' }) measures!: MeasureInput[]
  @Field(() => [String], {
    nullable: true,
    description: 'At most three fields; a row with several values counts in the group of each.'
  })
  groupBy?: string[] | null
  @Field(() => Duration, { nullable: true, description: 'Length of a bucket of time: values over time in addition.' })
  step?: number | null
  @Field(() => Int, { nullable: true, description: 'About so many buckets of time, at most 1,000; instead of `step`.' })
  buckets?: number | null
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Maximum number of groups, 1 to 100.' })
  limit?: number | null
  @Field(() => String, { nullable: true, description: '`ref` of the measure that groups are ranked by; default: the first.' })
  orderBy?: string | null
  @Field(() => SortDirection, {
    nullable: true,
    defaultValue: SortDirection.DESC,
    description: 'Groups without a value come last either way.'
  })
  direction?: ValueOf<typeof SortDirection> | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Also measure the rows that are in none of the listed groups.'
  })
  includeOther?: boolean | null
  @Field(() => Boolean, { nullable: true, defaultValue: true, description: 'False allows estimates within `relativeError`.' })
  exact?: boolean | null
}
