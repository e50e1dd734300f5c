import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { DEFAULT_SUBSCRIPTION_LIMITS } from '../../src/http/subscriptions/subscription-limits.js'
import { ClockAhead } from '../support/clock-ahead.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { SocketClient } from '../support/socket-client.js'
import { BUSY_FLAGS, createTenant, must, textOf, type Tenant } from '../support/tenants.js'

const QUARTER_HOUR_MS = 900_000
/** Within which the end of a permission ends its sockets. */
const SOON_MS = 1_000

let service: RunningService
let mine: Tenant
let theirs: Tenant
const clock = new ClockAhead()

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS, app: { clock } })
  mine = await createTenant(service, 'zqalpha')
  theirs = await createTenant(service, 'zqbeta')
}, 120_000)
afterAll(() => service?.close())

function bearer(token: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${token}` }
}

/** The code and reason with which an open socket is closed after `work`, at the next check of its caller. */
async function closedAfter(client: SocketClient, work: () => Promise<unknown>): Promise<readonly [number, string]> {
  await client.follow()
  await work()
  const { code, reason } = await client.closed
  return [code, reason]
}

async function write(key: string, message: string): Promise<void> {
  const headers = { 'x-api-key': key }
  const response = await service.ingest('/api/v1/logs?ack=searchable', { method: 'POST', headers, json: { message } })
  expect(response.status).toBe(200)
}

it('checks callers soon enough', () => {
  expect(DEFAULT_SUBSCRIPTION_LIMITS.recheckMs).toBeLessThan(SOON_MS)
})

describe('a socket is refused', () => {
  it.each([
    ['without a credential', {}, 4401, 'missing_credential'],
    ['with a token that is invalid', { authorization: 'Bearer nothing' }, 4401, 'invalid_credential'],
    ['with an unknown key', { 'x-api-key': `ali_query_${'a'.repeat(43)}` }, 4401, 'invalid_credential']
  ])('%s', async (_name, parameters, code, reason) => {
    const client = await SocketClient.open(service.url, parameters)
    await expect(client.closed).resolves.toEqual({ code, reason })
  })

  it('with a key that may not read', async () => {
    const client = await SocketClient.open(service.url, { 'X-API-Key': mine.ingestKey })
    await expect(client.closed).resolves.toEqual({ code: 4403, reason: 'scope_required' })
  })

  it('for a namespace of others, by session and by key, as for an unknown one', async () => {
    for (const namespace of [theirs.namespaceId, theirs.namespaceName, 'nowhere'])
      for (const credential of [bearer(mine.admin), { 'X-API-Key': mine.queryKey }]) {
        const client = await SocketClient.open(service.url, { ...credential, 'X-Namespace-ID': namespace })
        await expect(client.closed).resolves.toEqual({ code: 4403, reason: 'namespace_not_allowed' })
      }
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])('for pages of the origin %s', async origin => {
    await expect(SocketClient.connect(service.url, { origin })).rejects.toThrow('status 403')
  })

  it('on paths that are not GraphQL', async () => {
    await expect(SocketClient.connect(service.url, {}, '/api/v1/logs')).rejects.toThrow(/status 40[45]/)
    await expect(SocketClient.connect(service.url, {}, '/nowhere')).rejects.toThrow('status 404')
  })

  it('when it subscribes before it authenticates', async () => {
    const client = await SocketClient.connect(service.url)
    client.tail()
    await expect(client.closed).resolves.toMatchObject({ code: 4401 })
  })
})

describe('a socket serves', () => {
  it('pages of this installation, on both paths', async () => {
    for (const path of ['/graphql', '/api/v1/graphql']) {
      const client = await SocketClient.connect(service.url, { origin: new URL(service.url).origin }, path)
      client.send({ type: 'connection_init', payload: { 'X-API-Key': mine.queryKey } })
      await expect(client.next()).resolves.toEqual({ type: 'connection_ack' })
      await client.close()
    }
  })
})

describe('another namespace', () => {
  it.each([
    ['no filter', {}, ['own other', 'own zqbeta zqalpha']],
    ['every record', { query: '*' }, ['own other', 'own zqbeta zqalpha']],
    ['a foreign value', { query: 'zqbeta OR service:zqbeta-svc' }, ['own zqbeta zqalpha']],
    ['what is excluded', { query: '-zqalpha' }, ['own other']],
    ['a negated alternative', { query: '-(zqalpha AND NOT zqbeta)' }, ['own other', 'own zqbeta zqalpha']]
  ])('never arrives through %s', async (_name, filter, own) => {
    const client = await SocketClient.open(service.url, bearer(mine.admin))
    await client.follow({ filter: { ...filter } })
    const control = await SocketClient.open(service.url, bearer(theirs.admin))
    await control.follow()
    await write(theirs.ingestKey, 'zqbeta secret')
    await write(mine.ingestKey, 'own zqbeta zqalpha')
    await write(mine.ingestKey, 'own other')
    await expect(control.records(1)).resolves.toMatchObject([{ message: 'zqbeta secret' }])
    const messages = (await client.records(own.length)).map(({ message }) => message)
    expect(messages.toSorted()).toEqual(own)
    await client.close()
    await control.close()
  })

  it('cannot be resumed by its cursor', async () => {
    const foreign = await SocketClient.open(service.url, bearer(theirs.admin))
    await foreign.follow()
    await write(theirs.ingestKey, 'zqbeta again')
    const { cursor } = await foreign.delivery()
    const client = await SocketClient.open(service.url, bearer(mine.admin))
    client.tail({ after: cursor })
    await expect(client.next()).resolves.toMatchObject({ type: 'error', payload: [{ extensions: { code: 'invalid_field' } }] })
    await client.close()
    await foreign.close()
  })
})

describe('an open socket ends within a second', () => {
  it('when its key is revoked', async () => {
    const made = await must(service.api, 'POST /api/v1/keys', mine.admin, { name: 'short', kind: 'query' })
    const client = await SocketClient.open(service.url, { 'X-API-Key': textOf(made, 'key') })
    const id = String((made.json['api_key'] as { id?: string } | undefined)?.id ?? made.json['id'])
    await expect(closedAfter(client, () => must(service.api, `DELETE /api/v1/keys/${id}`, mine.admin))).resolves.toEqual([
      4401,
      'invalid_credential'
    ])
  })

  it('when its session ends', async () => {
    const response = await service.api('/api/v1/auth/login', {
      method: 'POST',
      json: { email: service.first.email, password: service.first.password }
    })
    const { access_token: token, refresh_token } = response.json as { access_token: string; refresh_token: string }
    const client = await SocketClient.open(service.url, bearer(token))
    const logout = (): Promise<unknown> => service.api('/api/v1/auth/logout', { method: 'POST', json: { refresh_token } })
    await expect(closedAfter(client, logout)).resolves.toEqual([4401, 'invalid_credential'])
  })

  it('when its member is given a lower role, and when removed', async () => {
    const members = `/api/v1/namespaces/${mine.namespaceId}/members`
    const { json } = await service.api(members, { headers: bearer(mine.admin) })
    const member = (json['members'] as { user: { id: string }; role: string }[]).find(({ role }) => role === 'member')!
    const path = `${members}/${member.user.id}`
    const scope = { ...bearer(mine.member), 'X-Namespace-ID': mine.namespaceId }
    const first = await SocketClient.open(service.url, scope)
    const lower = (): Promise<unknown> => must(service.api, `PATCH ${path}`, mine.admin, { role: 'viewer' })
    await expect(closedAfter(first, lower)).resolves.toEqual([4403, 'role_required'])
    const second = await SocketClient.open(service.url, scope)
    await expect(closedAfter(second, () => must(service.api, `DELETE ${path}`, mine.admin))).resolves.toEqual([
      4403,
      'namespace_not_allowed'
    ])
  })

  it('when its namespace is deleted', async () => {
    const made = await must(service.api, 'POST /api/v1/namespaces', mine.admin, { name: 'zqalpha-short' })
    const id = textOf(made, 'id')
    const client = await SocketClient.open(service.url, { ...bearer(mine.admin), 'X-Namespace-ID': id })
    await expect(closedAfter(client, () => must(service.api, `DELETE /api/v1/namespaces/${id}`, mine.admin))).resolves.toEqual([
      4403,
      'not_found'
    ])
  })

  it('when its token expires', async () => {
    const client = await SocketClient.open(service.url, bearer(theirs.admin))
    const expire = async (): Promise<void> => void (clock.aheadMs = QUARTER_HOUR_MS + 1_000)
    await expect(closedAfter(client, expire)).resolves.toEqual([4401, 'expired_credential'])
    clock.aheadMs = 0
  })

  it('when the service stops, which it does within its grace', async () => {
    const other = await startService()
    const session = await other.login()
    const client = await SocketClient.open(other.url, { Authorization: session.authorization })
    const idle = await SocketClient.connect(other.url)
    await expect(closedAfter(client, async () => void other.close())).resolves.toEqual([1001, 'stopping'])
    await expect(idle.closed).resolves.toEqual({ code: 1001, reason: 'stopping' })
  })
})
