import type { AlertEvent, AlertState } from '../../../domain/alerts/alert-state.js'
import { alertKey, type NotifiedAlert, type NotifiedState } from '../../../domain/alerts/notification-group.js'
import type { RoutedGroup, RouteTree } from '../route/routing.js'
import { type GroupDraft, type GroupDrafts, overflowKey } from './group-drafts.js'

/** What each state of an instance means for notifications: active for a reason, ended, or no news. */
const MEANINGS: Readonly<Record<AlertState, NotifiedState | 'ended' | null>> = {
  firing: 'firing',
  nodata: 'nodata',
  error: 'error',
  resolved: 'ended',
  inactive: 'ended',
  pending: 'ended',
  // Steps that were not evaluated: whatever it was goes on until the next evaluation.
  unknown: null
}

/** When an alert became active, and the time of the step. */
interface AlertTimes {
  readonly sinceMs: number
  readonly nowMs: number
}

function toAlert(event: AlertEvent, state: NotifiedState): NotifiedAlert {
  const { ruleId, fingerprint, labels, annotations, startsAtMs, value, isLate } = event
  return { ruleId, fingerprint, labels, annotations, state, startsAtMs, endsAtMs: null, value, isLate }
}

/**
 * Adds an active alert to a group of its route. A group without alerts waits `group_wait` from the time at which the
 * alert became active, and flushes at once when that is over.
 */
export function addAlert(groups: GroupDrafts, target: RoutedGroup, alert: NotifiedAlert, { sinceMs, nowMs }: AlertTimes): void {
  const key = alertKey(alert)
  const group = groupOf(groups, target, key)
  const before = group.alerts.get(key)
  if (before === undefined || before.endsAtMs !== null || before.state !== alert.state) group.isAcked = false
  // It fires again: its next resolution is another one.
  for (const [id, sent] of group.sent) {
    if (sent.done.includes(key)) group.sent.set(id, { ...sent, done: sent.done.filter(other => other !== key) })
  }
  group.alerts.set(key, alert)
  if (group.nextFlushMs === null) {
    // A group without alerts is over: the next message is the first of another one and waits for no interval.
    for (const [id, sent] of group.sent) group.sent.set(id, { ...sent, atMs: null })
    group.nextFlushMs = Math.max(nowMs, sinceMs + target.route.groupWaitMs)
  }
  groups.noteAlert(key, group.key)
}

/** The group that the alert belongs to; the overflow group of its route while that has it. */
function groupOf(groups: GroupDrafts, target: RoutedGroup, key: string): GroupDraft {
  const overflow = overflowKey(target.route.key)
  const present = groups.withAlert(key).find(group => group.key === overflow && group.alerts.has(key))
  return present ? groups.edit(present) : groups.editRouted(target)
}

/** Ends an alert in every group that has it active. */
function endAlert(groups: GroupDrafts, key: string, atMs: number): void {
  for (const group of groups.withAlert(key)) {
    const alert = group.alerts.get(key)
    if (!alert || alert.endsAtMs !== null) continue
    const draft = groups.edit(group)
    draft.alerts.set(key, { ...alert, endsAtMs: Math.max(atMs, alert.startsAtMs) })
    draft.isAcked = false
  }
}

function activate(groups: GroupDrafts, alert: NotifiedAlert, tree: RouteTree, times: AlertTimes): void {
  const key = alertKey(alert)
  // A group that left the routing and still has the alert must not report it as resolved.
  for (const group of groups.withAlert(key)) {
    if (group.routeKey === null && group.alerts.has(key)) groups.edit(group).alerts.set(key, alert)
  }
  for (const target of tree.groupsOf(alert.labels)) addAlert(groups, target, alert, times)
}

/** Applies transitions of instances to the groups of their routes, in the order of the events. */
export function applyEvents(groups: GroupDrafts, events: readonly AlertEvent[], tree: RouteTree, nowMs: number): void {
  for (const event of events) {
    const meaning = MEANINGS[event.to]
    if (meaning === 'ended') endAlert(groups, alertKey(event), event.atMs)
    else if (meaning !== null) activate(groups, toAlert(event, meaning), tree, { sinceMs: event.atMs, nowMs })
  }
}
