import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { sideBySide } from '../support/side-by-side.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import type { Tenant } from '../support/tenants.js'
import { BUSY_FLAGS, createTenant, must } from '../support/tenants.js'
import type { Call, Walk } from './isolation-walk.js'
import { WALKS, WITHOUT_NAMESPACE } from './isolation-calls.js'

interface Operation {
  readonly method: string
  readonly template: string
  readonly operationId: string
  readonly isPlanned: boolean
}
/** One request, and everything in it that its response may repeat. */
interface Attempt extends Call {
  readonly headers?: Readonly<Record<string, string>>
  readonly what: string
}

const MAX_RETRY_MS = 240_000
let service: RunningService
let mine: Tenant
let theirs: Tenant
let operations: readonly Operation[]

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  mine = await createTenant(service, 'zqalpha')
  theirs = await createTenant(service, 'zqbeta')
  const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>
  }
  operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { operationId, responses }]) => {
      return { method: method.toUpperCase(), template, operationId, isPlanned: '501' in responses }
    })
  )
}, MAX_RETRY_MS)
afterAll(() => service?.close())

const walked = (): readonly (Operation & Walk)[] =>
  operations.flatMap(operation => {
    const walk = WALKS[operation.operationId]
    return walk ? [{ ...operation, ...walk }] : []
  })

async function send(operation: Operation, attempt: Attempt): Promise<CheckedResponse> {
  const path = operation.template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(attempt.path?.[name] ?? 'absent'))
  const query = new URLSearchParams({ ...attempt.query }).toString()
  const { method } = operation
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const { raw } = attempt
  const content = raw ? { body: new Uint8Array(raw.bytes) } : hasBody ? { json: attempt.body ?? {} } : {}
  const headers = { ...raw?.headers, ...attempt.headers }
  return service.api(query === '' ? path : `${path}?${query}`, { method, headers, ...content })
}

function credentials(walk: Walk, tenant: Tenant): readonly Readonly<Record<string, string>>[] {
  if (walk.as === 'key') return [{ 'x-api-key': tenant.ingestKey }]
  if (walk.as === 'admin') return [{ authorization: `Bearer ${tenant.admin}` }]
  return [
    { authorization: `Bearer ${tenant.admin}` },
    { authorization: `Bearer ${tenant.queryKey}` },
    { 'x-api-key': tenant.queryKey }
  ]
}

/** Everything that would show a tenant in a response to another. */
function canaries(tenant: Tenant): readonly string[] {
  return [tenant.marker, ...Object.values(tenant.ids), tenant.ingestKey, tenant.queryKey, tenant.rumKey]
}

/** A response's body and headers without what the request itself contained. */
function shown(response: CheckedResponse, attempt: Attempt): string {
  let text = `${response.text}\n${[...response.headers].map(pair => pair.join(': ')).join('\n')}`
  const stated = JSON.stringify([attempt.path, attempt.query, attempt.headers, attempt.body])
  const words = [...stated.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(match => match[1]!).sort((a, b) => b.length - a.length)
  for (const word of words) if (word.length > 3) text = text.replaceAll(word, '')
  return text
}

/** The same call with something of the other namespace in each place where it fits. */
function attacks(call: Call, victim: Tenant): readonly Omit<Attempt, 'headers'>[] {
  const attempts: Attempt[] = []
  for (const name of Object.keys(call.path ?? {})) {
    for (const [kind, value] of Object.entries(victim.ids)) {
      attempts.push({ ...call, path: { ...call.path, [name]: value }, what: `path ${name} = their ${kind}` })
    }
  }
  const all = Object.keys(call.path ?? {})
  if (all.length > 1)
    attempts.push({
      ...call,
      path: { id: victim.namespaceId, user_id: victim.ids['user']!, invitation_id: victim.ids['invitation']! },
      what: 'whole path theirs'
    })
  const places = {
    namespace: victim.namespaceName,
    namespace_id: victim.namespaceId,
    cursor: victim.ids['cursor']!,
    around: victim.ids['log']!,
    id: victim.ids['log']!
  }
  for (const [name, value] of Object.entries(places)) {
    attempts.push({ ...call, query: { ...call.query, [name]: value }, what: `query ${name}` })
    if (call.body) attempts.push({ ...call, body: { ...call.body, [name]: value }, what: `body ${name}` })
  }
  attempts.push({ ...call, query: { ...call.query, namespace: victim.namespaceId }, what: 'query namespace = their id' })
  if (call.body) attempts.push({ ...call, body: { ...call.body, namespaces: [victim.namespaceId] }, what: 'body namespaces' })
  return attempts
}

function headerAttacks(victim: Tenant): readonly { readonly what: string; readonly headers: Readonly<Record<string, string>> }[] {
  return [
    { what: 'X-Namespace-ID = their id', headers: { 'x-namespace-id': victim.namespaceId } },
    { what: 'X-Namespace-ID = their name', headers: { 'x-namespace-id': victim.namespaceName } },
    { what: 'X-Service-Namespace', headers: { 'x-service-namespace': victim.namespaceName } },
    { what: 'Idempotency-Key of theirs', headers: { 'idempotency-key': victim.ids['log']! } }
  ]
}

/** What the tenant's own admin sees of the namespace. */
async function stateOf(tenant: Tenant): Promise<string> {
  const read = (request: string, json?: unknown): Promise<CheckedResponse> => must(service.api, request, tenant.admin, json)
  const logs = await read('POST /api/v1/logs/query', { limit: 1000 })
  const metrics = await read('POST /api/v1/query', { metric: 'walk.point' })
  const pages = await read('GET /api/v1/apm/rum')
  const errors = await read('GET /api/v1/apm/errors')
  const patterns = (await read('GET /api/v1/logs/patterns')).json['patterns'] as readonly Readonly<Record<string, unknown>>[]
  const hosts = (await read('GET /api/v1/hosts')).json['hosts'] as readonly { readonly name: string }[]
  const parts = [
    hosts.map(({ name }) => name),
    logs.json['logs'],
    patterns.map(({ pattern_id: id, note, muted }) => ({ id, note, muted })),
    metrics.json['series'],
    pages.json['groups'],
    errors.json['groups']
  ]
  const paths = ['', '/members', '/invitations', '/usage'].map(path => `/api/v1/namespaces/${tenant.namespaceId}${path}`)
  const strings = parts.map(part => JSON.stringify(part))
  for (const path of [...paths, '/api/v1/keys']) strings.push((await read(`GET ${path}`)).text)
  return strings.join('\n').replace(/"last_used_at":[^,}]*/g, '')
}

