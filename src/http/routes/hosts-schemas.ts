import { LISTENER_PROTOCOLS, type ReportState, SERVICE_BASES } from '../../domain/reported-host.js'
import {
  COUNT,
  FLAG,
  list,
  listOrNull,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  optional,
  type Static,
  TEXT,
  typed
} from '../json-schema.js'
import { READ_HEADERS, READ_SECURITY, STATS, TOTAL, WINDOW_QUERY } from '../read-schemas.js'

const COMMON = { tags: ['hosts'], security: READ_SECURITY, headers: READ_HEADERS }
const STATES = ['active', 'stale', 'gone'] as const
const NULLABLE_COUNT = { type: ['integer', 'null'], minimum: 0 } as const

const FACTS = {
  complete: { ...FLAG, description: 'False when a limit made the response incomplete: see warnings.' },
  warnings: list(TEXT),
  stats: STATS
}
const PAGE = object({ next_cursor: NULLABLE_TEXT, has_more: FLAG, limit: COUNT })

const AGENT = object({
  host_id: { ...TEXT, description: 'Id of the machine, by which the agent reports.' },
  id_shared_by: list(TEXT, { description: 'Names of other hosts that report the same id now: cloned machines.' }),
  version: TEXT,
  started_at: NULLABLE_TEXT,
  config_hash: NULLABLE_TEXT,
  interval_s: { ...NUMBER, description: 'Seconds between two reports.' },
  last_report_at: TEXT,
  sources: list(object({ path: TEXT, state: TEXT, lag_bytes: NULLABLE_COUNT }))
})

const CONTAINER = object({
  id: { ...TEXT, description: 'First digits of its id.' },
  name: TEXT,
  image: NULLABLE_TEXT,
  runtime: NULLABLE_TEXT,
  service: NULLABLE_TEXT,
  state: { ...NULLABLE_TEXT, description: 'As the runtime names it: running, paused.' }
})

/** A container of a host. */
export type ContainerReply = Static<typeof CONTAINER>

const HOST_MEMBERS = {
  name: TEXT,
  state: {
    enum: STATES,
    description:
      'With an agent: active within three intervals of its latest report, stale within 24 hours. Otherwise: a log, span or sample in the last 5 minutes, in the last 24 hours, or none.'
  } as const,
  last_seen: TEXT,
  os: NULLABLE_TEXT,
  kernel: NULLABLE_TEXT,
  arch: NULLABLE_TEXT,
  cpu_count: NULLABLE_COUNT,
  memory_bytes: NULLABLE_COUNT,
  boot_time: NULLABLE_TEXT,
  agent: objectOrNull(AGENT)
}
const HOST = object(HOST_MEMBERS)
const HOST_DETAIL = object({
  ...HOST_MEMBERS,
  containers: listOrNull(CONTAINER, {
    description: 'What its agent lists in its latest reports of the last 24 hours; null: it lists none.'
  })
})

/** A host with what its agent reports. */
export type HostReply = Static<typeof HOST>

/** `GET /api/v1/hosts`. */
export const LIST_HOSTS = {
  ...COMMON,
  operationId: 'listHosts',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    contains: { ...TEXT, description: 'Only names that contain this, case-insensitive; at most 256 characters.' },
    state: typed<readonly ReportState[]>({ type: 'array', items: { enum: STATES }, description: 'Only hosts in these states.' }),
    cursor: { ...TEXT, description: '`next_cursor` of the page before.' },
    limit: { ...COUNT, description: 'At most 500; default 100.' }
  }),
  response: {
    200: {
      description: 'Hosts by name.',
      ...object({ hosts: list(HOST), page: PAGE, total: TOTAL, ...FACTS }, { additionalProperties: false })
    }
  }
}

/** `GET /api/v1/hosts/{id}`. */
export const GET_HOST = {
  ...COMMON,
  operationId: 'getHost',
  params: object({ id: { ...TEXT, description: 'Name of the host, or id of the machine.' } }),
  querystring: optional({ namespace: WINDOW_QUERY.namespace }),
  response: {
    200: { description: 'The host.', ...object({ host: HOST_DETAIL }, { additionalProperties: false }) }
  }
}

const LISTENER = object({
  id: TEXT,
  host: { ...TEXT, description: 'Name of the host.' },
  host_id: TEXT,
  state: { enum: STATES, description: 'gone: closed, or not reported for 24 hours.' } as const,
  protocol: { enum: LISTENER_PROTOCOLS } as const,
  address: TEXT,
  port: COUNT,
  pid: NULLABLE_COUNT,
  process: NULLABLE_TEXT,
  exe: { ...NULLABLE_TEXT, description: 'Path of the program of the process.' },
  command: { ...NULLABLE_TEXT, description: 'Command line; the agent masks secrets.' },
  user: NULLABLE_TEXT,
  unit: NULLABLE_TEXT,
  container: NULLABLE_TEXT,
  service: NULLABLE_TEXT,
  service_basis: { enum: [...SERVICE_BASES, null] } as const,
  first_seen: TEXT,
  last_seen: TEXT
})

/** A listening socket. */
export type ListenerReply = Static<typeof LISTENER>

/** `GET /api/v1/listeners`. */
export const LIST_LISTENERS = {
  ...COMMON,
  operationId: 'listListeners',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    host: { ...TEXT, description: 'Name of the host, or id of the machine.' },
    service: TEXT,
    port: { ...COUNT, maximum: 65_535 },
    open: { ...FLAG, description: 'Only open listeners, or only closed ones.' },
    limit: { ...COUNT, description: 'At most 5,000; default 1,000.' }
  }),
  response: {
    200: {
      description: 'Listeners by port.',
      ...object({ listeners: list(LISTENER), page: PAGE, ...FACTS }, { additionalProperties: false })
    }
  }
}
