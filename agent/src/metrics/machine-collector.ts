import type { AgentConfig } from '../config/config.js'
import { namedContainers } from '../docker/named-containers.js'
import { type CollectorOptions, MetricCollector, SYSTEM_FILES } from './collect.js'

export interface MachineCollectorOptions extends Pick<CollectorOptions, 'own' | 'onFault'> {
  readonly config: Pick<AgentConfig, 'metrics' | 'logs'>
  /** Of a clock that does not jump. */
  readonly elapsedMs: () => number
}

/** The collector of this machine's metrics. Docker names its containers if it allows that. */
export function machineCollector({ config, elapsedMs, own, onFault }: MachineCollectorOptions): MetricCollector {
  const options = { config: config.metrics, namedContainers: namedContainers(config), own, onFault }
  return new MetricCollector({ ...SYSTEM_FILES, elapsedMs }, options)
}
