import type { Clock } from '../ports/clock.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { MetricStore } from '../ports/metric-store.js'

/** Removes what is older than each namespace's retention. */
export class RetentionJob {
  constructor(_deps: {
    readonly logs: Pick<LogStore, 'deleteBefore'>
    readonly metrics: Pick<MetricStore, 'deleteBefore'>
    readonly events: Pick<EventStore, 'deleteBefore'>
    readonly namespaces: () => readonly Namespace[]
    readonly clock: Clock
    readonly onError: (error: unknown, namespace: NamespaceId) => void
  }) {}

  /** One pass over all active namespaces; a namespace that fails is reported and does not stop the others. */
  runOnce(): Promise<void> {
    throw new Error('unbuilt')
  }
}
