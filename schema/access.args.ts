import { ArgsType, Field, Int } from 'type-graphql'
import { PAGE } from './descriptions.js'

/** `first` and `after` of lists that default to 50. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Rows per page, at most 500.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
