import { fixed64, keyValue, message } from './protobuf.js'
import { snappyBlock, writeRequest, writeRequestV2 } from './remote-write.js'

/** One way to write telemetry over HTTP: a route with one of the body forms that it takes. */
export interface WriteDoor {
  readonly route: string
  readonly form: string
  /** The path of a request; the pattern of the route when absent. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  /** A new body each time; `namespace` is the one that the body names, where its form has a place for it. */
  readonly body: (namespace?: string) => Buffer
  readonly namesNamespaceInBody?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const TEXT = { 'content-type': 'text/plain' }

let written = 0
const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n + BigInt(++written)

function jsonDoor(route: string, form: string, make: (named: object) => object, headers = JSON_TYPE): WriteDoor {
  const body = (namespace?: string): Buffer => Buffer.from(JSON.stringify(make(namespace === undefined ? {} : { namespace })))
  return { route, form, headers, body, namesNamespaceInBody: true }
}

const text = (value: string): Buffer => message(1, value)

/** The three signals of OTLP, each as one record in protobuf. */
export const OTLP_BODIES: Readonly<Record<'logs' | 'metrics' | 'traces', () => Buffer>> = {
  logs: () => message(1, message(2, message(2, fixed64(1, nowNs()), message(5, text('exported'))))),
  metrics: () => message(1, message(2, message(2, message(1, 'doors'), message(5, message(1, fixed64(3, nowNs())))))),
  traces: () => {
    const id = (bytes: number): Buffer => Buffer.alloc(bytes, 7)
    const span = message(2, message(1, id(16)), message(2, id(8)), message(5, 'doors'), fixed64(7, nowNs()))
    return message(1, message(1, keyValue(1, 'service.name', text('doors'))), message(2, span))
  }
}

const OTLP_JSON: Readonly<Record<keyof typeof OTLP_BODIES, () => object>> = {
  logs: () => ({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: String(nowNs()), body: { stringValue: 'exported' } }] }] }]
  }),
  metrics: () => {
    const gauge = { dataPoints: [{ asDouble: 1, timeUnixNano: String(nowNs()) }] }
    return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'doors', gauge }] }] }] }
  },
  traces: () => {
    const ids = { traceId: '07'.repeat(16), spanId: '07'.repeat(8) }
    const span = { ...ids, name: 'doors', startTimeUnixNano: String(nowNs()) }
    return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  }
}

function otlpDoors(): readonly WriteDoor[] {
  const signals = ['logs', 'metrics', 'traces'] as const
  return ['/api/v1/otlp/v1', '/v1'].flatMap(prefix =>
    signals.flatMap((signal): WriteDoor[] => [
      { route: `POST ${prefix}/${signal}`, form: 'protobuf', headers: PROTOBUF, body: OTLP_BODIES[signal] },
      {
        route: `POST ${prefix}/${signal}`,
        form: 'JSON',
        headers: JSON_TYPE,
        body: () => Buffer.from(JSON.stringify(OTLP_JSON[signal]()))
      }
    ])
  )
}

function remoteWriteDoors(): readonly WriteDoor[] {
  const sample = [Date.now(), 1] as const
  const snappy = { ...PROTOBUF, 'content-encoding': 'snappy' }
  const second = { ...snappy, 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request' }
  const labels = { __name__: 'doors' }
  return ['/api/v1/write', '/api/v1/prometheus/api/v1/write', '/prometheus/api/v1/write'].flatMap((path): WriteDoor[] => [
    { route: `POST ${path}`, form: '1.0', headers: snappy, body: () => snappyBlock(writeRequest(labels, sample)) },
    { route: `POST ${path}`, form: '2.0', headers: second, body: () => snappyBlock(writeRequestV2(labels, sample)) }
  ])
}

function textDoors(): readonly WriteDoor[] {
  const body = (): Buffer => Buffer.from('doors 1\n')
  const pushes = ['/api/v1/metrics/job', '/api/v1/import/prometheus/metrics/job', '/metrics/job']
  const patterns: readonly (readonly [route: string, path: string])[] = [
    ['/api/v1/metrics/job/:job', '/api/v1/metrics/job/doors'],
    ...pushes.map(path => [`${path}/*`, `${path}/doors/instance/a`] as const),
    ...['/api/v1/metrics', '/metrics'].map(path => [`${path}/job@base64/*`, `${path}/job@base64/ZG9vcnM`] as const)
  ]
  const pushed = patterns.flatMap(([route, path]) =>
    ['POST', 'PUT'].map(method => ({ route: `${method} ${route}`, path, form: 'text', headers: TEXT, body }))
  )
  const lines = ['/api/v1/influx/api/v2/write', '/api/v2/write', '/api/v1/influx/write', '/write'].map(path => ({
    route: `POST ${path}`,
    form: 'line protocol',
    headers: TEXT,
    body: () => Buffer.from('doors value=1\n')
  }))
  const openmetrics = { 'content-type': 'application/openmetrics-text' }
  return [
    { route: 'POST /api/v1/import/prometheus', form: 'text', headers: TEXT, body },
    {
      route: 'POST /api/v1/import/prometheus',
      form: 'OpenMetrics',
      headers: openmetrics,
      body: () => Buffer.from('doors 1\n# EOF\n')
    },
    ...pushed,
    ...lines
  ]
}

const LOG = { message: 'through a door' }
const POINT = { name: 'doors', value: 1 }
const NDJSON = { 'content-type': 'application/x-ndjson' }

/** Every way to write telemetry with an ingest key that may name its namespace. */
export const WRITE_DOORS: readonly WriteDoor[] = [
  jsonDoor('POST /api/v1/logs', 'JSON', named => ({ ...LOG, ...named })),
  jsonDoor('POST /api/v1/logs/batch', 'envelope', named => ({ logs: [LOG], ...named })),
  jsonDoor('POST /api/v1/logs/batch', 'array', named => [{ ...LOG, ...named }]),
  jsonDoor('POST /api/v1/logs/batch', 'NDJSON', named => ({ ...LOG, ...named }), NDJSON),
  jsonDoor('POST /api/v1/ingest', 'JSON', named => ({ ...POINT, ...named })),
  jsonDoor('POST /api/v1/ingest/batch', 'envelope', named => ({ metrics: [POINT], ...named })),
  jsonDoor('POST /api/v1/ingest/batch', 'array', named => [{ ...POINT, ...named }]),
  jsonDoor('POST /api/v1/ingest/batch', 'NDJSON', named => ({ ...POINT, ...named }), NDJSON),
  jsonDoor('POST /api/v1/apm/metrics', 'JSON', named => ({ service: 'doors', ...POINT, ...named })),
  jsonDoor('POST /api/v1/apm/errors', 'JSON', named => ({ service: 'doors', message: 'boom', ...named })),
  {
    ...jsonDoor('PUT /api/v1/hosts/:id', 'JSON', named => ({ name: 'doors', interval_s: 15, ...named })),
    path: '/api/v1/hosts/m-doors'
  },
  jsonDoor('POST /api/v1/events', 'JSON', named => ({ type: 'deploy', ...named })),
  ...otlpDoors(),
  ...remoteWriteDoors(),
  ...textDoors()
]
