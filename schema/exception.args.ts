import { ArgsType, Field, Int } from 'type-graphql'
import { READ } from './descriptions.js'
import { ExceptionState, type ValueOf } from './enums.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
export class ExceptionsArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => [String], { nullable: true, description: 'Only groups of these services.' }) services?: string[] | null
  @Field(() => [ExceptionState], { nullable: true, description: 'Only groups in these states; absent: all states.' })
  states?: ValueOf<typeof ExceptionState>[] | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Maximum number of groups, 1 to 1,000.' }) first!: number
}
