import type { ChannelView } from '../../alerting/notify/manage/channel-view.js'
import type { ListedDelivery } from '../../domain/alerts/delivery.js'
import type { ChannelReply, DeliveryReply } from '../routes/channels-schemas.js'
import { tookJson } from './facts-json.js'

function timeJson(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeJson(ms)
}

/** A channel as REST shows it. */
export function channelJson(channel: ChannelView): ChannelReply {
  const { id, name, kind, target, format, signature, events } = channel
  return {
    ...{ id, name, kind, target, format, signature, events },
    enabled: channel.isEnabled,
    disabled_reason: channel.disabledReason,
    last_delivery_at: timeOrNull(channel.lastDeliveryAtMs),
    last_error: channel.lastError,
    updated_at: timeJson(channel.updatedAtMs)
  }
}

/** A delivery as REST shows it, without its body. */
export function deliveryJson({ id, type, state, groupKey, createdAtMs, nextAttemptMs, attempts }: ListedDelivery): DeliveryReply {
  return {
    ...{ id, type, state },
    group_key: groupKey,
    created_at: timeJson(createdAtMs),
    next_attempt_at: timeOrNull(nextAttemptMs),
    attempts: attempts.map(({ atMs, status, reason, tookMs }) => ({
      at: timeJson(atMs),
      status,
      reason,
      took_ms: tookJson(tookMs)
    }))
  }
}
