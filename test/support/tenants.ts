import { randomUUID } from 'node:crypto'
import type { ApiFetch, CheckedResponse } from './api-fetch.js'
import type { RunningService } from './running-service.js'

/** A namespace with an admin, a viewer and keys, filled with data that carries its marker everywhere. */
export interface Tenant {
  /** In every name, text and label of this tenant and of no other. */
  readonly marker: string
  readonly namespaceId: string
  readonly namespaceName: string
  readonly admin: string
  readonly member: string
  readonly viewer: string
  readonly ingestKey: string
  readonly queryKey: string
  /** Public: anyone who loads the tenant's pages has it. */
  readonly rumKey: string
  /** The one origin of `rumKey`. */
  readonly rumOrigin: string
  /** Every id, token and cursor that someone else might get hold of, by what it is. */
  readonly ids: Readonly<Record<string, string>>
}

/** A trace that both tenants have logs of. */
export const SHARED_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
/** Another trace that both have spans of. */
export const OTHER_SHARED_TRACE = '5bf92f3577b34da6a3ce929d0e0e4737'
/** A metric that both tenants write. */
export const SHARED_METRIC = 'shared.requests'
const LOGS = 5

/** Sends `METHOD path` with JSON and fails unless the response is a success. */
export async function must(api: ApiFetch, request: string, bearer: string | null, json?: unknown): Promise<CheckedResponse> {
  const [method = '', path = ''] = request.split(' ')
  const headers: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
  const response = await api(path, { method, headers, ...(json === undefined ? {} : { json }) })
  if (response.status >= 300) throw new Error(`${request}: ${response.status} ${response.text}`)
  return response
}

/** The string at a path of a response's body; throws where it is missing. */
export function textOf(response: CheckedResponse, ...path: readonly string[]): string {
  let at: unknown = response.json
  for (const part of path) at = (at as Record<string, unknown> | undefined)?.[part]
  if (typeof at !== 'string') throw new Error(`${path.join('.')} is missing in ${response.text.slice(0, 300)}`)
  return at
}

/** Settings under which many may register and query at once. */
export const BUSY_FLAGS = [
  ...['--registration', 'open', '--trusted-proxies', 'loopback'],
  ...['--rate-queries', '100000', '--limit-running-queries', '1000']
]

/** The password of a user whom `register` made. */
export function passwordOf(email: string): string {
  return `pw-${email}-long-enough`
}

let addresses = 0

/** Registers a user from an address of their own, because one address may register 5 a minute. */
export async function register(api: ApiFetch, email: string, more: object = {}): Promise<CheckedResponse> {
  const json = { email, password: passwordOf(email), ...more }
  const headers = { 'x-forwarded-for': `10.0.0.${++addresses % 256}` }
  const response = await api('/api/v1/auth/register', { method: 'POST', headers, json })
  if (response.status !== 201) throw new Error(`register: ${response.status} ${response.text}`)
  return response
}

function originOf(marker: string): string {
  return `https://${marker}.example`
}

async function makeKey(api: ApiFetch, bearer: string, kind: string, marker: string): Promise<{ id: string; secret: string }> {
  const more = kind === 'rum' ? { allowed_origins: [originOf(marker)] } : {}
  const response = await must(api, 'POST /api/v1/keys', bearer, { name: `${marker}-${kind}`, kind, ...more })
  const record = (response.json['api_key'] ?? response.json) as Record<string, unknown>
  return { id: String(record['id']), secret: textOf(response, 'key') }
}

async function write(service: RunningService, key: string, path: string, json: unknown): Promise<CheckedResponse> {
  const response = await service.ingest(`${path}?ack=searchable`, { method: 'POST', json, headers: { 'x-api-key': key } })
  if (response.status !== 200) throw new Error(`${path}: ${response.text}`)
  return response
}

