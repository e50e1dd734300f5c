import { Field, ID, ObjectType } from 'type-graphql'
import type { NamespaceId } from '../src/domain/ids.js'
import { IndexPlacement, Signal, SubstringSearch, type ValueOf } from './enums.js'
import { Duration, SafeInt, Timestamp } from './scalars.js'

@ObjectType('Retention', { description: 'How long each signal is kept. Null means forever.' })
export class RetentionType {
  @Field(() => Duration, { nullable: true, description: 'Retention of log records; initially 14d.' }) logs!: number | null
  @Field(() => Duration, { nullable: true, description: 'Retention of spans; initially 7d.' }) traces!: number | null
  @Field(() => Duration, { nullable: true, description: 'Retention of metric samples and exemplars; initially 30d.' })
  metrics!: number | null
  @Field(() => Duration, { nullable: true, description: 'Retention of page views; initially 30d.' }) rum!: number | null
  @Field(() => Duration, { nullable: true, description: 'Retention of application errors; initially 30d.' })
  errors!: number | null
  @Field(() => Duration, { nullable: true, description: 'Retention of rejected records; initially 3d.' })
  rejected!: number | null
}

@ObjectType('StoragePlan', { description: 'Index options of the namespace in a search store. The embedded store ignores them.' })
export class StoragePlanType {
  @Field(() => IndexPlacement, { description: 'Whether the namespace has indices of its own; fixed at creation.' })
  placement!: ValueOf<typeof IndexPlacement>
  @Field(() => SubstringSearch, { description: 'Substring search of messages, from the next index on.' })
  search!: ValueOf<typeof SubstringSearch>
}

@ObjectType('UsagePoint', { description: 'Ingested volume of one signal on one day.' })
export class UsagePointType {
  @Field(() => Timestamp, { description: 'Start of the UTC day of arrival.' }) day!: string
  @Field(() => Signal, { description: 'Signal of the records.' }) signal!: ValueOf<typeof Signal>
  @Field(() => SafeInt, { description: 'Number of stored records.' }) items!: number
  @Field(() => SafeInt, { description: 'Size of the requests in bytes, after decompression.' }) bytes!: number
  @Field(() => SafeInt, { description: 'Number of rejected records.' }) rejected!: number
  @Field(() => SafeInt, { description: 'Number of logs that rules of the namespace dropped.' }) dropped!: number
}

@ObjectType('Namespace', { description: 'A tenant: telemetry, members and keys are isolated per namespace.' })
export class NamespaceType {
  @Field(() => ID, { description: 'Opaque identifier, never reused.' }) id!: NamespaceId
  @Field(() => String, { description: '1 to 63 characters of a-z, 0-9 and -, the first not a hyphen.' }) name!: string
  @Field(() => Boolean, { description: 'Whether it was created with a user account, for that user alone.' }) personal!: boolean
  @Field(() => Timestamp, { description: 'Creation time.' }) createdAt!: bigint
  @Field(() => RetentionType, { description: 'How long each signal is kept.' }) retention!: RetentionType
  @Field(() => StoragePlanType, { description: 'Index options in a search store.' }) storage!: StoragePlanType
}
