import {
  alertKey,
  type NotificationGroup,
  type NotifiedAlert,
  type SentToChannel
} from '../../../domain/alerts/notification-group.js'

/** Alerts of a group that nothing hides, by key. */
export interface VisibleAlerts {
  readonly active: ReadonlyMap<string, NotifiedAlert>
  readonly resolved: ReadonlyMap<string, NotifiedAlert>
}

/** What decides whether a channel gets a message now. */
export interface MessageOccasion {
  readonly nowMs: number
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
 * The message of a group to one channel; null when there is nothing to report. A channel learns of every alert that fired
 * visibly, be it active or resolved by now, and of the resolution of every alert whose firing it was sent.
 */
export function messageFor(
  group: Pick<NotificationGroup, 'alerts'>,
  visible: VisibleAlerts,
  sent: SentToChannel,
  { nowMs, isRepetition, isReplacing, onlyOwed }: MessageOccasion
): ChannelMessage | null {
  const owed = new Set(sent.owed)
  const done = new Set(sent.done)
  const active = onlyOwed ? new Map<string, NotifiedAlert>() : visible.active
  const resolved = new Map([...visible.resolved].filter(([key]) => owed.has(key) || (!onlyOwed && !done.has(key))))
  const hasNews = resolved.size > 0 || [...active.keys()].some(key => !owed.has(key))
  if (!hasNews && !(isRepetition && active.size > 0)) return null
  // The message that this one replaces may have been the only one with a resolution.
  const replaced = isReplacing ? sent.resolved.filter(alert => !group.alerts.has(alertKey(alert))) : []
  const ended = [...resolved.values(), ...replaced]
  const stillOwed = sent.owed.filter(key => !resolved.has(key) && !active.has(key))
  return {
    alerts: [...active.values(), ...ended],
    sent: { atMs: nowMs, owed: [...stillOwed, ...active.keys()], resolved: ended, done: [...done, ...resolved.keys()] }
  }
}