/** Spans of two traces whose ids every tenant uses, the tenant's marker in every string of a span. */
function exportedSpans(marker: string): object {
  const startMs = Date.now() - 60_000
  const span = (traceId: string, n: number): object => ({
    traceId,
    spanId: String(n).padStart(16, '0'),
    ...(n > 1 && { parentSpanId: '0000000000000001' }),
    name: `${marker} operation ${n}`,
    kind: 2,
    startTimeUnixNano: `${startMs + n}000000`,
    endTimeUnixNano: `${startMs + 10 * n}000000`,
    attributes: [{ key: 'owner', value: { stringValue: marker } }],
    status: { code: 2, message: `${marker} failed` },
    events: [
      {
        name: 'exception',
        timeUnixNano: `${startMs + n}000000`,
        attributes: [{ key: 'exception.message', value: { stringValue: `${marker} broke` } }]
      }
    ]
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: `${marker}-svc` } }] }
  const spans = [SHARED_TRACE, OTHER_SHARED_TRACE].flatMap(trace => [1, 2, 3].map(n => span(trace, n)))
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: marker }, spans }] }] }
}

/** A metric that has metadata and an exemplar, the tenant's marker in both. */
function exportedMetric(marker: string): object {
  const timeUnixNano = `${Date.now() - 60_000}000000`
  const attributes = [{ key: 'owner', value: { stringValue: marker } }]
  const exemplars = [{ timeUnixNano, asDouble: 1, filteredAttributes: attributes, traceId: SHARED_TRACE }]
  const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ timeUnixNano, asDouble: 1, attributes, exemplars }] }
  return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'shared.note', description: `${marker} notes`, sum }] }] }] }
}

/** A stream that lost all of its lines, the tenant's marker in its id and path. */
function streamOf(marker: string): object {
  const place = { seq: 1, from: 9, to: 9, first_line: 1, lines: 0, sealed_at: new Date().toISOString() }
  const gap = { from: 0, to: 9, lines: null, reason: 'truncated' }
  return { stream: { id: `${marker}-stream`, path: `/var/log/${marker}.log`, ...place, gap }, logs: [] }
}

/** A report of a host, the tenant's marker in its id, name and listener. */
async function reportHost({ ingest }: RunningService, key: string, marker: string): Promise<void> {
  const socket = { protocol: 'tcp', address: '0.0.0.0', port: 8080, process: `${marker}-web`, command: `${marker} --serve` }
  const json = {
    name: `${marker}-host`,
    interval_s: 60,
    os: `${marker} OS`,
    listeners: [{ ...socket, exe: `/usr/bin/${marker}`, service: `${marker}-svc` }],
    containers: [{ id: 'c0ffee', name: `${marker}-container`, image: `${marker}-image` }]
  }
  const headers = { 'x-api-key': key }
  const response = await ingest(`/api/v1/hosts/${marker}-machine`, { method: 'PUT', json, headers })
  if (response.status !== 200) throw new Error(`report of a host: ${response.text}`)
}

async function fill(service: RunningService, key: string, marker: string): Promise<void> {
  const common = { service: `${marker}-svc`, host: `${marker}-host`, trace_id: SHARED_TRACE }
  const logs = Array.from({ length: LOGS }, (_, i) => ({
    ...common,
    message: `${marker} happened ${i}`,
    level: marker,
    source: `${marker}-src`,
    log_fields: { owner: marker }
  }))
  await write(service, key, '/api/v1/logs/batch', { logs })
  await write(service, key, '/api/v1/logs/batch', streamOf(marker))
  await reportHost(service, key, marker)
  await write(service, key, '/api/v1/events', { type: 'deploy', id: `${marker}-event`, service: `${marker}-svc`, title: marker })
  await write(service, key, '/api/v1/otlp/v1/traces', exportedSpans(marker))
  await write(service, key, '/api/v1/ingest/batch', {
    metrics: [{ name: SHARED_METRIC, value: 1, labels: { owner: marker, service: `${marker}-svc` } }]
  })
  await write(service, key, '/api/v1/otlp/v1/metrics', exportedMetric(marker))
  await write(service, key, '/api/v1/apm/rum', {
    page_url: `https://${marker}.example/${marker}`,
    load_time_ms: 5,
    largest_contentful_paint_ms: 9
  })
  await write(service, key, '/api/v1/apm/metrics', { service: 'shared', name: 'latency', value: 3, tags: { owner: marker } })
  await write(service, key, '/api/v1/apm/errors', {
    service: 'shared',
    message: `${marker} broke`,
    type: `${marker}Error`,
    trace_id: SHARED_TRACE
  })
}

