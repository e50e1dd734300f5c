import { LISTENER_PROTOCOLS, SERVICE_BASES } from '../../domain/reported-host.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_TEXT,
  objectWith,
  optional,
  requiring,
  type Schema,
  TEXT
} from '../json-schema.js'
import { NAMESPACE_HEADER, NAMESPACE_PARAMETER } from './ingest-schemas.js'

// Reports of hosts in OpenAPI. It documents; their checks are those of src/ingest/hosts.

const text = (description: string): Schema => ({ ...NULLABLE_TEXT, description })
const count = (description: string): Schema => ({ type: ['integer', 'null'], minimum: 0, description })

const LISTENER = described(
  'A listening socket and its process.',
  objectWith(['protocol', 'address', 'port'], {
    protocol: { enum: LISTENER_PROTOCOLS } as const,
    address: { ...TEXT, description: 'Address that it is bound to.' },
    port: { ...COUNT, minimum: 1, maximum: 65_535 },
    pid: count('Process id.'),
    process: text('Name of the process.'),
    exe: text('Path of the program of the process, at most 1,024 characters.'),
    command: text('Command line without secrets, at most 2,048 characters.'),
    user: text('User of the process.'),
    unit: text('Unit of the service manager.'),
    container: text('Container of the process.'),
    service: text('Service of the process.'),
    service_basis: { enum: [...SERVICE_BASES, null], description: 'How `service` was found.' } as const
  })
)

const CONTAINER = described(
  'A container of the host.',
  objectWith(['id', 'name'], {
    id: { ...TEXT, description: 'Id, or its first digits: at most 64 letters, digits and ._:-' },
    name: { ...TEXT, description: 'Name, at most 255 characters; the id where the runtime has none.' },
    image: text('Image, at most 512 characters.'),
    runtime: text('What runs it, as docker; at most 64 characters.'),
    service: text('Service that it runs, at most 255 characters.'),
    state: text('State by the runtime, as running; at most 64 characters.')
  })
)

const SOURCE = objectWith([], {
  path: text('Path of the file, at most 256 characters.'),
  state: text('State that the agent reports.'),
  lag_bytes: count('Bytes that are not sent yet; null when unknown.')
})

const REPORT = described(
  'What an agent states of its machine. Members that are not known are ignored.',
  objectWith(['name', 'interval_s'], {
    namespace: text('Name of the namespace; step 1 of namespace resolution (docs/conventions.md).'),
    name: { ...TEXT, description: 'Host that records of the machine name, at most 255 characters.' },
    interval_s: { ...COUNT, minimum: 10, maximum: 3_600, description: 'Seconds between two reports.' },
    os: text('Name of the operating system.'),
    kernel: text('Release of the kernel.'),
    arch: text('Architecture.'),
    cpu_count: count('Logical CPUs.'),
    memory_bytes: count('Memory of the machine.'),
    boot_time: text('RFC 3339.'),
    agent: objectWith([], {
      version: text('Release of the agent.'),
      started_at: text('RFC 3339.'),
      config_hash: text('Equal for equal configurations.'),
      sources: list(SOURCE, { maxItems: 100 })
    }),
    listeners: {
      type: ['array', 'null'],
      maxItems: 1_000,
      items: LISTENER,
      description: 'All listening sockets: others of the host are closed. Absent or null: not collected.'
    },
    containers: {
      type: ['array', 'null'],
      maxItems: 500,
      items: CONTAINER,
      description: 'All containers that run on the host, at most 256 KiB as JSON. Absent or null: not collected.'
    }
  })
)

const PLACE = ['next_seq', 'bytes_to', 'line_to', 'head', 'anchor', 'pending', 'recovered'] as const

const PENDING = {
  type: ['object', 'null'],
  description:
    'The first batch of the stream, which was about to be stored: up to where, and the hash of the bytes before. The ' +
    'service does not know whether it is stored: send it again from bytes_to on, with recovered. Null once a batch is stored.',
  required: ['to', 'anchor'],
  additionalProperties: false,
  properties: { to: COUNT, anchor: NULLABLE_TEXT }
} as const

const RECOVERED = {
  type: ['object', 'null'],
  description: 'What the next batch has as recovered; null: the number of the next batch, and no records.',
  required: ['seq', 'records'],
  additionalProperties: false,
  properties: { seq: COUNT, records: COUNT }
} as const

const REPLY = requiring(['status', 'namespace', 'namespace_source', 'host'], {
  status: { enum: ['ok'] } as const,
  namespace: TEXT,
  namespace_source: { enum: ['body', 'header', 'query', 'api_key', 'session', 'default'] } as const,
  host: requiring(['id', 'name', 'interval_s', 'listeners', 'containers'], {
    id: TEXT,
    name: TEXT,
    interval_s: COUNT,
    listeners: { type: ['integer', 'null'], minimum: 0, description: 'Listeners in the report; null without a list.' },
    containers: { type: ['integer', 'null'], minimum: 0, description: 'Containers in the report; null without a list.' }
  }),
  streams: described(
    'Log streams of the host, by id, at most 500: those that are not ended, and those that ended in the last 7 days.',
    requiring(['items', 'since', 'has_more'], {
      items: list(
        requiring(['id', 'path', 'kind', ...PLACE, 'end', 'first_at', 'last_at', 'sealed_at'], {
          ...{ id: TEXT, path: NULLABLE_TEXT, kind: NULLABLE_TEXT },
          ...{ next_seq: COUNT, bytes_to: COUNT, line_to: COUNT, head: NULLABLE_TEXT, anchor: NULLABLE_TEXT },
          ...{ pending: PENDING, recovered: RECOVERED },
          ...{ end: NULLABLE_TEXT, first_at: TEXT, last_at: TEXT, sealed_at: NULLABLE_TEXT }
        })
      ),
      since: { ...TEXT, description: 'Ended streams whose last batch arrived before are left out.' },
      has_more: FLAG
    })
  ),
  dry_run: FLAG
})

/** `PUT /api/v1/hosts/{id}`. */
export const PUT_HOST = {
  operationId: 'putHost',
  tags: ['hosts'],
  security: [{ api_key: [] }],
  params: {
    type: 'object',
    required: ['id'],
    properties: { id: { ...TEXT, description: 'Id of the machine, at most 64 letters, digits and ._:-' } }
  },
  querystring: optional({
    namespace: NAMESPACE_PARAMETER,
    streams: { ...FLAG, default: false, description: 'Whether the response has the log streams of the host.' },
    after: { ...TEXT, description: 'Only streams after this id.' },
    dry_run: { ...FLAG, default: false, description: 'Checks the report without storing it.' }
  }),
  headers: {
    type: 'object',
    properties: {
      'X-Service-Namespace': NAMESPACE_HEADER,
      'Content-Encoding': { type: 'string', enum: ['gzip', 'deflate', 'br', 'identity'] }
    }
  },
  body: { content: { 'application/json': { schema: REPORT } } },
  response: { 200: described('The report is stored.', REPLY) }
}
