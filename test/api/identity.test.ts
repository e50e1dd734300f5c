import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

const PASSWORD = 'correct horse battery'

interface Person {
  readonly headers: { readonly authorization: string }
  readonly refreshToken: string
  readonly userId: string
  readonly namespaceId: string
}

let service: RunningService
let ada: Person
let bob: Person
let teamId: string

async function post(path: string, json: unknown, headers: Record<string, string> = {}): Promise<CheckedResponse> {
  return service.api(path, { method: 'POST', json, headers })
}

function toPerson({ json }: CheckedResponse): Person {
  const { access_token, refresh_token, user, namespace } = json as {
    access_token: string
    refresh_token: string
    user: { id: string }
    namespace: { id: string }
  }
  const headers = { authorization: `Bearer ${access_token}` }
  return { headers, refreshToken: refresh_token, userId: user.id, namespaceId: namespace.id }
}

async function register(name: string, invitationToken?: string): Promise<Person> {
  const invitation = invitationToken === undefined ? {} : { invitation_token: invitationToken }
  const response = await post('/api/v1/auth/register', { email: `${name}@example.com`, password: PASSWORD, ...invitation })
  expect(response.status).toBe(201)
  return toPerson(response)
}

async function invite(role: string): Promise<string> {
  const response = await post(`/api/v1/namespaces/${teamId}/invitations`, { role }, ada.headers)
  expect(response.status).toBe(201)
  return String(response.json['token'])
}

async function makeKey(body: object, person = ada): Promise<{ id: string; key: string }> {
  const response = await post('/api/v1/keys', { name: 'k', ...body }, person.headers)
  expect(response.status).toBe(201)
  return response.json as { id: string; key: string }
}

beforeAll(async () => {
  service = await startService({ flags: ['--registration', 'open'] })
  ada = await register('ada')
  const made = await post('/api/v1/namespaces', { name: 'team', retention: { logs: 'forever' } }, ada.headers)
  expect(made.status).toBe(201)
  teamId = String(made.json['id'])
  bob = await register('bob', await invite('member'))
})
afterAll(() => service?.close())

describe('the own password', () => {
  const next = 'another long password'

  it('is changed by REST and by GraphQL, whoever gives the current one', async () => {
    const eve = await register('eve')
    const change = async (current: string, expected: string) =>
      post('/api/v1/auth/password', { current_password: current, new_password: expected }, eve.headers)
    const wrong = await change('wrong password', next)
    expect(wrong).toMatchObject({ status: 400, json: { code: 'invalid_field', errors: [{ field: 'current_password' }] } })
    expect(await change(PASSWORD, 'short')).toMatchObject({ status: 400, json: { errors: [{ field: 'new_password' }] } })
    const other = toPerson(await post('/api/v1/auth/login', { email: 'eve@example.com', password: PASSWORD }))
    expect((await change(PASSWORD, next)).status).toBe(204)
    expect((await post('/api/v1/auth/refresh', { refresh_token: other.refreshToken })).status).toBe(401)
    expect((await service.api('/api/v1/namespaces', { headers: other.headers })).status).toBe(401)
    const query =
      'mutation P($c: String!, $n: String!) { changePassword(currentPassword: $c, newPassword: $n) { user { email } userErrors { code field } } }'
    const request = async (variables: object) => (await post('/api/v1/graphql', { query, variables }, eve.headers)).json['data']
    expect(await request({ c: PASSWORD, n: next })).toEqual({
      changePassword: { user: null, userErrors: [{ code: 'INVALID', field: ['currentPassword'] }] }
    })
    expect(await request({ c: next, n: PASSWORD })).toEqual({
      changePassword: { user: { email: 'eve@example.com' }, userErrors: [] }
    })
  })

  it('is changed by no one without a session', async () => {
    const json = { current_password: PASSWORD, new_password: next }
    expect((await post('/api/v1/auth/password', json)).status).toBe(401)
    const { key } = await makeKey({ kind: 'query' })
    const byKey = await post('/api/v1/auth/password', json, { authorization: `Bearer ${key}` })
    expect(byKey).toMatchObject({ status: 403, json: { code: 'scope_required' } })
  })
})

