import { createHash } from 'node:crypto'
import type { Channel } from '../../../domain/alerts/channel.js'
import type { Delivery } from '../../../domain/alerts/delivery.js'
import { ulidOf } from '../../../domain/ulid.js'
import type { Flush } from '../group/flush-group.js'
import { encodeMessage, messageType } from '../message/encode-message.js'

/** What deliveries have besides the flush. */
export interface DeliveryOrigin {
  readonly namespace: string
  /** Public address of the service; empty when it is not configured. */
  readonly externalUrl: string
}

/**
 * Id of the message of a flush, the `webhook-id` of every attempt: a ULID whose time is when the flush was due and whose
 * other bits are those of a hash, so that a flush that is repeated makes the same.
 */
export function deliveryId({ channelId, groupKey, number, dueMs }: Flush): string {
  return ulidOf(
    dueMs,
    createHash('sha256')
      .update(JSON.stringify([channelId, groupKey, number]))
      .digest()
  )
}

/** The delivery of a flush; null when its channel does not take messages of this type. */
export function toDelivery(flush: Flush, channel: Channel, { namespace, externalUrl }: DeliveryOrigin): Delivery | null {
  const { groupKey, groupLabels, alerts, atMs } = flush
  const type = messageType({ alerts })
  if (channel.events.length > 0 && !channel.events.includes(type)) return null
  const message = { groupKey, groupLabels, receiver: channel.name, namespace, externalUrl, alerts, atMs }
  return {
    id: deliveryId(flush),
    namespaceId: channel.namespaceId,
    channelId: channel.id,
    groupKey,
    type,
    body: encodeMessage(channel, message),
    createdAtMs: atMs,
    state: 'waiting',
    nextAttemptMs: atMs,
    attempts: [],
    tries: 0,
    triedSinceMs: atMs
  }
}
