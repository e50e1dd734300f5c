import type { DeliveryType, NotificationChannelType, SilenceType } from '../schema/notification.type.js'
import type { ChannelView } from '../src/alerting/notify/manage/channel-view.js'
import type { ListedDelivery } from '../src/domain/alerts/delivery.js'
import type { Silence } from '../src/domain/alerts/silence.js'
import type { Context } from './context.js'
import { nsOfMs, optionalNs } from './to-access.js'

/** A channel as GraphQL has it. */
export function toChannel(channel: ChannelView): NotificationChannelType {
  const { id, name, kind, target, format, signature, events, isEnabled, disabledReason, lastError } = channel
  return {
    ...{ id, name, target, format, signature, events, disabledReason, lastError },
    kind,
    enabled: isEnabled,
    lastDeliveryAt: optionalNs(channel.lastDeliveryAtMs)
  }
}

/** A delivery as GraphQL has it. */
export function toDelivery({ id, type, state, groupKey, attempts, nextAttemptMs }: ListedDelivery): DeliveryType {
  return {
    ...{ id, webhookId: id, type, state, groupKey },
    attempts: attempts.map(({ atMs, status, reason, tookMs }) => ({ at: nsOfMs(atMs), status, reason, tookMs })),
    nextAttemptAt: optionalNs(nextAttemptMs)
  }
}

/** A silence as GraphQL has it. */
export function toSilence(
  { id, matchers, startsAtMs, endsAtMs, comment, createdBy }: Silence,
  activeAlerts: SilenceType['activeAlerts']
): SilenceType {
  return { id, matchers, comment, startsAt: nsOfMs(startsAtMs), endsAt: nsOfMs(endsAtMs), createdById: createdBy, activeAlerts }
}

/** Reads the alerts that silences can hide at the first call alone. */
export function activeAlertsOnce({ use, namespace }: Pick<Context, 'use' | 'namespace'>): SilenceType['activeAlerts'] {
  let read: ReturnType<SilenceType['activeAlerts']> | undefined
  return () => (read ??= namespace().then(ns => use.silences.activeAlerts(ns)))
}