describe('sessions over HTTP', () => {
  it('respond with the names of OAuth 2.0', async () => {
    const response = await post('/api/v1/auth/login', { email: 'ADA@example.com', password: PASSWORD })
    expect(response).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 900, role: 'admin' } })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('refuse bad bodies by naming each field', async () => {
    const response = await post('/api/v1/auth/register', { email: 1, extra: true })
    expect(response.status).toBe(400)
    const fields = (response.json['errors'] as { field: string; code: string }[]).map(({ field, code }) => `${code} ${field}`)
    expect(fields).toEqual(expect.arrayContaining(['missing_field password', 'invalid_field email']))
  })

  it('refresh once, end at the second use, and take two at once for a reuse', async () => {
    const person = toPerson(await post('/api/v1/auth/login', { email: 'ada@example.com', password: PASSWORD }))
    const body = { refresh_token: person.refreshToken }
    const both = await Promise.all([post('/api/v1/auth/refresh', body), post('/api/v1/auth/refresh', body)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 401]))
    const winner = toPerson(both.find(({ status }) => status === 200)!)
    expect((await post('/api/v1/auth/refresh', { refresh_token: winner.refreshToken })).status).toBe(401)
    const after = await service.api('/api/v1/namespaces', { headers: winner.headers })
    expect(after).toMatchObject({ status: 401, json: { code: 'invalid_credential' } })
  })

  it('switch namespaces and log out', async () => {
    const person = toPerson(await post('/api/v1/auth/login', { email: 'ada@example.com', password: PASSWORD }))
    const switched = await post('/api/v1/auth/switch', { namespace_id: teamId }, person.headers)
    expect(switched).toMatchObject({ status: 200, json: { namespace: { id: teamId, name: 'team', kind: 'team' } } })
    expect((await post('/api/v1/auth/logout', { refresh_token: person.refreshToken })).status).toBe(204)
    expect((await service.api('/api/v1/namespaces', { headers: toPerson(switched).headers })).status).toBe(401)
    const refused = await post('/api/v1/auth/switch', { namespace_id: bob.namespaceId }, ada.headers)
    expect(refused.status).toBe(bob.namespaceId === teamId ? 200 : 403)
  })

  it('throttle the sixth sign-in of a minute with the time to wait', async () => {
    const wrong = { email: 'missing@example.com', password: 'wrong password' }
    for (let i = 0; i < 5; i++) expect((await post('/api/v1/auth/login', wrong)).status).toBe(401)
    const response = await post('/api/v1/auth/login', wrong)
    expect(response).toMatchObject({ status: 429, json: { code: 'rate_limited', retryable: true } })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50)
  })

  it('show the public keys under both addresses', async () => {
    const canonical = await service.api('/api/v1/.well-known/jwks.json')
    expect(canonical.json['keys']).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }])
    expect((await service.api('/.well-known/jwks.json')).json).toEqual(canonical.json)
    expect(canonical.text).not.toContain('"d"')
  })
})

describe('credentials over HTTP', () => {
  it('that are missing, malformed or unknown are 401 with a challenge', async () => {
    const cases: [Record<string, string>, string][] = [
      [{}, 'missing_credential'],
      [{ authorization: 'Basic YTpi' }, 'missing_credential'],
      [{ authorization: 'Bearer' }, 'missing_credential'],
      [{ authorization: 'Bearer a b' }, 'invalid_credential'],
      [{ authorization: 'Bearer a.b.c' }, 'invalid_credential'],
      [{ 'x-api-key': 'ali_query_nonsense' }, 'invalid_credential']
    ]
    for (const [headers, code] of cases) {
      const response = await service.api('/api/v1/namespaces', { headers })
      expect(response).toMatchObject({ status: 401, json: { code } })
      expect(response.headers.get('www-authenticate')).toContain('Bearer')
    }
  })

  it('of the wrong kind are 403', async () => {
    const usage = `/api/v1/namespaces/${ada.namespaceId}/usage`
    const query = await makeKey({ kind: 'query' })
    const ingest = await makeKey({ kind: 'ingest' })
    const rum = await makeKey({ kind: 'rum', allowed_origins: ['https://shop.example'] })
    expect((await service.api(usage, { headers: { 'x-api-key': query.key } })).status).toBe(200)
    expect((await service.api(usage, { headers: { authorization: `Bearer ${query.key}` } })).status).toBe(200)
    // Basic is then a proxy's.
    const behindProxy = { 'x-api-key': query.key, authorization: 'Basic cHJveHk6c2VjcmV0' }
    expect((await service.api(usage, { headers: behindProxy })).status).toBe(200)
    for (const { key } of [ingest, rum]) {
      const response = await service.api(usage, { headers: { 'x-api-key': key } })
      expect(response).toMatchObject({ status: 403, json: { code: 'scope_required' } })
    }
    const manage = await service.api('/api/v1/keys', { headers: { 'x-api-key': query.key } })
    expect(manage).toMatchObject({ status: 403, json: { code: 'scope_required' } })
    for (const { key } of [query, rum]) {
      const response = await post('/api/v1/logs', { message: 'x' }, { 'x-api-key': key })
      expect(response).toMatchObject({ status: 403, json: { code: 'scope_required' } })
    }
  })

  it('in the query or the body are not taken', async () => {
    const token = ada.headers.authorization.slice('Bearer '.length)
    expect((await service.api(`/api/v1/namespaces?access_token=${token}`)).status).toBe(401)
    const { key } = await makeKey({ kind: 'query' })
    expect((await service.api(`/api/v1/namespaces/${ada.namespaceId}/usage?key=${key}`)).status).toBe(401)
  })
})

