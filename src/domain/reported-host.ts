import type { NamespaceId } from './ids.js'

// What agents report of the machines that they run on. Times are Unix milliseconds.

/** A file or stream that an agent reads. */
export interface AgentSource {
  readonly path: string
  readonly state: string
  /** Bytes that are not stored yet; null when unknown. */
  readonly lagBytes: number | null
}

/** The agent that reports. */
export interface ReportingAgent {
  readonly version: string
  readonly startedAtMs: number | null
  readonly configHash: string | null
  readonly sources: readonly AgentSource[]
}

/** What an agent states of its machine; null for what it does not state. */
export interface MachineFacts {
  readonly os: string | null
  readonly kernel: string | null
  readonly arch: string | null
  readonly cpuCount: number | null
  readonly memoryBytes: number | null
  readonly bootAtMs: number | null
}

/** A machine is known by its id and name: machines that were cloned share an id, and rarely a name. */
export interface HostKey {
  readonly namespaceId: NamespaceId
  readonly id: string
  readonly name: string
}

/** That an agent reported a host, without what it reported. */
export interface HostSighting extends HostKey {
  /** Time between two reports. */
  readonly intervalMs: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** Latest report that listed listeners; null without one. */
  readonly listenersSeenMs: number | null
}

/** The latest report of an agent. */
export interface ReportedHost extends HostSighting {
  readonly machine: MachineFacts
  readonly agent: ReportingAgent
  /** Of the open listeners: equal for equal ones; null before any were reported. */
  readonly listenersSum: string | null
}

export const LISTENER_PROTOCOLS = ['tcp', 'udp'] as const
export type ListenerProtocol = (typeof LISTENER_PROTOCOLS)[number]

/** How the service of a listener was found. */
export const SERVICE_BASES = ['environment', 'label', 'unit', 'port', 'process'] as const
export type ServiceBasis = (typeof SERVICE_BASES)[number]

/** A listening socket in a report. */
export interface ReportedListener {
  readonly protocol: ListenerProtocol
  readonly address: string
  readonly port: number
  readonly pid: number | null
  readonly process: string | null
  /** Path of the program of the process. */
  readonly exe: string | null
  readonly command: string | null
  readonly user: string | null
  readonly unit: string | null
  readonly container: string | null
  readonly service: string | null
  readonly serviceBasis: ServiceBasis | null
}

/** A listening socket of a host, open or closed. */
export interface HostListener extends ReportedListener {
  /** Hash of host, socket and process. */
  readonly id: string
  readonly firstSeenMs: number
  /** When its values were last written. */
  readonly changedMs: number
  /** Latest report that had it, of a closed one; null while it is open. */
  readonly closedMs: number | null
}

/** A container in a report. */
export interface ReportedContainer {
  /** Id of the runtime, or its first digits. */
  readonly id: string
  readonly name: string
  readonly image: string | null
  /** As `docker`, `containerd`. */
  readonly runtime: string | null
  readonly service: string | null
  /** As the runtime names it: `running`, `paused`. */
  readonly state: string | null
}

/** The containers of a host in the latest report that listed them; null when none did. */
export interface HostContainers extends HostSighting {
  readonly listed: { readonly atMs: number; readonly containers: readonly ReportedContainer[] } | null
}

/** `active`, `stale`, `gone`: age class of a host and of what is on it. */
export type ReportState = 'active' | 'stale' | 'gone'

/** Reports that may be missing before a host is stale. */
const MISSED_REPORTS = 3
export const GONE_AFTER_MS = 86_400_000

function stateOf(lastSeenMs: number, intervalMs: number, nowMs: number): ReportState {
  const ageMs = nowMs - lastSeenMs
  if (ageMs <= MISSED_REPORTS * intervalMs) return 'active'
  return ageMs <= GONE_AFTER_MS ? 'stale' : 'gone'
}

/** Active within three intervals of the latest report, stale within a day. */
export function hostState({ lastSeenMs, intervalMs }: HostSighting, nowMs: number): ReportState {
  return stateOf(lastSeenMs, intervalMs, nowMs)
}

/** Latest report that had the listener, Unix milliseconds. */
export function listenerSeenMs({ closedMs, changedMs }: HostListener, { listenersSeenMs }: HostSighting): number {
  return closedMs ?? listenersSeenMs ?? changedMs
}

/** Gone as soon as a report does not have it; else as old as the latest report with a list. */
export function listenerState(listener: HostListener, host: HostSighting, nowMs: number): ReportState {
  return listener.closedMs === null ? stateOf(listenerSeenMs(listener, host), host.intervalMs, nowMs) : 'gone'
}

/** Whether a list of containers is of the latest reports: an agent may report on without one. */
export function isLatestList(listedMs: number, { lastSeenMs, intervalMs }: HostSighting): boolean {
  return lastSeenMs - listedMs <= MISSED_REPORTS * intervalMs
}
