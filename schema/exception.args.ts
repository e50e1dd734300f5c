import { ArgsType, Field, Int } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { ExceptionState, type ValueOf } from './enums.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
class ExceptionScopeArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => [String], { nullable: true, description: 'Only groups of these services.' }) services?: string[] | null
  @Field(() => [ExceptionState], { nullable: true, description: 'Only groups in these states; absent: all states.' })
  states?: ValueOf<typeof ExceptionState>[] | null
}

/** Arguments of `exceptions`. */
@ArgsType()
export class ExceptionsArgs extends ExceptionScopeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Maximum number of groups, 1 to 1,000.' }) first!: number
}

/** Arguments of `exceptionGroups`. */
@ArgsType()
export class ExceptionGroupsArgs extends ExceptionScopeArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Search language; bare words match the message. At most 8,192 characters.'
  })
  query?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Groups per page, 0 to 500.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
