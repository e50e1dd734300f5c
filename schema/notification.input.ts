import { Field, InputType } from 'type-graphql'
import { ChannelKind, type ValueOf } from './enums.js'
import { Timestamp } from './scalars.js'

@InputType('NotificationChannelInput', { description: 'A channel to store.' })
export class NotificationChannelInput {
  @Field(() => String, { description: 'Name, at most 128 characters.' }) name!: string
  @Field(() => ChannelKind, { description: 'Kind; it cannot change.' }) kind!: ValueOf<typeof ChannelKind>
  @Field(() => String, { nullable: true, description: 'URL, https only; absent to keep that of the stored channel.' })
  target?: string | null
  @Field(() => String, { nullable: true, description: '`standard` or `alertmanager`, for webhooks; default `standard`.' })
  format?: string | null
  @Field(() => String, { nullable: true, description: '`v1` or `v1a`, for webhooks; default `v1`.' })
  signature?: string | null
  @Field(() => [String], { nullable: true, description: 'Types of messages; default all.' })
  events?: readonly string[] | null
  @Field(() => Boolean, { nullable: true, defaultValue: true, description: 'Whether it is enabled.' }) enabled?: boolean | null
}

@InputType('SilenceInput', { description: 'A silence to make.' })
export class SilenceInput {
  @Field(() => [String], { description: 'Matchers such as `severity="critical"`, at most 20; all must match.' })
  matchers!: readonly string[]
  @Field(() => Timestamp, { nullable: true, description: 'Default now.' }) startsAt?: string | null
  @Field(() => Timestamp, { description: 'At most 366 days after the start.' }) endsAt!: string
  @Field(() => String, { description: 'Why, at most 1,000 characters.' }) comment!: string
}
