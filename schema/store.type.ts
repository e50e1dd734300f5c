import { Field, Float, ObjectType } from 'type-graphql'

@ObjectType('StoreStatus')
export class StoreStatusType {
  @Field(() => String) name!: string
  @Field(() => String) kind!: string
  @Field(() => Boolean) healthy!: boolean
  @Field(() => Float, { nullable: true }) latencyMs!: number | null
  @Field(() => String, { nullable: true }) detail!: string | null
}
