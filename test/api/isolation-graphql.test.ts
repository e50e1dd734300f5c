import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { GraphQLField, GraphQLSchema } from 'graphql'
import { buildSchema, getNamedType, getNullableType, isListType, isObjectType, isUnionType } from 'graphql'
import { selectionOf } from '../support/graphql-selection.js'
import type { RunningService } from '../support/running-service.js'
import { sideBySide } from '../support/side-by-side.js'
import { startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, SHARED_TRACE, type Tenant } from '../support/tenants.js'
import type { Walk } from './isolation-field-walk.js'
import { MUTATIONS, OF_OTHER_FIELDS, OF_THE_INSTALLATION, QUERIES, RANGE } from './isolation-fields.js'

const MAX_RETRY_MS = 240_000
const DEPTH = 4
const VITAL = 'LCP'
const SELECTION = {
  depth: DEPTH,
  arguments: {
    facets: 'fields: ["service", "owner"]',
    breakdown: `by: PAGE_GROUP, vitals: [${VITAL}]`,
    series: `vital: ${VITAL}`,
    distribution: `vital: ${VITAL}`,
    vital: `vital: ${VITAL}`,
    usage: RANGE,
    proof: RANGE,
    red: RANGE,
    redSeries: RANGE,
    change: RANGE,
    apdex: RANGE,
    operations: RANGE,
    upstream: RANGE,
    downstream: RANGE,
    spans: 'limit: 2',
    logs: 'first: 2',
    latest: 'first: 1',
    'Service.logs': `first: 2, ${RANGE}`,
    'Service.hosts': RANGE,
    'Service.releases': RANGE,
    'Host.logs': `first: 2, ${RANGE}`,
    'Host.series': RANGE,
    'Service.traces': `first: 2, ${RANGE}`,
    'AlertRule.history': 'first: 2',
    'Correlation.traces': 'first: 2',
    'Correlation.exceptions': 'first: 2'
  },
  without: OF_OTHER_FIELDS
}
const schemaText = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8')
const schema: GraphQLSchema = buildSchema(schemaText)
let service: RunningService
let mine: Tenant
let theirs: Tenant

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  mine = await createTenant(service, 'zqalpha')
  theirs = await createTenant(service, 'zqbeta')
}, MAX_RETRY_MS)
afterAll(() => service?.close())

interface Result {
  readonly status: number
  readonly text: string
  readonly hasErrors: boolean
  readonly codes: readonly string[]
}

function rootFields(kind: 'query' | 'mutation'): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  return (kind === 'query' ? schema.getQueryType()! : schema.getMutationType()!).getFields()
}

/** The value of one argument of a request, sent as a variable, so that the service parses equal requests once. */
interface Variable {
  readonly type: string
  readonly value: string
}

