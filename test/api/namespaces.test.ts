import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { IS_MANAGED } from '../support/service-profile.js'

const PASSWORD = 'correct horse battery'

interface Person {
  readonly headers: { readonly authorization: string }
  readonly userId: string
}

let service: RunningService
let ada: Person
let eve: Person
let team: string

async function send(method: string, path: string, person: Person, json?: unknown): Promise<CheckedResponse> {
  return service.api(path, { method, headers: person.headers, ...(json === undefined ? {} : { json }) })
}

async function register(name: string, invitation: object = {}): Promise<Person> {
  const json = { email: `${name}@example.com`, password: PASSWORD, name, ...invitation }
  const response = await service.api('/api/v1/auth/register', { method: 'POST', json })
  expect(response.status).toBe(201)
  const { access_token, user } = response.json as { access_token: string; user: { id: string } }
  return { headers: { authorization: `Bearer ${access_token}` }, userId: user.id }
}

async function makeTeam(name: string): Promise<string> {
  const response = await send('POST', '/api/v1/namespaces', ada, { name })
  expect(response.status).toBe(201)
  return String(response.json['id'])
}

beforeAll(async () => {
  service = await startService({ flags: ['--registration', 'open'] })
  ada = await register('ada')
  eve = await register('eve')
  team = await makeTeam('team')
})
afterAll(() => service?.close())

describe('namespaces over HTTP', () => {
  it('are listed with role and retention', async () => {
    const { json } = await send('GET', '/api/v1/namespaces', ada)
    expect(json['namespaces']).toHaveLength(2)
    expect(json['namespaces']).toContainEqual(
      expect.objectContaining({ id: team, name: 'team', kind: 'team', state: 'active', role: 'admin' })
    )
  })

  it('change the named retention and refuse an invalid one', async () => {
    const changed = await send('PATCH', `/api/v1/namespaces/${team}`, ada, { retention: { logs: 'forever', rum: '36h' } })
    expect(changed).toMatchObject({ status: 200, json: { retention: { logs: 'forever', rum: '1d12h', metrics: '30d' } } })
    const wrong = await send('PATCH', `/api/v1/namespaces/${team}`, ada, { retention: { logs: 'soon' } })
    expect(wrong).toMatchObject({ status: 400, json: { code: 'invalid_field', errors: [{ field: 'retention.logs' }] } })
    for (const body of [{ retention: { spam: '1d' } }, { name: 'other' }, {}]) {
      expect((await send('PATCH', `/api/v1/namespaces/${team}`, ada, body)).status).toBe(400)
    }
  })

  it('report how they are stored and change the search alone', async () => {
    const path = `/api/v1/namespaces/${team}`
    const changed = await send('PATCH', path, ada, { storage: { search: 'approximate' } })
    expect(changed).toMatchObject({ status: 200, json: { storage: { placement: 'dedicated', search: 'approximate' } } })
    const wrongs = [{ search: 'fuzzy' }, { placement: 'pooled' }, { search: 'off', placement: 'pooled' }, {}]
    for (const storage of wrongs) expect((await send('PATCH', path, ada, { storage })).status).toBe(400)
    const two = { retention: { logs: '1d' }, storage: { search: 'off' } }
    expect((await send('PATCH', path, ada, two)).status).toBe(400)
    const placed = await send('POST', '/api/v1/namespaces', ada, { name: 'placed', storage: { placement: 'pooled' } })
    expect(placed).toMatchObject({ status: 403, json: { code: 'role_required' } })
    const operator = { headers: await service.login(), userId: '' }
    const pooled = { name: 'pooled', storage: { placement: 'pooled', search: 'off' } }
    expect(await send('POST', '/api/v1/namespaces', operator, pooled)).toMatchObject({ status: 201, json: pooled })
  })

  it('of others return 403 in the same words as those that do not exist', async () => {
    const requests: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { retention: { logs: '1d' } }],
      ['DELETE', ''],
      ['GET', '/members'],
      ['PATCH', `/members/${ada.userId}`, { role: 'viewer' }],
      ['DELETE', `/members/${ada.userId}`],
      ['POST', '/invitations', { role: 'admin' }],
      ['GET', '/invitations'],
      ['DELETE', '/invitations/x'],
      ['GET', '/audit'],
      ['GET', '/usage']
    ]
    for (const [method, rest, body] of requests) {
      const reported = new Set<string>()
      for (const id of [team, 'nosuchnamespace1234', 'default', 'x']) {
        const response = await send(method, `/api/v1/namespaces/${id}${rest}`, eve, body)
        expect([method, rest, response.status]).toEqual([method, rest, 403])
        reported.add(JSON.stringify({ ...response.json, instance: '' }))
      }
      expect(reported.size).toBe(1)
    }
    const asRead = await send('GET', '/api/v1/keys?namespace=team', eve)
    const unknown = await send('GET', '/api/v1/keys?namespace=nosuch', eve)
    expect([asRead.status, asRead.json['detail']]).toEqual([403, unknown.json['detail']])
  })

  it('refuse taken and kept names', async () => {
    for (const [name, code] of [
      ['team', 'name_taken'],
      ['default', 'name_taken']
    ] as const) {
      const response = await send('POST', '/api/v1/namespaces', eve, { name })
      expect(response.status).toBe(409)
      expect([code, 'name_reserved']).toContain(response.json['code'])
    }
    expect((await send('POST', '/api/v1/namespaces', eve, { name: 'No!' })).status).toBe(400)
  })
})

