import type { AgentConfig } from '../config/config.js'
import { type Container, DOCKER_SOCKET, dockerApi } from './docker-api.js'

/** A daemon that does not respond must not delay what names its containers for long. */
const TIMEOUT_MS = 2_000

/** Lists the containers of the machine. Rejects without a daemon, or without the right to call it. */
export function namedContainers({ logs }: Pick<AgentConfig, 'logs'>): () => Promise<readonly Container[]> {
  const docker = dockerApi(logs.docker?.socket ?? DOCKER_SOCKET)
  return () => docker.containers(AbortSignal.timeout(TIMEOUT_MS))
}
