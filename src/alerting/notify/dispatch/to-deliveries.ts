import { createHash } from 'node:crypto'
import type { Channel } from '../../../domain/alerts/channel.js'
import type { Delivery } from '../../../domain/alerts/delivery.js'
import { ulidOf } from '../../../domain/ulid.js'
import type { Flush } from '../group/flush-group.js'
import type { AlertMessage } from '../message/alertmanager-data.js'
import { encodeMessages, messageType } from '../message/encode-message.js'

/** What deliveries have besides the flush. */
export interface DeliveryOrigin {
  readonly namespace: string
  /** Public address of the service; empty when it is not configured. */
  readonly externalUrl: string
  /** As in `AlertMessage`. */
  readonly conditions: AlertMessage['conditions']
}

/**
 * Id of a body of the message of a flush, the `webhook-id` of every attempt: a ULID whose time is when the flush was due and
 * whose other bits are those of a hash, so that a flush that is repeated makes the same.
 */
function deliveryId({ channelId, groupKey, number, dueMs }: Flush, part: number): string {
  const identity = [channelId, groupKey, number, ...(part === 0 ? [] : [part])]
  return ulidOf(dueMs, createHash('sha256').update(JSON.stringify(identity)).digest())
}

/** The deliveries of a flush, one for each body of its message. */
export function toDeliveries(flush: Flush, channel: Channel, origin: DeliveryOrigin): readonly Delivery[] {
  const { groupKey, groupLabels, alerts, atMs } = flush
  const message = { groupKey, groupLabels, receiver: channel.name, ...origin, alerts, atMs }
  const common = { namespaceId: channel.namespaceId, channelId: channel.id, groupKey, type: messageType({ alerts }) }
  return encodeMessages(channel, message).map((body, part) => ({
    ...common,
    id: deliveryId(flush, part),
    body,
    createdAtMs: atMs,
    state: 'waiting',
    nextAttemptMs: atMs,
    attempts: [],
    tries: 0,
    triedSinceMs: atMs
  }))
}
