import type { NotificationGroup, NotifiedAlert, SentToChannel } from '../../../domain/alerts/notification-group.js'
import type { RoutedGroup } from '../route/routing.js'

/** Groups of a namespace. Alerts beyond join the overflow group of their route, which has no labels. */
export const MAX_GROUPS = 2_000

/** Key of the group of a route for alerts whose own group would be one too many. */
export function overflowKey(routeKey: string): string {
  return `${routeKey}:overflow`
}

/** A group while one step changes it. */
export interface GroupDraft extends Omit<NotificationGroup, 'alerts' | 'sent'> {
  routeKey: string | null
  alerts: Map<string, NotifiedAlert>
  nextFlushMs: number | null
  flushes: number
  sent: Map<string, SentToChannel>
  isAcked: boolean
}

/**
 * The groups of a namespace that one step may change: those that it does change are copied once, however many alerts they
 * have.
 */
export class GroupDrafts {
  readonly #groups: Map<string, NotificationGroup>
  readonly #drafts = new Map<string, GroupDraft>()
  readonly #removed = new Set<string>()
  /** Keys of groups by the key of an alert that they have or had. */
  readonly #groupsOfAlert = new Map<string, Set<string>>()
  /** Groups of the namespace that are not among these. */
  readonly #others: number

  /** @param stored groups of the namespace, these included. */
  constructor(groups: Iterable<NotificationGroup>, stored: number) {
    this.#groups = new Map([...groups].map(group => [group.key, group]))
    this.#others = Math.max(0, stored - this.#groups.size)
    for (const group of this.#groups.values()) for (const key of group.alerts.keys()) this.noteAlert(key, group.key)
  }

  /** All groups as they are now. */
  all(): readonly NotificationGroup[] {
    return [...this.#groups.values()]
  }

  /** Groups that have, or had during this step, an alert of this key. */
  withAlert(alertKey: string): readonly NotificationGroup[] {
    return [...(this.#groupsOfAlert.get(alertKey) ?? [])].flatMap(key => this.#groups.get(key) ?? [])
  }

  noteAlert(alertKey: string, groupKey: string): void {
    const keys = this.#groupsOfAlert.get(alertKey) ?? new Set()
    keys.add(groupKey)
    this.#groupsOfAlert.set(alertKey, keys)
  }

  /** A copy of the group that may be changed, the same one for the whole step. */
  edit(group: NotificationGroup): GroupDraft {
    const known = this.#drafts.get(group.key)
    if (known) return known
    const draft = { ...group, alerts: new Map(group.alerts), sent: new Map(group.sent) }
    this.#drafts.set(group.key, draft)
    this.#groups.set(group.key, draft)
    this.#removed.delete(group.key)
    return draft
  }

  /** The group of a route, to be changed; without alerts if it is new. Beyond `MAX_GROUPS` the overflow group of the route. */
  editRouted({ key, labels, route }: RoutedGroup): GroupDraft {
    const isBeyond = !this.#groups.has(key) && this.#others + this.#groups.size >= MAX_GROUPS
    const own = isBeyond ? { key: overflowKey(route.key), labels: [] } : { key, labels }
    const nothing = { alerts: new Map(), nextFlushMs: null, flushes: 0, sent: new Map(), isAcked: false }
    const draft = this.edit(this.#groups.get(own.key) ?? { ...own, routeKey: route.key, ...nothing })
    draft.routeKey = route.key
    return draft
  }

  remove(key: string): void {
    this.#groups.delete(key)
    this.#drafts.delete(key)
    this.#removed.add(key)
  }

  /** Groups that this step made or changed. */
  changed(): readonly NotificationGroup[] {
    return [...this.#drafts.values()]
  }

  /** Keys of groups that this step removed. */
  removed(): readonly string[] {
    return [...this.#removed]
  }
}
