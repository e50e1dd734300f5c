import type { AgentConfig } from '../config/config.js'
import { DOCKER_SOCKET, dockerApi } from '../docker/docker-api.js'
import { type CollectorOptions, MetricCollector, SYSTEM_FILES } from './collect.js'

/** A daemon that does not respond must not delay the other metrics for long. */
const NAMES_TIMEOUT_MS = 2_000

export interface MachineCollectorOptions extends Pick<CollectorOptions, 'own' | 'onFault'> {
  readonly config: Pick<AgentConfig, 'metrics' | 'logs'>
  /** Of a clock that does not jump. */
  readonly elapsedMs: () => number
}

/** The collector of this machine's metrics. Docker names its containers if it allows that. */
export function machineCollector({ config, elapsedMs, own, onFault }: MachineCollectorOptions): MetricCollector {
  const docker = dockerApi(config.logs.docker?.socket ?? DOCKER_SOCKET)
  return new MetricCollector(
    { ...SYSTEM_FILES, elapsedMs },
    { config: config.metrics, namedContainers: () => docker.containers(AbortSignal.timeout(NAMES_TIMEOUT_MS)), own, onFault }
  )
}
