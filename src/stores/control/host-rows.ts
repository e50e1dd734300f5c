import type { Insertable, Selectable } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type {
  HostContainers,
  HostKey,
  HostListener,
  HostSighting,
  ListenerProtocol,
  MachineFacts,
  ReportedContainer,
  ReportedHost,
  ReportingAgent,
  ServiceBasis
} from '../../domain/reported-host.js'
import type { HostListenersTable, HostsTable } from './host-schema.js'

// Rows of the tables of hosts, as the domain has them.

type HostRow = Selectable<HostsTable>
export type ListenerRow = Selectable<HostListenersTable>

/** Columns of a sighting. */
export const SIGHTING = [
  'namespace_id',
  'id',
  'name',
  'interval_ms',
  'first_seen_ms',
  'last_seen_ms',
  'listeners_seen_ms'
] as const

export function toSighting(row: Pick<HostRow, (typeof SIGHTING)[number]>): HostSighting {
  return {
    namespaceId: row.namespace_id as NamespaceId,
    id: row.id,
    name: row.name,
    intervalMs: row.interval_ms,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    listenersSeenMs: row.listeners_seen_ms
  }
}

/** Columns of a report; the containers are apart, since lists do not need them. */
export const REPORT = [...SIGHTING, 'report', 'listeners_sum'] as const

export function toHost(row: Pick<HostRow, (typeof REPORT)[number]>): ReportedHost {
  const { machine, agent } = JSON.parse(row.report) as { machine: MachineFacts; agent: ReportingAgent }
  return { ...toSighting(row), machine, agent, listenersSum: row.listeners_sum }
}

/** Columns of the containers of a host. */
export const CONTAINERS = [...SIGHTING, 'containers', 'containers_seen_ms'] as const

export function toContainers(row: Pick<HostRow, (typeof CONTAINERS)[number]>): HostContainers {
  const { containers, containers_seen_ms: atMs } = row
  if (containers === null || atMs === null) return { ...toSighting(row), listed: null }
  return { ...toSighting(row), listed: { atMs, containers: JSON.parse(containers) as readonly ReportedContainer[] } }
}

export function hostRow(host: ReportedHost): Insertable<HostsTable> {
  const { machine, agent } = host
  return {
    namespace_id: host.namespaceId,
    id: host.id,
    name: host.name,
    report: JSON.stringify({ machine, agent }),
    interval_ms: host.intervalMs,
    listeners_sum: host.listenersSum,
    first_seen_ms: host.firstSeenMs,
    last_seen_ms: host.lastSeenMs,
    listeners_seen_ms: host.listenersSeenMs
  }
}

export function toListener(row: ListenerRow): HostListener {
  return {
    id: row.id,
    protocol: row.protocol as ListenerProtocol,
    address: row.address,
    port: row.port,
    pid: row.pid,
    process: row.process,
    exe: row.exe,
    command: row.command,
    user: row.user_name,
    unit: row.unit,
    container: row.container,
    service: row.service,
    serviceBasis: row.service_basis as ServiceBasis | null,
    firstSeenMs: row.first_seen_ms,
    changedMs: row.changed_ms,
    closedMs: row.closed_ms
  }
}

export function listenerRow({ namespaceId, id, name }: HostKey, listener: HostListener): Insertable<HostListenersTable> {
  return {
    namespace_id: namespaceId,
    id: listener.id,
    host_id: id,
    host_name: name,
    protocol: listener.protocol,
    address: listener.address,
    port: listener.port,
    pid: listener.pid,
    process: listener.process,
    exe: listener.exe,
    command: listener.command,
    user_name: listener.user,
    unit: listener.unit,
    container: listener.container,
    service: listener.service,
    service_basis: listener.serviceBasis,
    first_seen_ms: listener.firstSeenMs,
    changed_ms: listener.changedMs,
    closed_ms: listener.closedMs
  }
}
