import { Metadata, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exportServices } from '../../src/grpc/export-services.js'
import type { Ingest } from '../../src/ingest/ingest.js'
import { freePort } from '../../bench/service/free-port.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { type RunningService, startService } from '../support/running-service.js'
import { OTLP_BODIES, WRITE_DOORS, type WriteDoor } from '../support/write-doors.js'

/** Where a write goes is decided alike by every route that takes one: none of them may be missing here. */

const HOME = 'doors-home'
const OTHER = 'doors-other'
const GONE = 'doors-gone'
const FOREIGN = 'doors-foreign'
const OK: number = status.OK

let service: RunningService
let grpc: OtlpGrpcClient
let session: { readonly authorization: string }
let ingestKey: string
const ids = new Map<string, string>()

async function order(method: string, path: string, json?: object): Promise<Record<string, unknown>> {
  const result = await service.api(path, { method, headers: session, ...(json && { json }) })
  if (result.status >= 300) throw new Error(`${method} ${path}: ${result.status} ${result.text}`)
  return result.json
}

beforeAll(async () => {
  const flags = ['--otlp-grpc-port', String(await freePort()), '--otlp-http-port', String(await freePort())]
  service = await startService({ flags })
  session = await service.login()
  grpc = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
  for (const name of [HOME, OTHER, GONE, FOREIGN]) {
    ids.set(name, String((await order('POST', '/api/v1/namespaces', { name }))['id']))
  }
  const namespaces = [HOME, OTHER, GONE].map(name => ids.get(name)!)
  ingestKey = String((await order('POST', '/api/v1/keys', { name: 'doors', kind: 'ingest', namespaces }))['key'])
  await order('DELETE', `/api/v1/namespaces/${ids.get(GONE)!}`)
})
afterAll(async () => {
  grpc?.close()
  await service?.close()
})

interface Naming {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: string
}

const header = (name: string): Record<string, string> => ({ 'x-service-namespace': name })

/** The namespaces that a request names, and the namespace or the status of the response. */
const NAMINGS: readonly (readonly [what: string, naming: Naming, expected: string | number])[] = [
  ['nothing', {}, HOME],
  ['the query parameter', { query: `namespace=${OTHER}` }, OTHER],
  ['the query parameter, empty', { query: 'namespace=' }, HOME],
  ['the header', { headers: header(OTHER) }, OTHER],
  ['the header, before the query parameter', { headers: header(OTHER), query: `namespace=${HOME}` }, OTHER],
  ['a namespace of others in the query', { query: `namespace=${FOREIGN}` }, 403],
  ['an unknown one in the query', { query: 'namespace=nowhere' }, 403],
  ['an unknown one in the header, a good one in the query', { headers: header('nowhere'), query: `namespace=${OTHER}` }, 403],
  ['a deleted one in the query', { query: `namespace=${GONE}` }, 410],
  ['the query parameter twice', { query: `namespace=${OTHER}&namespace=${OTHER}` }, 400],
  ['another one in X-Namespace-ID, which has no effect here', { headers: { 'x-namespace-id': OTHER } }, 403]
]
const IN_BODY: typeof NAMINGS = [
  ['the body', { body: OTHER }, OTHER],
  ['the body, before header and query', { body: OTHER, headers: header(HOME), query: `namespace=${HOME}` }, OTHER],
  ['a foreign one in the body, good ones elsewhere', { body: FOREIGN, headers: header(OTHER), query: `namespace=${OTHER}` }, 403]
]

