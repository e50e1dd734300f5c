import { Field, InputType, Int } from 'type-graphql'
import { READ } from './descriptions.js'
import { Signal, type ValueOf } from './enums.js'
import { FieldFilterInput, TimeRangeInput } from './shared.input.js'

@InputType('CompareSide', { description: 'One side of a comparison.' })
export class CompareSideInput {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
}

@InputType('CompareInput', { description: 'Two sides to compare: windows, such as before and after, or filters.' })
export class CompareInput {
  @Field(() => Signal, { description: 'LOGS or SPANS.' }) signal!: ValueOf<typeof Signal>
  @Field(() => CompareSideInput, { description: 'What is compared with.' }) base!: CompareSideInput
  @Field(() => CompareSideInput, { description: 'The side that is compared with `base`.' }) other!: CompareSideInput
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Maximum number of findings, 1 to 100.' })
  limit?: number | null
}
