import { Field, ID, ObjectType } from 'type-graphql'
import { LogLevel, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'
import { TimeWindowType } from './shared.type.js'

@ObjectType('LogRecord')
export class LogRecordType {
  @Field(() => ID) id!: string
  @Field(() => Timestamp) timestamp!: bigint
  @Field(() => Timestamp) receivedAt!: bigint
  @Field(() => String) message!: string
  @Field(() => LogLevel) level!: ValueOf<typeof LogLevel>
  @Field(() => String, { nullable: true, description: 'The level as it was sent.' }) levelText!: string | null
  @Field(() => String, { nullable: true }) service!: string | null
  @Field(() => String, { nullable: true }) host!: string | null
  @Field(() => String, { nullable: true }) source!: string | null
  @Field(() => String, { nullable: true }) traceId!: string | null
  @Field(() => String, { nullable: true }) spanId!: string | null
  @Field(() => JSONObject) fields!: object
  @Field(() => JSONObject) tags!: object
}

@ObjectType('LogEdge')
export class LogEdgeType {
  @Field(() => String) cursor!: string
  @Field(() => LogRecordType) node!: LogRecordType
}

@ObjectType('LogConnection', {
  description:
    'One filter, many views. Each field is computed only when selected; the store gets one request for rows, count, histogram and\nfacets together. Cursors hold (timestamp ns, tie-breaker, order), survive new rows, and are refused for another filter.'
})
export class LogConnectionType {
  @Field(() => TimeWindowType) window!: TimeWindowType
}
