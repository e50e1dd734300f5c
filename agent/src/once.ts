import { endianness } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { AgentCounters } from './agent-counters.js'
import { type Clock, SYSTEM_CLOCK } from './clock.js'
import type { AgentConfig } from './config/config.js'
import { namedContainers } from './docker/named-containers.js'
import { agentFacts } from './host/agent-facts.js'
import { hostBody } from './host/host-body.js'
import { containerLister } from './host/run-host.js'
import { hostFacts } from './host/host-facts.js'
import { LIMITS } from './limits.js'
import { ListenerCollector } from './listeners/collect-listeners.js'
import { PROC_FILES } from './proc-files.js'
import { machineCollector } from './metrics/machine-collector.js'
import { metricsBody } from './metrics/metric-sender.js'

/** Shares of CPU are those of this time. */
const BETWEEN_MS = 1_000

/** Bodies that the agent would send of this machine now, as JSON: metrics, and the report of the host. Sends nothing. */
export async function collectOnce(
  config: AgentConfig,
  log: (event: string, fields: Readonly<Record<string, unknown>>) => void,
  clock: Clock = SYSTEM_CLOCK
): Promise<readonly string[]> {
  const elapsedMs = (): number => clock.elapsedMs()
  const metrics = machineCollector({
    config,
    elapsedMs,
    own: async () => ({ counters: new AgentCounters(), retries: 0, sources: [] }),
    onFault: (part, error) => log('metrics not collected', { part, err: String(error) })
  })
  await metrics.collect()
  await wait(BETWEEN_MS)
  const points = await metrics.collect()
  const isLittleEndian = endianness() === 'LE'
  const deps = { files: PROC_FILES, elapsedMs, isLittleEndian, namedContainers: namedContainers(config), onFault: log }
  const listeners = await new ListenerCollector(deps).collect()
  const containers = config.metrics.containers ? await containerLister(config, log).collect() : null
  const report = { host: hostFacts(), agent: agentFacts(config, clock.nowMs()), sources: [], listeners, containers }
  return [metricsBody(points, config, clock.nowMs()), hostBody(report, config, LIMITS.hostReportBytes)]
}
