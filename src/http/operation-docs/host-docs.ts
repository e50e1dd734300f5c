import { EVENT_TIME } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const HOST_ID = 'b1946ac92492d2347c6235b4d2611184'
const FACTS = { complete: true, warnings: [], stats: { took_ms: 3.1, cuts: [] } }
const PAGE = { next_cursor: null, has_more: false, limit: 100 }
const MACHINE = { os: 'Debian GNU/Linux 13 (trixie)', kernel: '6.12.0', arch: 'amd64', cpu_count: 4, memory_bytes: 8_589_934_592 }
const TIME = '2026-11-20T11:40:00.000Z'

const SOCKET = {
  protocol: 'tcp',
  address: '0.0.0.0',
  port: 5432,
  pid: 812,
  process: 'postgres',
  exe: '/usr/lib/postgresql/17/bin/postgres',
  command: '/usr/lib/postgresql/17/bin/postgres -D /var/lib/postgresql/17/main',
  user: 'postgres',
  unit: 'postgresql@17-main.service',
  container: null,
  service: 'postgresql',
  service_basis: 'unit'
}

const CONTAINER = {
  id: '0f5c1b9a7e21',
  name: 'shop-cache-1',
  image: 'redis:8',
  runtime: 'docker',
  service: 'cache',
  state: 'running'
}

const HOST = {
  name: 'db-1',
  state: 'active',
  last_seen: EVENT_TIME,
  ...MACHINE,
  boot_time: TIME,
  agent: {
    host_id: HOST_ID,
    id_shared_by: [],
    version: '0.1.0',
    started_at: TIME,
    config_hash: '5f1c9ed2a1b4c3d6',
    interval_s: 60,
    last_report_at: TIME,
    sources: [{ path: '/var/log/syslog', state: 'reading', lag_bytes: 0 }]
  }
}

/** Operations about hosts and their listening sockets. */
export const HOST_DOCS: OperationDocs = {
  putHost: {
    summary: 'Report a host',
    description:
      'What an agent states of its machine, each minute: facts, the state of the agent, listening sockets, containers. A listener that the list does not have is closed. At most 1 MiB, 1,000 listeners, 500 containers, 5,000 hosts of a namespace.',
    request: {
      name: 'db-1',
      interval_s: 60,
      ...MACHINE,
      boot_time: TIME,
      agent: { version: '0.1.0', started_at: TIME, config_hash: '5f1c9ed2a1b4c3d6', sources: [] },
      listeners: [SOCKET],
      containers: [CONTAINER]
    },
    reply: {
      status: 'ok',
      namespace: 'default',
      namespace_source: 'api_key',
      host: { id: HOST_ID, name: 'db-1', interval_s: 60, listeners: 1, containers: 1 }
    }
  },
  listHosts: {
    summary: 'List hosts',
    description:
      'Hosts of agents, of the logs and spans of the last 24 hours and of the metrics of the last 30 days, by name. Facts of the machine are those of its agent.',
    reply: { hosts: [HOST], page: PAGE, total: { value: 1, relation: 'eq' }, ...FACTS }
  },
  getHost: {
    summary: 'Read a host',
    description: 'By name, or by the id that its agent reports: of several machines with one id, the one that reported last.',
    reply: { host: { ...HOST, containers: [CONTAINER] } }
  },
  listListeners: {
    summary: 'List listening sockets',
    description: 'Sockets that agents found, open and closed, by port. Closed ones are kept for 7 days.',
    reply: {
      listeners: [
        {
          id: '0a4e08c5a3f59be6d1eb0a4e08c5a3f5',
          host: 'db-1',
          host_id: HOST_ID,
          state: 'active',
          ...SOCKET,
          first_seen: TIME,
          last_seen: TIME
        }
      ],
      page: { ...PAGE, limit: 1_000 },
      ...FACTS
    }
  }
}
