import { Field, ID, ObjectType } from 'type-graphql'
import { ExceptionState, type ValueOf } from './enums.js'
import { JSONObject, SafeInt, Timestamp } from './scalars.js'

@ObjectType('ExceptionGroup')
export class ExceptionGroupType {
  @Field(() => ID) id!: string
  @Field(() => String) service!: string
  @Field(() => String) type!: string
  @Field(() => String) message!: string
  @Field(() => SafeInt) count!: number
  @Field(() => Timestamp) firstSeen!: bigint
  @Field(() => Timestamp) lastSeen!: bigint
  @Field(() => ExceptionState) state!: ValueOf<typeof ExceptionState>
}

@ObjectType('ExceptionEvent')
export class ExceptionEventType {
  @Field(() => ID) id!: string
  @Field(() => Timestamp) timestamp!: bigint
  @Field(() => String) message!: string
  @Field(() => String, { nullable: true }) stacktrace!: string | null
  @Field(() => String, { nullable: true }) traceId!: string | null
  @Field(() => String, { nullable: true }) spanId!: string | null
  @Field(() => JSONObject) tags!: object
}
