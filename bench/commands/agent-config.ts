import { join } from 'node:path'
import type { ServiceProcess } from '../service/service-process.js'
import { targetOf } from './with-service.js'

/** The configuration of an agent that follows these files and sends to the service. @param folder for its state. */
export function agentConfig(service: ServiceProcess, folder: string, files: readonly object[]): object {
  const { host, port, apiKey } = targetOf(service)
  return {
    agent: { url: `http://${host}:${port}`, api_key: apiKey, host: 'bench', state_dir: join(folder, 'state') },
    logs: { files }
  }
}
