import type { AlertEvent } from '../../../domain/alerts/alert-state.js'
import type { NotificationGroup } from '../../../domain/alerts/notification-group.js'
import { Inhibitions } from '../route/inhibitions.js'
import { applyEvents } from './apply-events.js'
import { type Flush, flushGroup, type IsHidden } from './flush-group.js'
import { GroupDrafts } from './group-drafts.js'
import type { NotifyContext } from './notify-context.js'
import { regroup } from './regroup.js'

/** Groups that one step flushes; the others are flushed by the next one. */
export const MAX_FLUSHED_GROUPS = 200

/** What happened since the last step. */
export interface StepInput {
  /** In the order of their numbers. */
  readonly events: readonly AlertEvent[]
  /** Version of the routing if it is not that of the last step, else null. */
  readonly newRouting: number | null
  /**
   * Whether later events are stored already. Nothing is flushed before they are known: an alert that has ended meanwhile
   * would be sent as firing.
   */
  readonly hasMoreEvents?: boolean
  /** Groups of the namespace; as many as are passed when absent. */
  readonly storedGroups?: number
}

/** What a step changes. */
export interface StepResult {
  readonly flushes: readonly Flush[]
  /** New and changed groups. */
  readonly changed: readonly NotificationGroup[]
  /** Keys of groups that ended. */
  readonly removed: readonly string[]
  /** Whether groups are left whose flush is due. */
  readonly hasMore: boolean
}

function hidingOf(groups: GroupDrafts, { routing, isSilenced }: NotifyContext): IsHidden {
  const firing = groups
    .all()
    .flatMap(({ alerts }) => [...alerts.values()])
    .filter(({ endsAtMs }) => endsAtMs === null)
    .map(({ labels }) => labels)
  const inhibitions = new Inhibitions(routing.inhibit, firing)
  return ({ labels }) => isSilenced(labels) || inhibitions.inhibits(labels)
}

/**
 * One step of grouping: a pure function of the groups before, of what happened, and of the time. Alerts join the groups of
 * their routes, and groups whose time has come are flushed.
 * @param before the groups that the step may change, `groupsOfStep` names them; all groups give the same result.
 * @param nowMs Unix milliseconds, not before the last step.
 */
export function notifyStep(
  before: Iterable<NotificationGroup>,
  { events, newRouting, hasMoreEvents = false, storedGroups = 0 }: StepInput,
  context: NotifyContext,
  nowMs: number
): StepResult {
  const groups = new GroupDrafts(before, storedGroups)
  if (newRouting !== null) regroup(groups, context.tree, newRouting, nowMs)
  applyEvents(groups, events, context.tree, nowMs)
  const due = (hasMoreEvents ? [] : groups.all())
    .filter(({ nextFlushMs }) => nextFlushMs !== null && nextFlushMs <= nowMs)
    .sort((a, b) => (a.nextFlushMs ?? 0) - (b.nextFlushMs ?? 0))
  const flushes: Flush[] = []
  if (due.length > 0) {
    const isHidden = hidingOf(groups, context)
    const routes = new Map(context.tree.routes.map(route => [route.key, route]))
    for (const group of due.slice(0, MAX_FLUSHED_GROUPS)) {
      const route = group.routeKey === null ? null : (routes.get(group.routeKey) ?? null)
      flushes.push(...flushGroup({ group: groups.edit(group), route, context, isHidden, nowMs }))
    }
  }
  removeEnded(groups, context, new Set(flushes.map(({ groupKey }) => groupKey)))
  return { flushes, changed: groups.changed(), removed: groups.removed(), hasMore: due.length > MAX_FLUSHED_GROUPS }
}

/** A group ends when it has no alerts and no message of it waits: a newer one would have to carry its resolutions. */
function removeEnded(groups: GroupDrafts, { isWaiting }: NotifyContext, flushed: ReadonlySet<string>): void {
  for (const { key, alerts, sent, nextFlushMs } of groups.all()) {
    if (alerts.size > 0 || flushed.has(key)) continue
    const isOpen = nextFlushMs === null && [...sent].some(([id, { resolved }]) => resolved.length > 0 && isWaiting(key, id))
    if (!isOpen) groups.remove(key)
  }
}
