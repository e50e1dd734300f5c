import { ArgsType, Field, Int } from 'type-graphql'

/** `first` and `after` of lists that default to 50. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50 }) first!: number
  @Field(() => String, { nullable: true }) after?: string | null
}
