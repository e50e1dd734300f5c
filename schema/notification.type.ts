import type { AlertInstance } from '../src/domain/alerts/alert-state.js'
import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { ChannelKind, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'
import { PageInfoType } from './shared.type.js'

@ObjectType('NotificationChannel', {
  description: 'A receiver of notifications. Its secret is returned once, by the mutation that made it.'
})
export class NotificationChannelType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => String, { description: 'Name, unique in the namespace; the routing refers to it.' }) name!: string
  @Field(() => ChannelKind, { description: 'What receives the notifications.' }) kind!: ValueOf<typeof ChannelKind>
  @Field(() => String, { description: 'The URL for admins, else its origin; of Slack always the origin.' }) target!: string
  @Field(() => String, { description: 'Body of webhooks: `standard` or `alertmanager`.' }) format!: string
  @Field(() => String, { description: 'Signature of webhooks: `v1` (HMAC-SHA256) or `v1a` (ed25519).' }) signature!: string
  @Field(() => [String], { description: 'Types of messages that it takes, such as `alert.firing`; empty for all.' })
  events!: readonly string[]
  @Field(() => Boolean, { description: 'Whether an admin enabled it.' }) enabled!: boolean
  @Field(() => String, { nullable: true, description: 'Why the service disabled it; null when it did not.' })
  disabledReason!: string | null
  @Field(() => Timestamp, { nullable: true, description: 'Time of the last success.' }) lastDeliveryAt!: bigint | null
  @Field(() => String, { nullable: true, description: 'Why the last attempt failed; null after a success.' })
  lastError!: string | null
}

@ObjectType('DeliveryAttempt', { description: 'One attempt to deliver a message.' })
export class DeliveryAttemptType {
  @Field(() => Timestamp, { description: 'When it was sent.' }) at!: bigint
  @Field(() => Int, { nullable: true, description: 'HTTP status of the response; null without one.' }) status!: number | null
  @Field(() => String, { nullable: true, description: 'Why it failed; null for a success.' }) reason!: string | null
  @Field(() => Float, { nullable: true, description: 'Duration in milliseconds.' }) tookMs!: number | null
}

@ObjectType('Delivery', { description: 'A message to a channel.' })
export class DeliveryType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => ID, { description: 'Header `webhook-id` of every attempt.' }) webhookId!: string
  @Field(() => String, { description: 'Type of the message, such as `alert.firing`.' }) type!: string
  @Field(() => String, { description: '`waiting`, `delivered`, `failed` or `replaced` by a newer message of its group.' })
  state!: string
  @Field(() => String, { nullable: true, description: 'Key of its group of alerts; null for a test.' })
  groupKey!: string | null
  @Field(() => [DeliveryAttemptType], { description: 'Attempts, oldest first.' }) attempts!: readonly DeliveryAttemptType[]
  @Field(() => Timestamp, { nullable: true, description: 'When the next attempt is due; null unless it waits.' })
  nextAttemptAt!: bigint | null
}

@ObjectType('DeliveryEdge', { description: 'A delivery with its cursor.' })
export class DeliveryEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => DeliveryType, { description: 'Delivery at this position.' }) node!: DeliveryType
}

@ObjectType('DeliveryConnection', { description: 'Deliveries of a channel, latest first.' })
export class DeliveryConnectionType {
  @Field(() => [DeliveryEdgeType], { description: PAGE.edges }) edges!: readonly DeliveryEdgeType[]
  @Field(() => [DeliveryType], { description: PAGE.nodes }) nodes!: readonly DeliveryType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
}

@ObjectType('Silence', { description: 'Alerts that match do not notify between two times.' })
export class SilenceType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => [String], { description: 'Matchers in the text form of Alertmanager, such as `severity="critical"`.' })
  matchers!: readonly string[]
  @Field(() => Timestamp, { description: 'First time of the silence.' }) startsAt!: bigint
  @Field(() => Timestamp, { description: 'First time after the silence.' }) endsAt!: bigint
  @Field(() => String, { description: 'Why it was made.' }) comment!: string
  /** Looked up when selected: field `createdBy` of the resolver. */
  createdById!: string
  /** For the field `hides` of the resolver. One read for all silences of a request. */
  activeAlerts!: () => Promise<readonly AlertInstance[]>
}

@ObjectType('MuteTime', { description: 'Named times at which routes do not notify.' })
export class MuteTimeType {
  @Field(() => ID, { description: 'Name, unique in the namespace; the routing refers to it.' }) name!: string
  @Field(() => [JSONObject], {
    description: 'Intervals with `times`, `weekdays`, `days_of_month`, `months` and `location`, as in an Alertmanager.'
  })
  intervals!: readonly object[]
}

@ObjectType('AlertRouting', { description: 'The routing tree and inhibitions of a namespace, as one document.' })
export class AlertRoutingType {
  @Field(() => Int, { description: 'Grows by 1 with each change; 0 before the first one.' }) version!: number
  @Field(() => JSONObject, { description: 'Members `route` and `inhibit`, with the words of an Alertmanager.' }) document!: object
  @Field(() => [String], { description: 'Parts of the routing that notify no one.' }) warnings!: readonly string[]
}
