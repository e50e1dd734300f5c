import { Field, ID, InputType } from 'type-graphql'
import { ApiKeyKind, type ValueOf } from './enums.js'
import { Timestamp } from './scalars.js'

@InputType('RetentionInput')
export class RetentionInputType {
  @Field(() => String, { nullable: true }) logs?: string | null
  @Field(() => String, { nullable: true }) traces?: string | null
  @Field(() => String, { nullable: true }) metrics?: string | null
  @Field(() => String, { nullable: true }) rum?: string | null
  @Field(() => String, { nullable: true }) errors?: string | null
}

@InputType('ApiKeyInput')
export class ApiKeyInputType {
  @Field(() => String) name!: string
  @Field(() => ApiKeyKind) kind!: ValueOf<typeof ApiKeyKind>
  @Field(() => [ID], { nullable: true }) namespaceIds?: string[] | null
  @Field(() => Timestamp, { nullable: true }) expiresAt?: string | null
  @Field(() => [String], { nullable: true }) allowedOrigins?: string[] | null
}
