import type { NotifiedAlert, SentToChannel } from '../../../domain/alerts/notification-group.js'
import type { Route } from '../route/routing.js'
import type { GroupDraft } from './group-drafts.js'
import { messageFor, type VisibleAlerts } from './message-for.js'
import type { GroupChannel, NotifyContext } from './notify-context.js'

/** A message that a flush sends to one channel. */
export interface Flush {
  readonly groupKey: string
  readonly groupLabels: GroupDraft['labels']
  readonly channelId: string
  /** Number of the flush in its group, from 1. */
  readonly number: number
  /** When the flush was due. With the number it makes the id of the message, so that a repeated flush has the same. */
  readonly dueMs: number
  /** Time of the step that made it. */
  readonly atMs: number
  /** Active alerts, then resolved ones. */
  readonly alerts: readonly NotifiedAlert[]
}

/** How often a group that left the routing looks for resolutions that it owes. */
export const RETIRED_INTERVAL_MS = 60_000

const NEVER_SENT: SentToChannel = { atMs: null, owed: new Map(), resolved: [], done: [] }

/** Whether a silence or an inhibition hides an alert at the time of a step. */
export type IsHidden = (alert: NotifiedAlert) => boolean

/** A due flush. */
interface DueFlush {
  readonly group: GroupDraft
  /** Null for a group that left the routing. */
  readonly route: Route | null
  readonly context: NotifyContext
  readonly isHidden: IsHidden
  readonly nowMs: number
}

function visibleAlerts({ group, route, context, isHidden }: DueFlush): VisibleAlerts {
  const isMuted = route?.muteTimes.some(context.isMuted) ?? false
  const shown = isMuted ? [] : [...group.alerts].filter(([, alert]) => !isHidden(alert))
  return {
    active: new Map(shown.filter(([, alert]) => alert.endsAtMs === null)),
    resolved: new Map(shown.filter(([, alert]) => alert.endsAtMs !== null))
  }
}

/** The channels of a group: those of its route, or those to which it owes resolutions after it left the routing. */
function channelsOf({ group, route, context: { channels } }: DueFlush): readonly GroupChannel[] {
  const all =
    route === null
      ? [...channels.values()].filter(({ id }) => group.sent.has(id))
      : route.channels.flatMap(name => channels.get(name) ?? [])
  return all.filter(({ isEnabled }) => isEnabled)
}

/** The intervals of a channel in a group. */
function intervalsOf(
  { group, route }: DueFlush,
  { resendMs }: GroupChannel
): { readonly intervalMs: number; readonly repeatMs: number } {
  if (route === null) return { intervalMs: 0, repeatMs: Number.POSITIVE_INFINITY }
  if (resendMs !== null) return { intervalMs: Math.min(resendMs, route.groupIntervalMs), repeatMs: resendMs }
  return { intervalMs: route.groupIntervalMs, repeatMs: group.isAcked ? Number.POSITIVE_INFINITY : route.repeatIntervalMs }
}

/**
 * The messages of a group whose flush is due, at most one a channel. Resolved alerts that no channel waits for leave the
 * group.
 */
export function flushGroup(due: DueFlush): readonly Flush[] {
  const { group, route, context, nowMs } = due
  const visible = visibleAlerts(due)
  const channels = channelsOf(due)
  const common = { groupKey: group.key, groupLabels: group.labels, number: group.flushes + 1, atMs: nowMs }
  const dueMs = group.nextFlushMs ?? nowMs
  const flushes: Flush[] = []
  let isEarlyForSome = false
  for (const channel of channels) {
    const sent = endedSilently(group, channel, visible)
    const { intervalMs, repeatMs } = intervalsOf(due, channel)
    const sinceMs = sent.atMs === null ? Number.POSITIVE_INFINITY : nowMs - sent.atMs
    if (sinceMs < intervalMs) {
      isEarlyForSome = true
      continue
    }
    const occasion = {
      nowMs,
      takes: channel.takes,
      isRepetition: sinceMs >= repeatMs,
      isReplacing: context.isWaiting(group.key, channel.id),
      onlyOwed: route === null
    }
    const message = messageFor(group, visible, sent, occasion)
    if (!message) continue
    group.sent.set(channel.id, message.sent)
    flushes.push({ ...common, dueMs, channelId: channel.id, alerts: message.alerts })
  }
  if (flushes.length > 0) group.flushes++
  forgetResolved(due, isEarlyForSome)
  group.nextFlushMs = nextFlushOf(due, channels)
  return flushes
}

/**
 * What a channel was sent. For one that does not take resolutions, an alert is over when it resolves visibly: its next
 * firing is another one.
 */
function endedSilently(group: GroupDraft, { id, takes }: GroupChannel, { resolved }: VisibleAlerts): SentToChannel {
  const sent = group.sent.get(id) ?? NEVER_SENT
  if (takes('alert.resolved') || ![...sent.owed.keys()].some(key => resolved.has(key))) return sent
  const ended = { ...sent, owed: new Map([...sent.owed].filter(([key]) => !resolved.has(key))) }
  group.sent.set(id, ended)
  return ended
}

/**
 * Removes resolved alerts that no channel waits for: none owes them, and none was left out because its interval goes on.
 * A channel that is gone or disabled waits for nothing.
 */
function forgetResolved({ group, context }: DueFlush, isEarlyForSome: boolean): void {
  const ids = new Set([...context.channels.values()].filter(({ isEnabled }) => isEnabled).map(({ id }) => id))
  for (const id of group.sent.keys()) if (!ids.has(id)) group.sent.delete(id)
  const owed = new Set([...group.sent.values()].flatMap(sent => [...sent.owed.keys()]))
  for (const [key, { endsAtMs }] of group.alerts) {
    if (endsAtMs !== null && !owed.has(key) && !isEarlyForSome) group.alerts.delete(key)
  }
  const isPresent = (key: string): boolean => group.alerts.has(key)
  for (const [id, sent] of group.sent) {
    const stillOwed = new Map([...sent.owed].filter(([key]) => isPresent(key)))
    group.sent.set(id, { ...sent, owed: stillOwed, done: sent.done.filter(isPresent) })
  }
}

function nextFlushOf({ group, route, nowMs }: DueFlush, channels: readonly GroupChannel[]): number | null {
  if (group.alerts.size === 0) return null
  const resends = channels.flatMap(({ resendMs }) => resendMs ?? [])
  return nowMs + Math.min(route?.groupIntervalMs ?? RETIRED_INTERVAL_MS, ...resends)
}