it('walks every operation of the document', () => {
  const known = new Set([...Object.keys(WALKS), ...WITHOUT_NAMESPACE, 'graphql'])
  const unknown = operations.filter(operation => !operation.isPlanned && !known.has(operation.operationId))
  expect(unknown.map(operation => operation.operationId)).toEqual([])
  const names = new Set(operations.map(operation => operation.operationId))
  expect([...known].filter(name => !names.has(name))).toEqual([])
})

it(
  'shows an owner the own canary in every operation',
  async () => {
    const blind: string[] = []
    for (const operation of walked()) {
      for (const headers of credentials(operation, mine)) {
        const response = await send(operation, { ...(await operation.call(mine, service)), headers, what: 'own' })
        const hasSeen = response.status < 300 && response.text.includes(operation.sees?.(mine) ?? mine.marker)
        if (!hasSeen) blind.push(`${operation.operationId}: ${response.status} ${response.text.slice(0, 200)}`)
      }
    }
    expect(blind).toEqual([])
  },
  MAX_RETRY_MS
)

/** Every attack on one operation with one credential; returns what leaked. */
async function attackOne(
  operation: Operation & Walk,
  credential: Readonly<Record<string, string>>
): Promise<{ sent: number; leaks: string[] }> {
  const call = await operation.call(mine, service)
  const placed = attacks(call, theirs).map(attempt => ({ ...attempt, headers: credential }))
  const headed = headerAttacks(theirs).map(({ what, headers }) => ({ ...call, what, headers: { ...credential, ...headers } }))
  const leaks = await sideBySide([...placed, ...headed], async attempt => {
    const response = await send(operation, attempt)
    const text = shown(response, attempt)
    const seen = canaries(theirs).filter(canary => text.includes(canary))
    if (seen.length === 0 && response.status < 500) return []
    return [`${operation.operationId}, ${attempt.what}: ${response.status} shows ${seen.join()} ${response.text.slice(0, 200)}`]
  })
  return { sent: placed.length + headed.length, leaks: leaks.flat() }
}

it(
  'shows no one else any of it, wherever its name, id or cursor is put, and takes no write from outside',
  async () => {
    const before = await stateOf(theirs)
    const leaks: string[] = []
    let sent = 0
    for (const operation of walked()) {
      for (const credential of credentials(operation, mine)) {
        const result = await attackOne(operation, credential)
        leaks.push(...result.leaks)
        sent += result.sent
      }
    }
    expect(leaks).toEqual([])
    expect(sent).toBeGreaterThan(500)
    expect(await stateOf(theirs)).toBe(before)
  },
  MAX_RETRY_MS
)