async function request(
  kind: 'query' | 'mutation',
  field: string,
  args: string,
  headers: Readonly<Record<string, string>>,
  variable?: Variable
): Promise<Result> {
  const type = getNamedType(rootFields(kind)[field]!.type)
  const ofUnion = isUnionType(type) ? type.getTypes().map(each => `... on ${each.name} ${selectionOf(each, SELECTION)}`) : []
  const selection = isObjectType(type) ? selectionOf(type, SELECTION) : ofUnion.length > 0 ? `{ ${ofUnion.join(' ')} }` : ''
  const declared = variable === undefined ? '' : `($value: ${variable.type})`
  const query = `${kind} ${declared} { ${field}${args === '' ? '' : `(${args})`} ${selection} }`
  const json = { query, variables: { value: variable?.value } }
  const response = await service.api('/api/v1/graphql', { method: 'POST', json, headers })
  const errors = (response.json['errors'] ?? []) as { readonly extensions?: { readonly code?: string } }[]
  return {
    status: response.status,
    text: response.text,
    hasErrors: errors.length > 0,
    codes: errors.map(error => String(error.extensions?.code))
  }
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
const ALL: readonly (readonly ['query' | 'mutation', string, Walk])[] = [
  ...Object.entries(QUERIES).map(([name, walk]) => ['query', name, walk] as const),
  ...Object.entries(MUTATIONS).map(([name, walk]) => ['mutation', name, walk] as const)
]

function canaries(tenant: Tenant): readonly string[] {
  const keys = [tenant.ingestKey, tenant.queryKey, tenant.rumKey]
  return [tenant.marker, ...Object.values(tenant.ids), ...keys]
}

/** The arguments with the variable `$value` in the place of one of them. */
function withVariable(args: string, name: string): string {
  const given = new RegExp(`\\b${name}: "[^"]*"`)
  const text = `${name}: $value`
  if (given.test(args)) return args.replace(given, text)
  return args === '' ? text : `${text}, ${args}`
}

/** Strings that a caller stores in the own namespace and reads again. */
const FREE_STRINGS: ReadonlySet<string> = new Set(['updatePattern.note'])

interface Attempt {
  readonly args: string
  readonly variable?: Variable
  readonly headers?: Readonly<Record<string, string>>
}

/** Ids, cursors and the name of the other in the place of each argument that is a text or an id, given or not. */
function withIdsOf(victim: Tenant, kind: 'query' | 'mutation', name: string, args: string): readonly Attempt[] {
  const places = rootFields(kind)[name]!.args.filter(
    ({ type }) => !isListType(getNullableType(type)) && ['ID', 'String'].includes(getNamedType(type).name)
  )
  const named = places.filter(place => !FREE_STRINGS.has(`${name}.${place.name}`))
  return named.flatMap(place =>
    [...Object.values(victim.ids), victim.namespaceName].map(value => {
      return { args: withVariable(args, place.name), variable: { type: String(place.type), value } }
    })
  )
}

/** Calls that do harm only when several of their arguments fit together. */
function wholeCalls(victim: Tenant, name: string, args: string): readonly string[] {
  if (name === 'createApiKey') return [args.replace('kind', `namespaceIds: ["${victim.namespaceId}"], kind`)]
  if (name === 'logs') return [`last: 5, before: "${victim.ids['cursor']!}", ${RANGE}`]
  return name === 'deleteNamespace' ? [`id: "${victim.namespaceId}", confirmName: "${victim.namespaceName}"`] : []
}

/** What the tenant's own admin sees of the namespace. */
async function stateOf(tenant: Tenant): Promise<string> {
  const paths = ['/members', '/invitations', ''].map(path => `/api/v1/namespaces/${tenant.namespaceId}${path}`)
  const responses = await Promise.all([...paths, '/api/v1/keys'].map(path => must(service.api, `GET ${path}`, tenant.admin)))
  return responses.map(response => response.text.replace(/"last_used_at":[^,}]*/g, '')).join('\n')
}

/** Both ways, so that what a process remembers of one caller is requested by another. */
const pairs = (): readonly (readonly [Tenant, Tenant])[] => [
  [mine, theirs],
  [theirs, mine]
]

it('walks every root field of the schema', () => {
  const queries = Object.keys(rootFields('query')).filter(name => !OF_THE_INSTALLATION.has(name))
  expect(queries.sort()).toEqual(Object.keys(QUERIES).sort())
  expect(Object.keys(rootFields('mutation')).sort()).toEqual(Object.keys(MUTATIONS).sort())
})

it(
  'shows an owner the own canary in every field, and none of the other',
  async () => {
    const faults: string[] = []
    for (const [own, other] of pairs()) {
      for (const [kind, name, walk] of ALL) {
        const response = await request(kind, name, await walk.args(own, service.api), bearer(own.admin))
        const hasSeen = !response.hasErrors && response.text.includes(walk.sees?.(own) ?? own.marker)
        const hasLeaked = canaries(other).some(canary => response.text.includes(canary))
        if (!hasSeen || hasLeaked) faults.push(`${name}: ${response.status} ${response.text.slice(0, 400)}`)
      }
    }
    expect(faults).toEqual([])
  },
  MAX_RETRY_MS
)

/** Every call of one field with something of the victim in it; returns what leaked. */
async function attackOne(
  [own, victim]: readonly [Tenant, Tenant],
  [kind, name, walk]: (typeof ALL)[number]
): Promise<readonly string[]> {
  const args = await walk.args(own, service.api)
  const attempts: readonly Attempt[] = [
    ...withIdsOf(victim, kind, name, args),
    ...wholeCalls(victim, name, args).map(whole => ({ args: whole })),
    { args, headers: { 'x-namespace-id': victim.namespaceId } }
  ]
  const leaks = await sideBySide(attempts, async attempt => {
    const headers = { ...bearer(own.admin), ...attempt.headers }
    const response = await request(kind, name, attempt.args, headers, attempt.variable)
    const stated = JSON.stringify(attempt)
    const seen = canaries(victim).filter(canary => !stated.includes(canary) && response.text.includes(canary))
    if (seen.length === 0 && response.status < 500) return []
    return [`${name}${stated}: ${response.status} shows ${seen.join()} ${response.text.slice(0, 300)}`]
  })
  return leaks.flat()
}

