import { endianness } from 'node:os'
import { atIntervals } from '../at-intervals.js'
import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import { type HttpPost, sentence } from '../deliver/http-post.js'
import { namedContainers } from '../docker/named-containers.js'
import type { FaultLog } from '../fault-log.js'
import type { SourceState } from '../files/source-states.js'
import { LIMITS } from '../limits.js'
import { ListenerCollector } from '../listeners/collect-listeners.js'
import type { Listener } from '../listeners/listener.js'
import { PROC_FILES } from '../proc-files.js'
import type { AgentFacts } from './agent-facts.js'
import { hostBody } from './host-body.js'
import { hostFacts } from './host-facts.js'

/** Dependencies of the reports of a host. */
export interface HostRunOptions {
  readonly config: AgentConfig
  readonly hostId: string
  readonly agent: AgentFacts
  readonly post: Pick<HttpPost, 'compress' | 'put'>
  readonly clock: Clock
  readonly faults: FaultLog
  /** What becomes of the files that the agent reads. */
  readonly sources: () => Promise<readonly SourceState[]>
  readonly signal: AbortSignal
}

const SEND_TIMEOUT_MS = 10_000

/** Path of the reports of a host. */
export function hostPath(hostId: string): string {
  return `/api/v1/hosts/${hostId}`
}

function listenerCollector({ clock, config, faults }: HostRunOptions): ListenerCollector {
  return new ListenerCollector({
    files: PROC_FILES,
    elapsedMs: () => clock.elapsedMs(),
    isLittleEndian: endianness() === 'LE',
    namedContainers: namedContainers(config),
    onFault: (event, fields) => faults.report(event, '', fields)
  })
}

/** Null when it failed: the service keeps what it knows. */
async function collect(collector: ListenerCollector | null, faults: FaultLog): Promise<readonly Listener[] | null> {
  try {
    return collector === null ? null : await collector.collect()
  } catch (error) {
    faults.report('listeners not collected', '', { err: String(error) })
    return null
  }
}

async function send({ config, hostId, post, faults, signal }: HostRunOptions, body: string): Promise<void> {
  const failure = await post
    .compress(body)
    .then(bytes => post.put(hostPath(hostId), bytes, SEND_TIMEOUT_MS))
    .then(reply => (reply.status === 200 ? null : sentence(reply)), String)
  if (failure !== null && !signal.aborted) faults.report('host not reported', config.url, { url: config.url, err: failure })
}

/** Reports this host, its agent and its listening sockets until the signal. What is not delivered, the next report states. */
export async function runHost(options: HostRunOptions): Promise<void> {
  const { config, agent, clock, faults, sources, signal } = options
  const host = hostFacts()
  const collector = config.listeners.enabled ? listenerCollector(options) : null
  await atIntervals({ intervalMs: config.listeners.intervalMs, clock, signal }, async () => {
    const listeners = await collect(collector, faults)
    const body = hostBody({ host, agent, sources: await sources(), listeners }, config, LIMITS.hostReportBytes)
    // Not waited for: an outage delays neither the next collection nor the end of the agent.
    void send(options, body)
  })
}