it(
  'lets no member, viewer or query key write, or see what is for admins',
  async () => {
    const allowed: string[] = []
    const bearers = [mine.viewer, mine.queryKey, mine.member].map(token => ({ authorization: `Bearer ${token}` }))
    const low: readonly Readonly<Record<string, string>>[] = [{ 'x-api-key': mine.queryKey }, ...bearers]
    for (const operation of walked().filter(({ as, isForAll }) => as !== 'reader' && isForAll !== true)) {
      for (const headers of operation.isForMembers === true ? low.slice(0, -1) : low) {
        const response = await send(operation, { ...(await operation.call(mine, service)), headers, what: 'viewer' })
        const isRefused = response.status === 401 || response.status === 403
        if (!isRefused) allowed.push(`${operation.operationId}: ${response.status} ${response.text.slice(0, 200)}`)
      }
    }
    expect(allowed).toEqual([])
  },
  MAX_RETRY_MS
)

const RUM = 'ingestRum'

/** The three places in which a browser could put its key. */
function rumCredentials(tenant: Tenant): readonly Pick<Attempt, 'headers' | 'query'>[] {
  const origin = { origin: tenant.rumOrigin }
  return [
    { headers: { ...origin, 'x-api-key': tenant.rumKey } },
    { headers: { ...origin, authorization: `Bearer ${tenant.rumKey}` } },
    { headers: origin, query: { key: tenant.rumKey } }
  ]
}

it(
  'gives a RUM key no route but its own, from its own origin too',
  async () => {
    const allowed: string[] = []
    const others = operations.filter(({ operationId }) => operationId !== RUM && !WITHOUT_NAMESPACE.has(operationId))
    for (const operation of others) {
      const call = (await WALKS[operation.operationId]?.call(mine, service)) ?? { body: { query: '{ viewer { role } }' } }
      for (const { headers = {}, query } of rumCredentials(mine)) {
        const attempt = { ...call, query: { ...call.query, ...query }, headers, what: 'rum key' }
        const response = await send(operation, attempt)
        const hasLeaked = canaries(mine).some(canary => shown(response, attempt).includes(canary))
        const isRefused = [401, 403].includes(response.status) || (operation.isPlanned && response.status === 501)
        if (!isRefused || hasLeaked) allowed.push(`${operation.operationId}: ${response.status} ${response.text.slice(0, 200)}`)
      }
    }
    expect(others.length).toBeGreaterThan(30)
    expect(allowed).toEqual([])
  },
  MAX_RETRY_MS
)

it('takes page timings by a RUM key from its origins alone, into its namespace alone', async () => {
  const operation = operations.find(({ operationId }) => operationId === RUM)!
  const samples = async (): Promise<number> => {
    const response = await must(service.api, 'GET /api/v1/apm/rum', mine.admin)
    return (response.json['groups'] as readonly { samples: number }[]).reduce((sum, group) => sum + group.samples, 0)
  }
  const body = { page_url: 'https://walk.example/' }
  const sent = async (attempt: Partial<Attempt>): Promise<string> => {
    const response = await send(operation, { what: 'page view', body, ...attempt })
    return response.status === 200 ? String(response.json['namespace']) : String(response.json['code'])
  }
  const host = mine.rumOrigin.slice('https://'.length)
  const foreign = [
    'null',
    theirs.rumOrigin,
    `http://${host}`,
    `https://sub.${host}`,
    `${mine.rumOrigin}:8443`,
    `${mine.rumOrigin}.evil`
  ]
  const [before, theirsBefore] = [await samples(), await stateOf(theirs)]
  const [inHeader, asBearer, inQuery] = rumCredentials(mine)
  for (const way of [inHeader!, inQuery!]) {
    expect(await sent(way)).toBe(mine.namespaceName)
    for (const origin of foreign) expect(await sent({ ...way, headers: { ...way.headers, origin } })).toBe('origin_not_allowed')
    const { origin: _, ...without } = way.headers!
    expect(await sent({ ...way, headers: without })).toBe('origin_not_allowed')
    const id = { ...way.headers, 'x-namespace-id': theirs.namespaceId }
    expect(await sent({ ...way, headers: id })).toBe('namespace_not_allowed')
    expect(await sent({ ...way, query: { ...way.query, namespace: theirs.namespaceName } })).not.toBe(theirs.namespaceName)
    expect(await sent({ ...way, body: { ...body, namespace: theirs.namespaceName } })).not.toBe(theirs.namespaceName)
  }
  expect(await sent(asBearer!)).not.toBe(theirs.namespaceName)
  expect(await samples()).toBeGreaterThanOrEqual(before + 2)
  expect(await stateOf(theirs)).toBe(theirsBefore)
})
