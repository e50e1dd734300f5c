import { Field, ObjectType } from 'type-graphql'
import { AlertRoutingType, DeliveryType, MuteTimeType, NotificationChannelType, SilenceType } from './notification.type.js'
import { Payload } from './payload.type.js'

@ObjectType('NotificationChannelPayload', { description: 'Result of a mutation of a notification channel.' })
export class NotificationChannelPayload extends Payload {
  @Field(() => NotificationChannelType, { nullable: true, description: 'Channel after the change; null on rejection.' })
  channel?: NotificationChannelType | null
  @Field(() => String, {
    nullable: true,
    description:
      'What verifies signatures, returned this once: `whsec_...`, or `whpk_...` for `v1a`; null when it is not a new one.'
  })
  secret?: string | null
}

@ObjectType('DeliveryPayload', { description: 'Result of a mutation that makes a delivery due.' })
export class DeliveryPayload extends Payload {
  @Field(() => DeliveryType, { nullable: true, description: 'Delivery before its attempt; null on rejection.' })
  delivery?: DeliveryType | null
}

@ObjectType('SilencePayload', { description: 'Result of a mutation of a silence.' })
export class SilencePayload extends Payload {
  @Field(() => SilenceType, { nullable: true, description: 'Silence after the change; null on rejection.' })
  silence?: SilenceType | null
}

@ObjectType('MuteTimePayload', { description: 'Result of `saveMuteTime`.' })
export class MuteTimePayload extends Payload {
  @Field(() => MuteTimeType, { nullable: true, description: 'Stored mute time; null on rejection.' })
  muteTime?: MuteTimeType | null
}

@ObjectType('AlertRoutingPayload', { description: 'Result of `setAlertRouting`.' })
export class AlertRoutingPayload extends Payload {
  @Field(() => AlertRoutingType, { nullable: true, description: 'Routing from now on; null on rejection.' })
  routing?: AlertRoutingType | null
}
