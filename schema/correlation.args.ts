import { ArgsType, Field, Int } from 'type-graphql'

@ArgsType()
export class FirstArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20 }) first!: number | null
}
