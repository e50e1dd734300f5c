import {
  alertKey,
  type NotificationGroup,
  type NotifiedAlert,
  type SentToChannel
} from '../../../domain/alerts/notification-group.js'
import type { GroupChannel } from './notify-context.js'

/** Alerts of a group that nothing hides, by key. */
export interface VisibleAlerts {
  readonly active: ReadonlyMap<string, NotifiedAlert>
  readonly resolved: ReadonlyMap<string, NotifiedAlert>
}

/** What decides whether a channel gets a message now. */
export interface MessageOccasion {
  readonly nowMs: number
  /** Whether the channel takes alerts of a type; each alert counts by itself. */
  readonly takes: GroupChannel['takes']
  /** Whether alerts that fire and were sent are due again. */
  readonly isRepetition: boolean
  /** Whether the last message to the channel still waits, so that this one takes its place. */
  readonly isReplacing: boolean
  /** Whether only resolutions that the channel waits for are sent: the group left the routing. */
  readonly onlyOwed: boolean
}

/** Alerts of a message, active ones first, and what is remembered of it. */
export interface ChannelMessage {
  readonly alerts: readonly NotifiedAlert[]
  readonly sent: SentToChannel
}

/**
 * The message of a group to one channel; null when there is nothing to report. A channel learns of every alert that became
 * active visibly, be it resolved by now, of every other state that it takes, and of the resolution of every alert that it
 * was sent.
 */
export function messageFor(
  group: Pick<NotificationGroup, 'alerts'>,
  visible: VisibleAlerts,
  sent: SentToChannel,
  { nowMs, takes, isRepetition, isReplacing, onlyOwed }: MessageOccasion
): ChannelMessage | null {
  const { owed } = sent
  const done = new Set(sent.done)
  const isUnreported = (key: string): boolean => owed.has(key) || (!onlyOwed && !done.has(key))
  const active = onlyOwed ? [] : [...visible.active].filter(([, { state }]) => takes(`alert.${state}`))
  const resolved = takes('alert.resolved') ? [...visible.resolved].filter(([key]) => isUnreported(key)) : []
  const hasNews = resolved.length > 0 || active.some(([key, { state }]) => owed.get(key) !== state)
  if (!hasNews && !(isRepetition && active.length > 0)) return null
  // The message that this one replaces may have been the only one with a resolution.
  const replaced = isReplacing ? sent.resolved.filter(alert => !group.alerts.has(alertKey(alert))) : []
  const ended = [...resolved.map(([, alert]) => alert), ...replaced]
  const stillOwed = new Map(owed)
  for (const [key] of resolved) stillOwed.delete(key)
  for (const [key, { state }] of active) stillOwed.set(key, state)
  return {
    alerts: [...active.map(([, alert]) => alert), ...ended],
    sent: { atMs: nowMs, owed: stillOwed, resolved: ended, done: [...done, ...resolved.map(([key]) => key)] }
  }
}
