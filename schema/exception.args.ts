import { ArgsType, Field, Int } from 'type-graphql'
import { ExceptionState, type ValueOf } from './enums.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
export class ExceptionsArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => [String], { nullable: true }) services?: string[] | null
  @Field(() => [ExceptionState], { nullable: true }) states?: ValueOf<typeof ExceptionState>[] | null
  @Field(() => Int, { nullable: true, defaultValue: 50 }) first!: number
}