describe('API keys over HTTP', () => {
  it('live from 201 to 204, with a grace at rotation', async () => {
    const made = await makeKey({ kind: 'query', expires_at: '2999-01-01T00:00:00Z' })
    const usage = (key: string): Promise<CheckedResponse> =>
      service.api(`/api/v1/namespaces/${ada.namespaceId}/usage`, { headers: { 'x-api-key': key } })
    const rotated = await post(`/api/v1/keys/${made.id}/rotate`, { grace: '1h' }, ada.headers)
    expect(rotated).toMatchObject({
      status: 200,
      json: { id: made.id, state: 'rotating', expires_at: '2999-01-01T00:00:00.000Z' }
    })
    const second = String(rotated.json['key'])
    expect([(await usage(made.key)).status, (await usage(second)).status]).toEqual([200, 200])
    expect((await service.api(`/api/v1/keys/${made.id}`, { method: 'DELETE', headers: ada.headers })).status).toBe(204)
    expect([(await usage(made.key)).status, (await usage(second)).status]).toEqual([401, 401])
    const list = await service.api('/api/v1/keys', { headers: ada.headers })
    expect((list.json['keys'] as { id: string; state: string }[]).find(({ id }) => id === made.id)?.state).toBe('revoked')
    expect(list.text).not.toContain(second)
  })

  it('refuse what they cannot be', async () => {
    for (const body of [
      { kind: 'other' },
      { kind: 'rum' },
      { kind: 'query', expires_at: 'soon' },
      { kind: 'query', namespaces: 'a' }
    ]) {
      expect((await post('/api/v1/keys', { name: 'k', ...body }, ada.headers)).status).toBe(400)
    }
    const grace = await post('/api/v1/keys/none/rotate', { grace: 'long' }, ada.headers)
    expect(grace).toMatchObject({ status: 400, json: { errors: [{ field: 'grace' }] } })
    expect((await post('/api/v1/keys/none/rotate', {}, ada.headers)).status).toBe(404)
    expect((await service.api('/api/v1/keys/none', { method: 'DELETE', headers: ada.headers })).status).toBe(404)
  })
})

describe('page timings from browsers', () => {
  async function beacon(key: string, origin?: string): Promise<CheckedResponse> {
    const headers = { 'x-api-key': key, ...(origin === undefined ? {} : { origin }) }
    return post('/api/v1/apm/rum', { page_url: 'https://shop.example/' }, headers)
  }

  it('are taken from the origins of their key alone', async () => {
    const { key } = await makeKey({ kind: 'rum', allowed_origins: ['https://shop.example'] })
    expect((await beacon(key, 'https://shop.example')).status).toBe(200)
    for (const origin of [
      undefined,
      'null',
      'https://evil.example',
      'https://shop.example.evil.example',
      'http://shop.example'
    ]) {
      expect(await beacon(key, origin)).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } })
    }
    const { key: forApps } = await makeKey({ kind: 'rum', allowed_origins: ['null'] })
    expect([(await beacon(forApps)).status, (await beacon(forApps, 'null')).status]).toEqual([200, 200])
  })

  it('are taken with an ingest key, and with the session of a member, not of a viewer', async () => {
    const { key } = await makeKey({ kind: 'ingest' })
    expect((await beacon(key)).status).toBe(200)
    const { key: query } = await makeKey({ kind: 'query' })
    expect(await beacon(query)).toMatchObject({ status: 403, json: { code: 'scope_required' } })
    const viewer = await register('vic', await invite('viewer'))
    const event = { page_url: 'https://shop.example/' }
    expect((await post('/api/v1/apm/rum', event, { ...bob.headers, 'x-namespace-id': teamId })).status).toBe(200)
    const refused = await post('/api/v1/apm/rum', event, { ...viewer.headers, 'x-namespace-id': teamId })
    expect(refused).toMatchObject({ status: 403, json: { code: 'role_required' } })
  })
})