it(
  'shows no one else any of it, and changes nothing for them',
  async () => {
    const leaks: string[] = []
    for (const pair of pairs()) {
      const before = await stateOf(pair[1])
      for (const walked of ALL) leaks.push(...(await attackOne(pair, walked)))
      expect(await stateOf(pair[1])).toBe(before)
    }
    expect(leaks).toEqual([])
  },
  MAX_RETRY_MS
)

it(
  'lets no member, viewer or query key change anything',
  async () => {
    const allowed: string[] = []
    for (const [name, walk] of Object.entries(MUTATIONS)) {
      const members = walk.isForMembers === true ? [] : [mine.member]
      const low = walk.isForAll === true ? [mine.queryKey] : [...members, mine.viewer, mine.queryKey]
      for (const token of low) {
        const response = await request('mutation', name, await walk.args(mine, service.api), bearer(token))
        const isRefused = response.codes.some(code => /role|scope|not_allowed/i.test(code))
        if (!isRefused) allowed.push(`${name}: ${response.status} ${response.text.slice(0, 300)}`)
      }
    }
    expect(allowed).toEqual([])
  },
  MAX_RETRY_MS
)

it('shows what is for admins to admins alone', async () => {
  const forAdmins = [mine.ids['key']!, mine.ids['invitation']!]
  const shownTo = async (token: string): Promise<readonly boolean[]> => {
    const response = await request('query', 'namespace', '', bearer(token))
    return forAdmins.map(id => response.text.includes(id))
  }
  expect(await shownTo(mine.admin)).toEqual([true, true])
  for (const token of [mine.member, mine.viewer, mine.queryKey]) expect(await shownTo(token)).toEqual([false, false])
})

it('refuses a write-only key in every field', async () => {
  for (const key of [mine.ingestKey, mine.rumKey]) {
    for (const headers of [bearer(key), { 'x-api-key': key }]) {
      for (const [kind, name, walk] of ALL) {
        const response = await request(kind, name, await walk.args(mine, service.api), { ...headers, origin: mine.rumOrigin })
        expect([name, response.status, response.codes]).toEqual([name, 403, ['scope_required']])
      }
    }
  }
})

it('shows the trace that both have only with the own logs', async () => {
  const args = `first: 5, filter: { traceId: "${SHARED_TRACE}" }, ${RANGE}`
  const response = await request('query', 'logs', args, bearer(mine.queryKey))
  expect(response.text).toContain(mine.marker)
  expect(response.text).not.toContain(theirs.marker)
})

it('shows the gaps of a search only of the own log streams', async () => {
  for (const tenant of [mine, theirs]) {
    const stream = { id: `gap-of-${tenant.marker}`, path: '/both', seq: 1, from: 9, to: 9, first_line: 1, lines: 0 }
    const gap = { from: 0, to: 9, lines: null, reason: 'truncated' }
    const json = { stream: { ...stream, sealed_at: new Date().toISOString(), gap }, defaults: { host: 'both' }, logs: [] }
    const headers = { 'x-api-key': tenant.ingestKey }
    expect((await service.ingest('/api/v1/logs/batch', { method: 'POST', json, headers })).status).toBe(200)
  }
  const query = `{ logs(filter: { hosts: ["both"] }, ${RANGE}) { gaps { streamId lines } stats { warnings } } }`
  for (const own of [mine, theirs]) {
    const headers = bearer(own.queryKey)
    const { json } = await service.api('/api/v1/graphql', { method: 'POST', json: { query }, headers })
    expect(json['data']).toMatchObject({ logs: { gaps: [{ streamId: `gap-of-${own.marker}`, lines: null }] } })
  }
})

it('shows the patterns of a search only with the own logs', async () => {
  const query = `{ logs(${RANGE}) { total { value } patternFacts { logs stats { warnings } }
    patterns { template services { value } samples { message service } } } }`
  for (const [own, other] of [
    [mine, theirs],
    [theirs, mine]
  ] as const) {
    const { text, json } = await service.api('/api/v1/graphql', {
      ...{ method: 'POST', json: { query } },
      headers: bearer(own.queryKey)
    })
    const { logs } = json['data'] as { logs: { total: { value: number }; patternFacts: { logs: number } } }
    expect(logs.patternFacts.logs).toBe(logs.total.value)
    expect(text).toContain(own.marker)
    expect(text).not.toContain(other.marker)
  }
})
