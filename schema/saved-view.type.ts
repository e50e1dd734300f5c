import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { COST_OF_A_STATE } from './cost.js'
import { Signal, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'

@ObjectType('SavedView', { description: 'The state of a page, shared by the members of a namespace.' })
export class SavedViewType {
  @Field(() => ID, { description: 'Opaque id, for short links.' }) id!: string
  @Field(() => String, { nullable: true, description: 'Name; null for a view that only shortens a link.' })
  name!: string | null
  @Field(() => Signal, { description: 'Telemetry that the page shows.' }) signal!: ValueOf<typeof Signal>
  @Field(() => JSONObject, { complexity: COST_OF_A_STATE, description: 'Query string of the page as an object.' }) state!: object
  @Field(() => Timestamp, { description: 'Time of the last change.' }) updatedAt!: bigint
  /** Looked up when selected: field `createdBy` of the resolver. */
  createdById!: string | null
}

@InputType('SavedViewInput', { description: 'A view to store.' })
export class SavedViewInput {
  @Field(() => String, { nullable: true, description: 'Name, at most 128 characters; absent for a short link.' })
  name?: string | null
  @Field(() => Signal, { description: 'Telemetry that the page shows.' }) signal!: ValueOf<typeof Signal>
  @Field(() => JSONObject, { description: 'State of the page, at most 16 KiB of JSON.' }) state!: object
}