async function send(door: WriteDoor, { headers, query, body }: Naming): Promise<string | number> {
  const [method = '', pattern = ''] = door.route.split(' ')
  const response = await fetch(`${service.url}${door.path ?? pattern}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: { 'x-api-key': ingestKey, ...door.headers, ...headers },
    body: new Uint8Array(door.body(body))
  })
  await response.arrayBuffer()
  return response.ok ? (response.headers.get('x-resolved-namespace') ?? 'not stated') : response.status
}

describe.each(WRITE_DOORS.map(door => [door.route, door.form, door] as const))('%s (%s)', (_route, _form, door) => {
  it.each([...NAMINGS, ...(door.namesNamespaceInBody ? IN_BODY : [])])('takes %s', async (_, naming, expected) => {
    expect(await send(door, naming)).toBe(expected)
  })
})

describe.each(['logs', 'metrics', 'traces'] as const)('OTLP over gRPC (%s)', signal => {
  async function exported(named: Readonly<Record<string, readonly string[]>>): Promise<unknown> {
    const metadata = new Metadata()
    metadata.set('x-api-key', ingestKey)
    for (const [name, values] of Object.entries(named)) for (const value of values) metadata.add(name, value)
    const result = await grpc.export(signal, OTLP_BODIES[signal](), metadata)
    return result.code === OK ? result.trailer.get('x-resolved-namespace')[0] : result.code
  }

  it.each<[string, Readonly<Record<string, readonly string[]>>, string | number]>([
    ['nothing', {}, HOME],
    ['the metadata', { 'x-service-namespace': [OTHER] }, OTHER],
    ['an unknown one', { 'x-service-namespace': ['nowhere'] }, status.PERMISSION_DENIED],
    ['one of others', { 'x-service-namespace': [FOREIGN] }, status.PERMISSION_DENIED],
    ['a deleted one', { 'x-service-namespace': [GONE] }, status.FAILED_PRECONDITION],
    // HTTP/2 joins the values of a key, and no namespace has that name.
    ['two different ones', { 'x-service-namespace': [OTHER, HOME] }, status.PERMISSION_DENIED],
    ['another one in X-Namespace-ID', { 'x-namespace-id': [OTHER] }, status.PERMISSION_DENIED]
  ])('takes %s', async (_, named, expected) => {
    expect(await exported(named)).toBe(expected)
  })
})

describe('page views', () => {
  const door = { route: 'POST /api/v1/apm/rum', form: 'JSON', headers: { 'content-type': 'application/json' } }
  const body = (namespace?: string): Buffer => Buffer.from(JSON.stringify({ page_url: 'https://shop.example/', namespace }))

  it.each<[string, Naming, string | number]>([
    ['nothing', {}, HOME],
    ["the key's own in X-Namespace-ID", { headers: { 'x-namespace-id': HOME } }, HOME],
    ['another one in X-Namespace-ID', { headers: { 'x-namespace-id': OTHER } }, 403],
    ["the key's own in the query", { query: `namespace=${HOME}` }, HOME],
    ['another one in the query', { query: `namespace=${OTHER}` }, 403],
    ['another one in X-Service-Namespace', { headers: header(OTHER) }, 403],
    ['another one in the body', { body: OTHER }, 400]
  ])('by key take %s', async (_, naming, expected) => {
    expect(await send({ ...door, body }, naming)).toBe(expected)
  })

  it.each<[string, Naming, string | number]>([
    ['X-Namespace-ID', { headers: { 'x-namespace-id': OTHER } }, OTHER],
    ['X-Namespace-ID and the same in the query', { headers: { 'x-namespace-id': OTHER }, query: `namespace=${OTHER}` }, OTHER],
    ['X-Namespace-ID and another in the query', { headers: { 'x-namespace-id': OTHER }, query: `namespace=${HOME}` }, 403]
  ])('by session take %s', async (_, naming, expected) => {
    const headers = { ...door.headers, 'x-api-key': '', ...session }
    expect(await send({ ...door, headers, body }, naming)).toBe(expected)
  })
})

/** Routes with a body that write no telemetry of senders: queries, orders, and the span that a member sends. */
const NO_WRITES =
  /^(?:\/api\/v1)?\/(?:auth\/|keys|invitations\/|namespaces|graphql$|(?:logs|spans)\/export$|logs\/(?:query|facets|correlate\/|patterns\/)|query$|aggregate$|compare$|traces\/query|apm\/errors\/|otlp\/test-span$|ingest\/rejected\/replay$|alerts\/|channels(?:\/|$)|routing$|silences(?:\/|$)|mute-times\/|slos(?:\/|$)|measures(?:\/|$)|views(?:\/|$)|prometheus\/api\/v1\/(?!write)|ns\/)/

it('names every route that writes', () => {
  const { api, otlp, ingest } = service.app.servers
  const routes = [api, otlp, ingest].flatMap(server => server?.routes.entries() ?? [])
  const taking = routes.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH')
  const writing = taking.filter(({ url }) => !NO_WRITES.test(url)).map(({ method, url }) => `${method} ${url}`)
  const named = [...WRITE_DOORS.map(({ route }) => route), 'POST /api/v1/apm/rum']
  expect([...new Set(writing)].sort()).toEqual([...new Set(named)].sort())
  expect(exportServices({} as Ingest).map(({ signal }) => signal)).toEqual(['logs', 'metrics', 'traces'])
})
