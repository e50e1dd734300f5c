import type { GroupChannel, NotifyContext } from '../../../../src/alerting/notify/group/notify-context.js'
import { parseRouting } from '../../../../src/alerting/notify/route/parse-routing.js'
import { RouteTree } from '../../../../src/alerting/notify/route/routing.js'
import type { AlertEvent, AlertState } from '../../../../src/domain/alerts/alert-state.js'
import type { NamespaceId } from '../../../../src/domain/ids.js'

/** An alert by its name and labels. */
export type AlertLabels = Readonly<Record<string, string>>

let seq = 0

/** A transition of the alert with these labels. */
export function event(values: AlertLabels, to: AlertState, atMs: number, changes: Partial<AlertEvent> = {}): AlertEvent {
  const labels = Object.entries(values)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    seq: ++seq,
    namespaceId: 'shop' as NamespaceId,
    ruleId: values['alertname'] ?? 'rule',
    ruleVersion: 1,
    fingerprint: JSON.stringify(labels),
    labels,
    annotations: [],
    from: 'pending',
    to,
    atMs,
    startsAtMs: atMs,
    value: 1,
    isLate: false,
    ...changes
  }
}

/** A context in which nothing is silenced, muted or waits; `document` is a routing document. */
export function contextOf(
  document: object,
  channels: Readonly<Record<string, Partial<GroupChannel>>>,
  changes: Partial<NotifyContext> = {}
): NotifyContext {
  const routing = parseRouting(document)
  return {
    routing,
    tree: new RouteTree(routing.root),
    channels: new Map(
      Object.entries(channels).map(([name, channel]) => [
        name,
        { id: name, isEnabled: true, takes: () => true, resendMs: null, ...channel }
      ])
    ),
    isSilenced: () => false,
    isMuted: () => false,
    isWaiting: () => false,
    ...changes
  }
}
