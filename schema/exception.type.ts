import { Field, ID, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { ExceptionState, type ValueOf } from './enums.js'
import { JSONObject, SafeInt, Timestamp } from './scalars.js'
import { CountType, PageInfoType, QueryStatsType } from './shared.type.js'

@ObjectType('ExceptionGroup', {
  description: 'Errors with the same fingerprint: service, type and top stack frames, or the message without its variable parts.'
})
export class ExceptionGroupType {
  @Field(() => ID, { description: 'Fingerprint, 32 hexadecimal digits.' }) id!: string
  @Field(() => String, { description: 'Service that reported the errors.' }) service!: string
  @Field(() => String, { description: 'Exception type; `Error` when the sender set none.' }) type!: string
  @Field(() => String, { description: 'Message of the latest error.' }) message!: string
  @Field(() => SafeInt, { description: 'Number of errors in the window.' }) count!: number
  @Field(() => Timestamp, { description: 'Time of the earliest error in the window.' }) firstSeen!: bigint
  @Field(() => Timestamp, { description: 'Time of the latest error in the window.' }) lastSeen!: bigint
  @Field(() => ExceptionState, { description: 'Triage state of the group.' }) state!: ValueOf<typeof ExceptionState>
}

@ObjectType('ExceptionEvent', { description: 'One occurrence of an error.' })
export class ExceptionEventType {
  @Field(() => ID, { description: 'Record id.' }) id!: string
  @Field(() => Timestamp, { description: 'Time of the error.' }) timestamp!: bigint
  @Field(() => String, { description: 'Error message as sent.' }) message!: string
  @Field(() => String, { nullable: true, description: 'Stack trace as sent.' }) stacktrace!: string | null
  @Field(() => String, { nullable: true, description: 'Trace in which the error occurred.' }) traceId!: string | null
  @Field(() => String, { nullable: true, description: 'Span in which the error occurred.' }) spanId!: string | null
  @Field(() => JSONObject, { description: 'Tags of the sender, for example `release`.' }) tags!: object
}

@ObjectType('ExceptionGroupEdge', { description: 'An error group with its cursor.' })
export class ExceptionGroupEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => ExceptionGroupType, { description: 'Errors with one fingerprint.' }) node!: ExceptionGroupType
}

@ObjectType('ExceptionGroupConnection', { description: 'Error groups, most recently seen first.' })
export class ExceptionGroupConnectionType {
  @Field(() => [ExceptionGroupEdgeType], { description: PAGE.edges }) edges!: readonly ExceptionGroupEdgeType[]
  @Field(() => [ExceptionGroupType], { description: PAGE.nodes }) nodes!: readonly ExceptionGroupType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
  @Field(() => CountType, { description: 'Number of groups; a lower bound beyond 1,000.' }) total!: CountType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
