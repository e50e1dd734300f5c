import type { NamespaceId } from '../domain/ids.js'
import type {
  HostContainers,
  HostKey,
  HostListener,
  HostSighting,
  ReportedContainer,
  ReportedHost
} from '../domain/reported-host.js'

/** What a report changes. */
export interface HostChange {
  readonly host: ReportedHost
  /** Added, or replaced by their id. */
  readonly listeners: readonly HostListener[]
  /** All containers of the host; null or absent: as they were. */
  readonly containers?: readonly ReportedContainer[] | null
}

/** Conditions on a list of listeners. */
export interface ListenerRequest {
  /** Names of hosts, one at least. */
  readonly hosts?: readonly string[] | undefined
  readonly service?: string | undefined
  readonly port?: number | undefined
  readonly open?: boolean | undefined
  readonly limit: number
}

/** A listener and its host. */
export interface ListenerOnHost extends HostListener {
  readonly host: HostSighting
}

/** Hosts that agents report, and their listening sockets. Every method is confined to one namespace. */
export interface ReportedHosts {
  /** Writes all changes in one transaction. */
  save(changes: readonly HostChange[]): Promise<void>
  /** Null for a host that no agent reported. */
  host(key: HostKey): Promise<ReportedHost | null>
  /** Hosts with one of the names, latest report first. */
  named(ns: NamespaceId, names: readonly string[]): Promise<readonly ReportedHost[]>
  /** Hosts with one of the ids, latest report first: several of one id where machines were cloned. */
  withIds(ns: NamespaceId, ids: readonly string[]): Promise<readonly HostSighting[]>
  /** All hosts by name, then id; at most `limit`. */
  all(ns: NamespaceId, limit: number): Promise<readonly HostSighting[]>
  /** Containers of the hosts with one of the names that reported at `sinceMs` or later, latest report first. */
  containers(ns: NamespaceId, names: readonly string[], sinceMs: number): Promise<readonly HostContainers[]>
  count(ns: NamespaceId): Promise<number>
  /** Open and closed ones. */
  countListeners(ns: NamespaceId): Promise<number>
  /** Listeners of one host, open and closed. */
  listenersOf(key: HostKey): Promise<readonly HostListener[]>
  /** Listeners by port, protocol, name of the host, address and id. */
  listeners(ns: NamespaceId, request: ListenerRequest): Promise<readonly ListenerOnHost[]>
  /** Forgets the host that reported last the longest time ago, before `beforeMs`, with its listeners. False without one. */
  forgetOldest(ns: NamespaceId, beforeMs: number): Promise<boolean>
  /** Forgets listeners. */
  forgetListeners(key: HostKey, ids: readonly string[]): Promise<void>
  /** Forgets hosts whose last report came before `hostsMs`, with their listeners, and listeners that closed before `closedMs`. */
  deleteBefore(ns: NamespaceId, before: { readonly hostsMs: number; readonly closedMs: number }): Promise<void>
}
