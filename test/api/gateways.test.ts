import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Gateway, Headers } from '../support/gateways.js'
import { about, startGateway } from '../support/gateways.js'
import type { PostgresDatabases } from '../support/postgres-databases.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'

const PASSWORD = 'correct horse battery'

interface Person {
  readonly headers: Headers
  readonly userId: string
  readonly refreshToken: string
}

describeOn('postgres', 'two gateways on one database', server => {
  let databases: PostgresDatabases
  let a: Gateway
  let b: Gateway
  let ada: Person
  let eve: Person
  let team: string
  beforeAll(async () => {
    databases = await createPostgresDatabases(server.url)
    const env = { ALIDADE_DATABASE_URL: await databases.bare() }
    ;[a, b] = await Promise.all([startGateway(env), startGateway(env)])
    ada = await register('ada')
    eve = await register('eve')
    team = await makeTeam('shop')
  })
  afterAll(async () => {
    await Promise.all([a?.service.close(), b?.service.close()])
    await databases?.drop()
  })

  function personOf(response: Awaited<ReturnType<Gateway['send']>>): Person {
    const { access_token, refresh_token, user } = response.json as Record<string, string> & { user: { id: string } }
    return { headers: { authorization: `Bearer ${access_token}` }, userId: user.id, refreshToken: refresh_token! }
  }

  async function register(name: string): Promise<Person> {
    const json = { email: `${name}@example.com`, password: PASSWORD }
    return personOf(await a.send('POST', '/api/v1/auth/register', {}, json))
  }

  async function login(gateway: Gateway, name: string): Promise<Person> {
    const json = { email: `${name}@example.com`, password: PASSWORD }
    return personOf(await gateway.send('POST', '/api/v1/auth/login', {}, json))
  }

  /** Made on one, known on the other. */
  async function makeTeam(name: string): Promise<string> {
    return b.hears(about('namespace'), async () => {
      const made = await a.send('POST', '/api/v1/namespaces', ada.headers, { name })
      expect(made.status).toBe(201)
      return String(made.json['id'])
    })
  }

  async function makeKey(namespace: string): Promise<{ readonly id: string; readonly headers: Headers }> {
    const json = { name: 'k', kind: 'ingest', namespaces: [namespace] }
    const made = await a.send('POST', '/api/v1/keys', ada.headers, json)
    expect(made.status).toBe(201)
    return { id: String(made.json['id']), headers: { 'x-api-key': String(made.json['key']) } }
  }

  async function writes(gateway: Gateway, headers: Headers): Promise<number> {
    return (await gateway.send('POST', '/api/v1/logs', headers, { message: 'hello' })).status
  }

  async function reads(gateway: Gateway, person: Person, namespace: string): Promise<number> {
    const headers = { ...person.headers, 'x-namespace-id': namespace }
    return (await gateway.send('POST', '/api/v1/logs/query', headers, { limit: 1 })).status
  }

  async function addEve(): Promise<void> {
    const invited = await a.send('POST', `/api/v1/namespaces/${team}/invitations`, ada.headers, { role: 'admin' })
    const json = { email: 'eve@example.com', password: PASSWORD, invitation_token: invited.json['token'] }
    const accepted = await b.send('POST', '/api/v1/auth/login', {}, json)
    expect(accepted.json).toMatchObject({ role: 'admin', namespace: { id: team } })
  }

  describe('at their first start', () => {
    it('make one operator between them, whom both let in', async () => {
      const starts = [a, b].map(({ service }) => service)
      const first = starts.filter(({ app }) => app.firstCredentials !== null)
      expect(first).toHaveLength(1)
      expect(starts.filter(({ dataDir }) => existsSync(join(dataDir, 'first-run.txt')))).toEqual(first)
      const { email, password } = first[0]!.first
      for (const gateway of [a, b]) {
        const operator = await gateway.send('POST', '/api/v1/auth/login', {}, { email, password })
        const all = await gateway.send('GET', '/api/v1/namespaces?all=true', personOf(operator).headers)
        const names = (all.json['namespaces'] as { readonly name: string }[]).map(({ name }) => name)
        expect(names.filter(name => name === 'default')).toHaveLength(1)
      }
    })

    it('sign with keys that both know', async () => {
      const [ofA, ofB] = await Promise.all([a, b].map(gateway => gateway.send('GET', '/.well-known/jwks.json', {})))
      expect(ofA?.json).toEqual(ofB?.json)
      expect(ofA?.json['keys']).toHaveLength(1)
      expect(await reads(b, ada, team)).toBe(200)
      expect(await reads(a, await login(b, 'ada'), team)).toBe(200)
    })
  })

  it('refuse a key that was revoked on the other', async () => {
    const key = await makeKey(team)
    expect(await writes(b, key.headers)).toBe(200)
    await b.hears(about('key'), () => a.send('DELETE', `/api/v1/keys/${key.id}`, ada.headers))
    expect(await writes(b, key.headers)).toBe(401)
  })

  it('take a key that was made on the other, also where it was refused before', async () => {
    const key = await makeKey(team)
    const rotate = (): Promise<unknown> => a.send('POST', `/api/v1/keys/${key.id}/rotate`, ada.headers, { grace: '0s' })
    expect(await writes(b, key.headers)).toBe(200)
    const rotated = (await b.hears(about('key'), rotate)) as { readonly json: Record<string, unknown> }
    expect(await writes(b, key.headers)).toBe(401)
    expect(await writes(b, { 'x-api-key': String(rotated.json['key']) })).toBe(200)
  })

  it('refuse a member who was removed on the other, and heed a role that was lowered there', async () => {
    await addEve()
    const isEve = about('member', { namespaceId: team, userId: eve.userId })
    const path = `/api/v1/namespaces/${team}/members/${eve.userId}`
    const invite = (): ReturnType<Gateway['send']> =>
      b.send('POST', `/api/v1/namespaces/${team}/invitations`, eve.headers, { role: 'viewer' })
    expect((await invite()).status).toBe(201)
    await b.hears(isEve, () => a.send('PATCH', path, ada.headers, { role: 'viewer' }))
    expect(await invite()).toMatchObject({ status: 403, json: { code: 'role_required' } })
    expect(await reads(b, eve, team)).toBe(200)
    await b.hears(isEve, () => a.send('DELETE', path, ada.headers))
    expect(await reads(b, eve, team)).toBe(403)
  })

  it('follow a namespace of the other from its making to its end', async () => {
    const bank = await makeTeam('bank')
    const key = await makeKey(bank)
    expect(await writes(b, key.headers)).toBe(200)
    expect(await reads(b, ada, bank)).toBe(200)
    const isBank = about('namespace', { namespaceId: bank })
    const json = { retention: { logs: '2d' } }
    await b.hears(isBank, () => a.send('PATCH', `/api/v1/namespaces/${bank}`, ada.headers, json))
    expect((await b.send('GET', `/api/v1/namespaces/${bank}`, ada.headers)).json).toMatchObject(json)
    await b.hears(isBank, () => a.send('DELETE', `/api/v1/namespaces/${bank}`, ada.headers))
    expect(await writes(b, key.headers)).toBe(410)
    expect(await reads(b, ada, bank)).toBe(404)
    const again = await b.send('POST', '/api/v1/namespaces', ada.headers, { name: 'bank' })
    expect(again.status).toBe(409)
  })

  it('exchange refresh tokens of each other, once between them', async () => {
    const session = await login(a, 'ada')
    const refresh = (gateway: Gateway, token: string): ReturnType<Gateway['send']> =>
      gateway.send('POST', '/api/v1/auth/refresh', {}, { refresh_token: token })
    const next = await refresh(b, session.refreshToken)
    expect(next.status).toBe(200)
    const { headers, refreshToken } = personOf(next)
    expect(await reads(b, { ...session, headers }, team)).toBe(200)
    await b.hears(about('session'), async () => {
      expect((await refresh(a, session.refreshToken)).status).toBe(401)
    })
    expect((await refresh(b, refreshToken)).status).toBe(401)
    expect(await reads(b, { ...session, headers }, team)).toBe(401)
  })

  it('return the same successor to a cookie session that refreshes on both', async () => {
    const session = await login(a, 'ada')
    const refresh = async (gateway: Gateway): Promise<readonly [number, string | null]> => {
      const headers = {
        cookie: `alidade_refresh=${session.refreshToken}`,
        origin: gateway.service.url,
        'x-alidade-session': 'cookie'
      }
      const response = await gateway.send('POST', '/api/v1/auth/refresh', headers)
      return [response.status, response.headers.get('set-cookie')]
    }
    const both = await Promise.all([refresh(a), refresh(b)])
    expect(both.map(([status]) => status)).toEqual([200, 200])
    expect(both[0][1]).toMatch(/^alidade_refresh=alr_/)
    expect(both[1][1]).toBe(both[0][1])
  })

  it('end a session on both when one is logged out of it', async () => {
    const session = await login(a, 'eve')
    expect((await b.send('GET', '/api/v1/namespaces', session.headers)).status).toBe(200)
    const logout = { refresh_token: session.refreshToken }
    await b.hears(about('session'), () => a.send('POST', '/api/v1/auth/logout', {}, logout))
    expect((await b.send('GET', '/api/v1/namespaces', session.headers)).status).toBe(401)
  })
})
