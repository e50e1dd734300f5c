import { endianness } from 'node:os'
import { atIntervals, type Intervals, sleepMs } from '../at-intervals.js'
import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import { type HttpPost, sentence } from '../deliver/http-post.js'
import { namedContainers } from '../docker/named-containers.js'
import type { FaultLog } from '../fault-log.js'
import type { SourceState } from '../files/source-states.js'
import { LIMITS } from '../limits.js'
import { ListenerCollector } from '../listeners/collect-listeners.js'
import type { Listener } from '../listeners/listener.js'
import { SYSTEM_FILES } from '../metrics/collect.js'
import { PROC_FILES } from '../proc-files.js'
import type { AgentFacts } from './agent-facts.js'
import { ContainerLister, type HostContainer } from './container-lister.js'
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
  /** Those of `atIntervals`. */
  readonly sleep?: Intervals['sleep']
  readonly random?: Intervals['random']
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

/** The containers of this machine; `metrics.containers` turns them off. */
export function containerLister(
  config: Pick<AgentConfig, 'logs'>,
  onFault: (event: string, fields: Readonly<Record<string, unknown>>) => void
): ContainerLister {
  const isNamedAlways = config.logs.docker !== null
  return new ContainerLister({ files: SYSTEM_FILES.containers, named: namedContainers(config), isNamedAlways, onFault })
}

/** Null when it failed: the service keeps what it knows. */
async function attempt<T>(collector: { collect(): Promise<T> } | null, event: string, faults: FaultLog): Promise<T | null> {
  try {
    return collector === null ? null : await collector.collect()
  } catch (error) {
    faults.report(event, '', { err: String(error) })
    return null
  }
}

/** Which files are read, and how; how far behind they are changes always. */
function stateOf(sources: readonly SourceState[]): string {
  return JSON.stringify(sources.map(({ path, state }) => [path, state]))
}

async function send({ config, hostId, post, faults, signal }: HostRunOptions, body: string): Promise<void> {
  const failure = await post
    .compress(body)
    .then(bytes => post.put(hostPath(hostId), bytes, SEND_TIMEOUT_MS))
    .then(reply => (reply.status === 200 ? null : sentence(reply)), String)
  if (failure !== null && !signal.aborted) faults.report('host not reported', config.url, { url: config.url, err: failure })
}

interface Collected {
  readonly listeners: readonly Listener[] | null
  readonly containers: readonly HostContainer[] | null
}

/** The service keeps the lists that it knows. */
const NOT_COLLECTED: Collected = { listeners: null, containers: null }

/**
 * Reports this host, its agent, its listening sockets and containers until the signal. A report follows each collection at
 * once, so a change is as old as the interval at most. Between two collections, what became of files is looked at every 10 s,
 * and reported when it changed, except in the last 10 to 20 s: two reports are at least 10 s apart. What is not delivered, the next report states.
 */
export async function runHost(options: HostRunOptions): Promise<void> {
  const { config, agent, clock, faults, sources, signal, sleep = sleepMs, random = Math.random } = options
  const host = hostFacts()
  const onFault = (event: string, fields: Readonly<Record<string, unknown>>): void => faults.report(event, '', fields)
  const listeners = config.listeners.enabled ? listenerCollector(options) : null
  const containers = config.metrics.containers ? containerLister(config, onFault) : null
  let reported = ''
  const report = (now: readonly SourceState[], collected: Collected): void => {
    reported = stateOf(now)
    const body = hostBody({ host, agent, sources: now, ...collected }, config, LIMITS.hostReportBytes)
    // Not waited for: an outage delays neither the next collection nor the end of the agent.
    void send(options, body)
  }
  const untilNext = async (ms: number): Promise<void> => {
    const endMs = clock.elapsedMs() + ms
    while (!signal.aborted && endMs - clock.elapsedMs() >= 2 * LIMITS.reportedChangeMs) {
      await sleep(LIMITS.reportedChangeMs, signal)
      const now = await sources()
      if (!signal.aborted && stateOf(now) !== reported) report(now, NOT_COLLECTED)
    }
    await sleep(Math.max(0, endMs - clock.elapsedMs()), signal)
  }
  await atIntervals({ intervalMs: config.listeners.intervalMs, clock, signal, random, sleep: untilNext }, async () => {
    const collected = {
      listeners: await attempt(listeners, 'listeners not collected', faults),
      containers: await attempt(containers, 'containers not collected', faults)
    }
    report(await sources(), collected)
  })
}