/** Ids and cursors that the tenant's own responses hold. */
async function collectIds(api: ApiFetch, admin: string): Promise<Record<string, string>> {
  const logs = await must(api, 'POST /api/v1/logs/query', admin, { limit: 1 })
  const errors = await must(api, 'GET /api/v1/apm/errors?limit=1', admin)
  const traces = await must(api, 'GET /api/v1/traces?limit=1', admin)
  const streams = await must(api, 'GET /api/v1/streams', admin)
  const listeners = await must(api, 'GET /api/v1/listeners', admin)
  const record = (logs.json['logs'] as Record<string, string>[])[0]!
  const group = Object.values(errors.json).flatMap(value => (Array.isArray(value) ? (value as Record<string, string>[]) : []))[0]
  return {
    log: record['id']!,
    pattern: record['pattern_id']!,
    cursor: textOf(logs, 'page', 'next_cursor'),
    traceCursor: textOf(traces, 'page', 'next_cursor'),
    fingerprint: group?.['fingerprint'] ?? '',
    stream: (streams.json['streams'] as Record<string, string>[])[0]!['id']!,
    listener: (listeners.json['listeners'] as Record<string, string>[])[0]!['id']!,
    machine: (listeners.json['listeners'] as Record<string, string>[])[0]!['host_id']!
  }
}

/** Makes a tenant and fills it. */
export async function createTenant(service: RunningService, marker: string): Promise<Tenant> {
  const { api } = service
  const owner = await register(api, `${marker}@example.com`, { name: marker })
  const namespaceName = `${marker}-team`
  const namespace = await must(api, 'POST /api/v1/namespaces', textOf(owner, 'access_token'), { name: namespaceName })
  const namespaceId = textOf(namespace, 'id')
  const switched = await must(api, 'POST /api/v1/auth/switch', textOf(owner, 'access_token'), { namespace_id: namespaceId })
  const admin = textOf(switched, 'access_token')
  const invite = (role: string): Promise<CheckedResponse> =>
    must(api, `POST /api/v1/namespaces/${namespaceId}/invitations`, admin, { role })
  const join = async (role: string): Promise<{ id: string; token: string }> => {
    const user = await register(api, `${marker}-${role}@example.com`, {
      name: `${marker}-${role}`,
      invitation_token: textOf(await invite(role), 'token')
    })
    const active = await must(api, 'POST /api/v1/auth/switch', textOf(user, 'access_token'), { namespace_id: namespaceId })
    return { id: textOf(user, 'user', 'id'), token: textOf(active, 'access_token') }
  }
  const viewer = await join('viewer')
  const member = await join('member')
  const open = await invite('member')
  const ingestKey = await makeKey(api, admin, 'ingest', marker)
  const queryKey = await makeKey(api, admin, 'query', marker)
  const rumKey = await makeKey(api, admin, 'rum', marker)
  await fill(service, ingestKey.secret, marker)
  // OTLP has no way to request it.
  await service.settle()
  return {
    marker,
    namespaceId,
    namespaceName,
    admin,
    member: member.token,
    viewer: viewer.token,
    ingestKey: ingestKey.secret,
    queryKey: queryKey.secret,
    rumKey: rumKey.secret,
    rumOrigin: originOf(marker),
    ids: {
      namespace: namespaceId,
      personal: textOf(owner, 'namespace', 'id'),
      user: textOf(owner, 'user', 'id'),
      viewer: viewer.id,
      key: ingestKey.id,
      invitation: textOf(open, 'invitation', 'id'),
      ...(await collectIds(api, admin))
    }
  }
}

/** A name that nothing else has. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`
}
