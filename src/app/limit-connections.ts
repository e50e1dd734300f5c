import type { Config } from '../config/config.js'
import { ConnectionLimit } from '../http/connection-limit.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'

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
