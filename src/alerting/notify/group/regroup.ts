import { alertKey, type NotificationGroup, type SentToChannel } from '../../../domain/alerts/notification-group.js'
import type { RoutedGroup, RouteTree } from '../route/routing.js'
import { addAlert } from './apply-events.js'
import { type GroupDrafts, overflowKey } from './group-drafts.js'
import { RETIRED_INTERVAL_MS } from './flush-group.js'

/**
 * Follows a changed routing: alerts move to the groups of their new routes. What channels were sent and still wait for
 * stays in a group without a route, which sends the resolutions.
 * @param version of the new routing; it makes the keys of such groups unique.
 */
export function regroup(groups: GroupDrafts, tree: RouteTree, version: number, nowMs: number): void {
  for (const group of groups.all()) if (group.routeKey !== null) moveAlerts(groups, group, tree, { version, nowMs })
}

function moveAlerts(
  groups: GroupDrafts,
  group: NotificationGroup,
  tree: RouteTree,
  { version, nowMs }: { readonly version: number; readonly nowMs: number }
): void {
  const departed = new Set<string>()
  for (const [key, alert] of group.alerts) {
    const targets = tree.groupsOf(alert.labels)
    const stays = (target: RoutedGroup): boolean =>
      target.key === group.key || (group.key === overflowKey(target.route.key) && group.routeKey === target.route.key)
    if (!targets.some(stays)) departed.add(key)
    if (alert.endsAtMs !== null) continue
    for (const target of targets) {
      if (!stays(target) && !isIn(groups, target.key, key)) {
        addAlert(groups, target, alert, { sinceMs: alert.startsAtMs, nowMs })
      }
    }
  }
  if (departed.size > 0) retire(groups, group, departed, { key: `${group.key}@${version}`, nowMs })
}

function isIn(groups: GroupDrafts, groupKey: string, key: string): boolean {
  return groups.withAlert(key).some(group => group.key === groupKey && group.alerts.get(key)?.endsAtMs === null)
}

/** Takes the departed alerts out of their group; those that channels wait for go into one without a route. */
function retire(
  groups: GroupDrafts,
  group: NotificationGroup,
  departed: ReadonlySet<string>,
  { key, nowMs }: { readonly key: string; readonly nowMs: number }
): void {
  const draft = groups.edit(group)
  const isDeparted = (one: string): boolean => departed.has(one)
  const owedOf = (sent: SentToChannel, departs: boolean): SentToChannel['owed'] =>
    new Map([...sent.owed].filter(([one]) => isDeparted(one) === departs))
  const owedTo = [...draft.sent].filter(([, { owed }]) => [...owed.keys()].some(isDeparted))
  const owed = new Set(owedTo.flatMap(([, sent]) => [...owedOf(sent, true).keys()]))
  if (owed.size > 0) {
    const alerts = new Map([...draft.alerts].filter(([one]) => owed.has(one)))
    const sent = new Map(owedTo.map(([id, one]) => [id, { ...one, owed: owedOf(one, true), resolved: [], done: [] }]))
    groups.edit({ ...draft, key, routeKey: null, alerts, sent, nextFlushMs: nowMs + RETIRED_INTERVAL_MS, isAcked: false })
    for (const alert of alerts.values()) groups.noteAlert(alertKey(alert), key)
  }
  for (const one of departed) draft.alerts.delete(one)
  for (const [id, sent] of draft.sent) {
    draft.sent.set(id, {
      ...sent,
      owed: owedOf(sent, false),
      done: sent.done.filter(one => !isDeparted(one))
    })
  }
}
