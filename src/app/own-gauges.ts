import type { ByteBudget } from '../ingest/byte-budget.js'
import type { FairScheduler } from '../ingest/fair-scheduler.js'
import type { Ingest } from '../ingest/ingest.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'
import type { SubscriptionState } from '../http/subscriptions/subscription-server.js'
import type { Config } from '../config/config.js'
import { ConnectionLimit } from '../http/connection-limit.js'

/** Shows the budget of bytes at `/metrics`. */
export function showBodyBudget(metrics: Pick<SelfMetrics, 'show'>, budget: Pick<ByteBudget, 'state'>): void {
  metrics.show('alidade_body_memory_bytes', 'Memory in use by request bodies', () => budget.state.usedBytes)
  metrics.show('alidade_body_memory_limit_bytes', 'Limit of the memory in use by request bodies', () => budget.state.maxBytes)
  metrics.show('alidade_bodies_in_flight', 'Request bodies in flight', () => budget.state.bodies)
  metrics.show('alidade_bodies_waiting', 'Request bodies queued for memory', () => budget.state.waiting)
  const refused = 'alidade_bodies_refused'
  metrics.show(`${refused}_share`, 'Request bodies rejected because the caller exceeded its share of memory', () => {
    return budget.state.refusedShare
  })
  metrics.show(`${refused}_whole`, 'Request bodies rejected because the memory limit of bodies was reached', () => {
    return budget.state.refusedWhole
  })
}

/** Shows the queue of small bodies for the event loop at `/metrics`. */
export function showBodyQueue(metrics: Pick<SelfMetrics, 'show'>, scheduler: Pick<FairScheduler, 'state'>): void {
  metrics.show('alidade_bodies_queued', 'Received request bodies queued for processing', () => scheduler.state.waiting)
  metrics.show('alidade_bodies_queued_bytes', 'Memory in use by queued request bodies', () => scheduler.state.waitingBytes)
  metrics.show('alidade_bodies_refused_queue', 'Request bodies rejected because too many were queued for processing', () => {
    return scheduler.state.refused
  })
}

/** Shows the sockets of subscriptions on `/metrics`. */
export function showSubscriptions(
  metrics: Pick<SelfMetrics, 'show'>,
  subscriptions: { readonly state: SubscriptionState }
): void {
  metrics.show('alidade_subscription_sockets', 'Open WebSockets and live tails over HTTP', () => subscriptions.state.sockets)
  metrics.show('alidade_subscriptions', 'Running subscriptions', () => subscriptions.state.subscriptions)
  const help = 'WebSockets, subscriptions and live tails that a limit rejected or closed since the start'
  metrics.show('alidade_subscriptions_refused', help, () => subscriptions.state.refused)
}

/** The limit of connections that the settings have; `/metrics` shows how many are open and were refused. */
export function limitConnections(
  { limitConnections: perNetwork, trustedProxies }: Pick<Config, 'limitConnections' | 'trustedProxies'>,
  metrics: Pick<SelfMetrics, 'show'>
): ConnectionLimit {
  const limit = new ConnectionLimit({ perNetwork, trustedProxies })
  metrics.show('alidade_connections', 'Open connections over HTTP and gRPC', () => limit.state.open)
  metrics.show('alidade_connections_refused', 'Connections closed because their address had too many', () => limit.state.refused)
  return limit
}

/** Shows the series of remote write and the patterns of logs that ingest has in memory at `/metrics`. */
export function showIngest(metrics: Pick<SelfMetrics, 'show'>, ingest: Ingest): void {
  const help = 'Memory of the remote write cache of series labels'
  metrics.show('alidade_ingest_known_series_bytes', help, () => ingest.knownSeriesBytes())
  metrics.show('alidade_log_patterns', 'Templates of logs in memory', () => ingest.patternCounts().patterns)
  const beyond = 'Logs stored with the overflow pattern since the start'
  metrics.show('alidade_log_patterns_overflowed', beyond, () => ingest.patternCounts().overflowed)
  metrics.show('alidade_redacted_values', 'Values that log rules replaced in records since the start', () =>
    ingest.redactedCount()
  )
  const without = 'Logs stored without a pattern since the start, because the catalogue was not writable'
  metrics.show('alidade_log_patterns_unassigned', without, () => ingest.patternCounts().unassigned)
}
