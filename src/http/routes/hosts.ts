import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { ReportedContainer } from '../../domain/reported-host.js'
import { formatNs } from '../../domain/timestamp.js'
import type { AgentReport, AgentReports } from '../../query/hosts/agent-reports.js'
import type { ContainerReport } from '../../query/hosts/container-report.js'
import type { HostReport } from '../../query/hosts/host-report.js'
import type { HostSummary } from '../../query/hosts/host-result.js'
import type { ListedListener, ListenerReport } from '../../query/hosts/listener-report.js'
import { typedRoutes } from '../json-schema.js'
import { completenessJson } from '../read-json/facts-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { type ContainerReply, GET_HOST, type HostReply, LIST_HOSTS, LIST_LISTENERS, type ListenerReply } from './hosts-schemas.js'

/** Dependencies of `hostsRoutes`. */
export interface HostsDeps extends ReadAccess {
  readonly hostReport: HostReport
  readonly agentReports: AgentReports
  readonly containerReport: Pick<ContainerReport, 'reported'>
  readonly listenerReport: ListenerReport
}

const timeJson = (ms: number): string => new Date(ms).toISOString()
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeJson(ms))

function agentJson(report: AgentReport): NonNullable<HostReply['agent']> {
  const { agent } = report
  return {
    host_id: report.id,
    id_shared_by: report.idSharedBy,
    version: agent.version,
    started_at: timeOrNull(agent.startedAtMs),
    config_hash: agent.configHash,
    interval_s: report.intervalMs / 1000,
    last_report_at: timeJson(report.lastSeenMs),
    sources: agent.sources.map(({ path, state, lagBytes }) => ({ path, state, lag_bytes: lagBytes }))
  }
}

function hostJson({ name, state, lastSeenNs }: HostSummary, report: AgentReport | undefined): HostReply {
  const machine = report?.machine
  return {
    name,
    state,
    last_seen: formatNs(lastSeenNs),
    os: machine?.os ?? null,
    kernel: machine?.kernel ?? null,
    arch: machine?.arch ?? null,
    cpu_count: machine?.cpuCount ?? null,
    memory_bytes: machine?.memoryBytes ?? null,
    boot_time: timeOrNull(machine?.bootAtMs ?? null),
    agent: report === undefined ? null : agentJson(report)
  }
}

function containerJson({ id, name, image, runtime, service, state }: ReportedContainer): ContainerReply {
  return { id, name, image, runtime, service, state }
}

function listenerJson(listener: ListedListener): ListenerReply {
  const { id, host, hostId, state, protocol, address, port, pid, process, exe, command, user, unit } = listener
  return {
    ...{ id, host, host_id: hostId, state, protocol, address, port, pid, process, exe, command, user, unit },
    container: listener.container,
    service: listener.service,
    service_basis: listener.serviceBasis,
    first_seen: timeJson(listener.firstSeenMs),
    last_seen: timeJson(listener.lastSeenMs)
  }
}

function listHosts(app: FastifyInstance, deps: HostsDeps): void {
  typedRoutes(app).get('/api/v1/hosts', { schema: LIST_HOSTS }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { contains, state: states, cursor: after, limit } = req.query
      const query = { contains, states, after, limit, limitName: 'limit' }
      const result = await deps.hostReport.list(namespace, query, signal)
      const { hosts, hasMore } = result
      const reports = await deps.agentReports.of(
        namespace,
        hosts.map(({ name }) => name)
      )
      return {
        hosts: hosts.map(host => hostJson(host, reports.get(host.name))),
        page: { next_cursor: hasMore ? (hosts.at(-1)?.name ?? null) : null, has_more: hasMore, limit: result.limit },
        total: result.total,
        ...completenessJson(result)
      }
    })
  )
}

function getHost(app: FastifyInstance, deps: HostsDeps): void {
  typedRoutes(app).get('/api/v1/hosts/:id', { schema: GET_HOST }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const { id } = req.params
      const host = (await deps.hostReport.named(namespace, [id], signal)).get(id)
      if (host === undefined) throw new GatewayError('not_found', 'the namespace has no host of this name or id')
      const report = (await deps.agentReports.of(namespace, [host.name])).get(host.name)
      const containers = (await deps.containerReport.reported(namespace, [host.name])).get(host.name)
      return { host: { ...hostJson(host, report), containers: containers?.map(containerJson) ?? null } }
    })
  )
}

function listListeners(app: FastifyInstance, deps: HostsDeps): void {
  typedRoutes(app).get('/api/v1/listeners', { schema: LIST_LISTENERS }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const { host, service, port, open, limit: most } = req.query
      const result = await deps.listenerReport.list(namespace, { host, service, port, open, limit: most })
      const { listeners, hasMore, limit } = result
      return {
        listeners: listeners.map(listenerJson),
        page: { next_cursor: null, has_more: hasMore, limit },
        ...completenessJson(result)
      }
    })
  )
}

/** Registers `GET /api/v1/hosts`, `GET /api/v1/hosts/{id}` and `GET /api/v1/listeners`. */
export function hostsRoutes(app: FastifyInstance, deps: HostsDeps): void {
  listHosts(app, deps)
  getHost(app, deps)
  listListeners(app, deps)
}
