import { Field, InputType } from 'type-graphql'
import { FieldFilterInput } from './shared.input.js'

@InputType('RumFilter')
export class RumFilterInput {
  @Field(() => String, { nullable: true }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true }) where?: FieldFilterInput[] | null
  @Field(() => String, { nullable: true }) pageUrl?: string | null
  @Field(() => [String], { nullable: true }) browsers?: string[] | null
  @Field(() => [String], { nullable: true }) os?: string[] | null
  @Field(() => [String], { nullable: true }) deviceTypes?: string[] | null
  @Field(() => [String], { nullable: true }) countries?: string[] | null
  @Field(() => String, { nullable: true }) sessionId?: string | null
}
