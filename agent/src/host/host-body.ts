import type { AgentConfig } from '../config/config.js'
import type { SourceState } from '../files/source-states.js'
import type { Listener } from '../listeners/listener.js'
import type { AgentFacts } from './agent-facts.js'
import type { HostContainer } from './container-lister.js'
import type { HostFacts } from './host-facts.js'

/** What a report of the host states. */
export interface HostReport {
  readonly host: HostFacts
  readonly agent: AgentFacts
  readonly sources: readonly SourceState[]
  /** Null: they were not collected. */
  readonly listeners: readonly Listener[] | null
  /** Null: they were not collected. */
  readonly containers: readonly HostContainer[] | null
}

/** As the service limits them. */
const PATH_CHARS = 256

/** How much of a report is sent: it is made smaller until it fits. */
interface Size {
  readonly sources: number
  readonly listeners: number
  readonly commandChars: number
  readonly containers: number
}

/** Paths and command lines go first; which sockets listen is the last that is left out. */
const SIZES: readonly Size[] = [
  { sources: Infinity, listeners: Infinity, commandChars: Infinity, containers: Infinity },
  { sources: 10, listeners: Infinity, commandChars: 256, containers: Infinity },
  { sources: 0, listeners: Infinity, commandChars: 0, containers: 100 },
  { sources: 0, listeners: 100, commandChars: 0, containers: 100 }
]

const time = (ms: number): string => new Date(ms).toISOString()

function listenerJson({ serviceBasis, command, exe, ...listener }: Listener, commandChars: number): object {
  return {
    ...listener,
    exe: exe !== null && exe.length <= commandChars ? exe : null,
    command: commandChars === 0 ? null : (command?.slice(0, commandChars) ?? null),
    service_basis: serviceBasis
  }
}

function textOf({ host, agent, sources, listeners, containers }: HostReport, config: AgentConfig, size: Size): string {
  return JSON.stringify({
    ...(config.namespace !== null && { namespace: config.namespace.name }),
    name: config.host,
    interval_s: config.listeners.intervalMs / 1000,
    os: host.os,
    kernel: host.kernel,
    arch: host.arch,
    cpu_count: host.cpuCount,
    memory_bytes: host.memoryBytes,
    boot_time: host.bootAtMs === null ? null : time(host.bootAtMs),
    agent: {
      version: agent.version,
      started_at: time(agent.startedAtMs),
      config_hash: agent.configHash,
      sources: sources
        .slice(0, size.sources)
        .map(({ path, state, lagBytes }) => ({ path: path.slice(0, PATH_CHARS), state, lag_bytes: lagBytes }))
    },
    listeners: listeners?.slice(0, size.listeners).map(listener => listenerJson(listener, size.commandChars)) ?? null,
    containers: containers?.slice(0, size.containers) ?? null
  })
}

/** The body of `PUT /api/v1/hosts/{id}`, of at most `maxBytes` where the names in it allow that. */
export function hostBody(report: HostReport, config: AgentConfig, maxBytes: number): string {
  let body = ''
  for (const size of SIZES) {
    body = textOf(report, config, size)
    if (Buffer.byteLength(body) <= maxBytes) return body
  }
  return body
}
