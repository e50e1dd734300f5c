import type { AlertEvent } from '../../../domain/alerts/alert-state.js'
import type { NotificationGroup } from '../../../domain/alerts/notification-group.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { NotificationGroups } from '../../../ports/notifications.js'
import { overflowKey } from '../group/group-drafts.js'
import { MAX_FLUSHED_GROUPS } from '../group/step.js'
import type { RouteTree, Routing } from '../route/routing.js'

/** What decides on the groups that a step reads. */
export interface GroupsRequest {
  readonly events: readonly AlertEvent[]
  readonly hasMoreEvents: boolean
  readonly isRerouted: boolean
  readonly routing: Routing
  readonly tree: RouteTree
}

/** The groups that alerts of these events can be in under the present routing, besides those that left it. */
function keysOf(events: readonly AlertEvent[], tree: RouteTree): readonly string[] {
  const keys = new Set<string>()
  for (const { labels } of events) {
    for (const { key, route } of tree.groupsOf(labels)) keys.add(key).add(overflowKey(route.key))
  }
  return [...keys]
}

/**
 * The groups that a step may change: those of the alerts of its events, and those whose flush is due. A changed routing can
 * move every alert, and an inhibition depends on all that fire: then all groups are read.
 */
export async function groupsOfStep(
  groups: NotificationGroups,
  ns: NamespaceId,
  { events, hasMoreEvents, isRerouted, routing, tree }: GroupsRequest,
  nowMs: number
): Promise<readonly NotificationGroup[]> {
  if (isRerouted || (routing.inhibit.length > 0 && !hasMoreEvents)) return groups.all(ns)
  const read = new Map<string, NotificationGroup>()
  const add = (some: readonly NotificationGroup[]): void => some.forEach(group => read.set(group.key, group))
  if (events.length > 0) {
    add(await groups.byKeys(ns, keysOf(events, tree)))
    add(await groups.retired(ns))
  }
  // One more than are flushed: whether there are more is part of the result.
  if (!hasMoreEvents) add(await groups.due(ns, nowMs, MAX_FLUSHED_GROUPS + 1))
  return [...read.values()]
}
