import { Field, ID, ObjectType } from 'type-graphql'
import type { NamespaceId } from '../src/domain/ids.js'
import { IndexPlacement, Signal, SubstringSearch, type ValueOf } from './enums.js'
import { Duration, SafeInt, Timestamp } from './scalars.js'

@ObjectType('Retention', { description: 'Null is `forever`.' })
export class RetentionType {
  @Field(() => Duration, { nullable: true }) logs!: number | null
  @Field(() => Duration, { nullable: true }) traces!: number | null
  @Field(() => Duration, { nullable: true }) metrics!: number | null
  @Field(() => Duration, { nullable: true }) rum!: number | null
  @Field(() => Duration, { nullable: true }) errors!: number | null
  @Field(() => Duration, { nullable: true }) rejected!: number | null
}

@ObjectType('StoragePlan', { description: 'How the namespace lies in a search store.' })
export class StoragePlanType {
  @Field(() => IndexPlacement) placement!: ValueOf<typeof IndexPlacement>
  @Field(() => SubstringSearch, { description: "Holds from the namespace's next index on." })
  search!: ValueOf<typeof SubstringSearch>
}

@ObjectType('UsagePoint')
export class UsagePointType {
  @Field(() => Timestamp) day!: string
  @Field(() => Signal) signal!: ValueOf<typeof Signal>
  @Field(() => SafeInt) items!: number
  @Field(() => SafeInt) bytes!: number
  @Field(() => SafeInt) rejected!: number
}

@ObjectType('Namespace')
export class NamespaceType {
  @Field(() => ID) id!: NamespaceId
  @Field(() => String) name!: string
  @Field(() => Boolean) personal!: boolean
  @Field(() => Timestamp) createdAt!: bigint
  @Field(() => RetentionType) retention!: RetentionType
  @Field(() => StoragePlanType) storage!: StoragePlanType
}