describe('the life of a namespace over HTTP', () => {
  it('ends with 202, then it is refused everywhere and its name held', async () => {
    const id = await makeTeam('short-lived')
    const made = await send('POST', '/api/v1/keys', ada, { name: 'k', kind: 'ingest', namespaces: [id] })
    const write = (): Promise<CheckedResponse> =>
      service.ingest('/api/v1/logs', {
        method: 'POST',
        json: { message: 'x' },
        headers: { 'x-api-key': String(made.json['key']) }
      })
    expect((await write()).status).toBe(200)
    expect(await send('DELETE', `/api/v1/namespaces/${id}`, ada)).toMatchObject({ status: 202, json: { id } })
    expect(await write()).toMatchObject({ status: 410, json: { code: 'namespace_deleted' } })
    expect((await send('GET', '/api/v1/keys?namespace=short-lived', ada)).status).toBe(404)
    const shown = await send('GET', `/api/v1/namespaces/${id}`, ada)
    expect(['deleting', 'deleted']).toContain(shown.json['state'])
    const again = await send('POST', '/api/v1/namespaces', ada, { name: 'short-lived' })
    expect(again.status).toBe(409)
    expect(['name_taken', 'name_reserved']).toContain(again.json['code'])
    expect((await write()).status).toBe(410)
  })

  it('is shown to operators alone when it is not their own', async () => {
    const operator = { headers: await service.login(), userId: '' }
    const all = await send('GET', '/api/v1/namespaces?all=true', operator)
    expect((all.json['namespaces'] as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['default', 'team'])
    )
    // InfluxDB does not report the size of a namespace.
    expect(all.json['sizes_missing']).toEqual(IS_MANAGED ? ['influxdb'] : [])
    expect(await send('GET', '/api/v1/namespaces?all=true', ada)).toMatchObject({ status: 403, json: { code: 'role_required' } })
    expect((await send('GET', `/api/v1/namespaces/${team}/usage`, operator)).status).toBe(403)
  })
})

describe('members over HTTP', () => {
  it('come by invitation, change role at once, and leave', async () => {
    const invitation = await send('POST', `/api/v1/namespaces/${team}/invitations`, ada, { role: 'admin' })
    const token = { invitation_token: String(invitation.json['token']) }
    const cem = await register('cem')
    const accepted = await send('POST', '/api/v1/invitations/accept', cem, token)
    expect(accepted).toMatchObject({ status: 200, json: { namespace_id: team, role: 'admin', user: { id: cem.userId } } })
    expect((await send('POST', '/api/v1/invitations/accept', eve, token)).status).toBe(400)
    expect((await send('GET', `/api/v1/namespaces/${team}/audit`, cem)).status).toBe(200)
    const member = `/api/v1/namespaces/${team}/members/${cem.userId}`
    expect((await send('PATCH', member, ada, { role: 'viewer' })).json['role']).toBe('viewer')
    expect(await send('GET', `/api/v1/namespaces/${team}/audit`, cem)).toMatchObject({
      status: 403,
      json: { code: 'role_required' }
    })
    expect((await send('GET', `/api/v1/namespaces/${team}/members`, cem)).json['members']).toHaveLength(2)
    expect((await send('DELETE', member, ada)).status).toBe(204)
    expect(await send('GET', `/api/v1/namespaces/${team}/members`, cem)).toMatchObject({ status: 403 })
    expect((await send('DELETE', member, ada)).status).toBe(404)
  })

  it('keep the last admin', async () => {
    const self = `/api/v1/namespaces/${team}/members/${ada.userId}`
    expect(await send('DELETE', self, ada)).toMatchObject({ status: 409, json: { code: 'conflict' } })
    expect((await send('PATCH', self, ada, { role: 'member' })).status).toBe(409)
    expect((await send('PATCH', self, ada, { role: 'owner' })).status).toBe(400)
  })

  it('can withdraw invitations', async () => {
    const path = `/api/v1/namespaces/${team}/invitations`
    const { invitation } = (await send('POST', path, ada, { role: 'viewer' })).json as { invitation: { id: string } }
    expect(((await send('GET', path, ada)).json['invitations'] as { id: string }[]).map(({ id }) => id)).toContain(invitation.id)
    expect((await send('DELETE', `${path}/${invitation.id}`, ada)).status).toBe(204)
    expect((await send('DELETE', `${path}/${invitation.id}`, ada)).status).toBe(404)
  })
})

describe('audit and usage over HTTP', () => {
  it('page through the audit log by cursor, newest first', async () => {
    const path = `/api/v1/namespaces/${team}/audit`
    const whole = (await send('GET', path, ada)).json['entries'] as { id: string }[]
    const seen: string[] = []
    let cursor = ''
    for (;;) {
      const { json } = await send('GET', `${path}?limit=2${cursor}`, ada)
      seen.push(...(json['entries'] as { id: string }[]).map(({ id }) => id))
      const next = (json['page'] as { next_cursor: string | null }).next_cursor
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    expect(seen).toEqual(whole.map(({ id }) => id))
    expect(seen.length).toBeGreaterThan(2)
    expect((await send('GET', `${path}?limit=5000`, ada)).status).toBe(400)
  })

  it('refuse days that are invalid', async () => {
    for (const query of ['from=yesterday', 'from=2026-02-30', 'from=2026-02-02&to=2026-02-01', 'from=2020-01-01&to=2026-01-01']) {
      const response = await send('GET', `/api/v1/namespaces/${team}/usage?${query}`, ada)
      expect(response).toMatchObject({ status: 400, json: { code: 'invalid_time_range' } })
    }
    const whole = await send('GET', `/api/v1/namespaces/${team}/usage?from=2026-02-01&to=2026-02-01`, ada)
    expect(whole).toMatchObject({ status: 200, json: { from: '2026-02-01', to: '2026-02-01', usage: [] } })
  })
})
