import type { SubscriptionState } from '../http/subscriptions/subscription-server.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'

/** Shows the sockets of subscriptions on `/metrics`. */
export function showSubscriptions(
  metrics: Pick<SelfMetrics, 'show'>,
  subscriptions: { readonly state: SubscriptionState }
): void {
  metrics.show('alidade_subscription_sockets', 'Open WebSockets', () => subscriptions.state.sockets)
  metrics.show('alidade_subscriptions', 'Running subscriptions', () => subscriptions.state.subscriptions)
  const help = 'WebSockets and subscriptions that a limit rejected or closed since the start'
  metrics.show('alidade_subscriptions_refused', help, () => subscriptions.state.refused)
}
