import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { queryGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

type Headers = Readonly<Record<string, string>>
const NO_RULES = { redact: { detectors: [], keys: [], literals: [] }, drop: [], fields: [] }
const CARD = '4111111111111111'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: RunningService
let admin: Headers
let key: Headers
let id: string

const rulesPath = (): string => `/api/v1/namespaces/${id}/log-rules`

function put(rules: object, headers = admin): Promise<CheckedResponse> {
  return service.api(rulesPath(), { method: 'PUT', headers, json: { ...NO_RULES, ...rules } })
}

function post(json: object, query = ''): Promise<CheckedResponse> {
  return service.api(`/api/v1/logs/batch${query}`, { method: 'POST', headers: key, json })
}

async function found(query: string): Promise<readonly Record<string, unknown>[]> {
  await service.settle()
  const json = { query, start: 'now-1h', limit: 100, order: 'asc' }
  const result = await service.api('/api/v1/logs/query', { method: 'POST', headers: { ...admin, 'x-namespace-id': id }, json })
  return result.json['logs'] as readonly Record<string, unknown>[]
}

beforeAll(async () => {
  folder = await openTempFolder()
  service = await startService({ flags: ['--registration', 'open'], dataDir: folder.path })
  admin = await service.login()
  const made = await service.api('/api/v1/namespaces', { method: 'POST', headers: admin, json: { name: 'ruled' } })
  id = String(made.json['id'])
  const json = { name: 'k', kind: 'ingest', namespaces: [id] }
  key = { 'x-api-key': String((await service.api('/api/v1/keys', { method: 'POST', headers: admin, json })).json['key']) }
})
afterAll(async () => {
  await service?.close()
  await folder?.remove()
})

describe('the rules of a namespace', () => {
  it('are empty at first, then what was put', async () => {
    expect((await service.api(rulesPath(), { headers: admin })).json).toEqual(NO_RULES)
    const rules = { ...NO_RULES, redact: { detectors: ['card'], keys: ['pin'], literals: ['nightjar'] } }
    expect(await put(rules)).toMatchObject({ status: 200, json: rules })
    expect((await service.api(rulesPath(), { headers: admin })).json).toEqual(rules)
  })

  it('are refused whole when one cannot be followed, and the earlier ones stay', async () => {
    const before = await service.api(rulesPath(), { headers: admin })
    const refused = await put({ drop: [{ name: 'all', query: 'a:x*y', keep: 0 }] })
    expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_field' } })
    const literals = Array.from({ length: 50 }, (_, i) => `${String(i).padStart(3, '0')}${'\u{1f600}'.repeat(120)}`)
    expect((await put({ redact: { ...NO_RULES.redact, literals } })).json['detail']).toMatch(/^the rules exceed 20480 bytes/)
    expect((await service.api(rulesPath(), { headers: admin })).json).toEqual(before.json)
  })

  it('are for admins, and written to the audit log without what they keep secret', async () => {
    const email = 'eve@example.com'
    const password = 'a long password'
    const eve = await service.api('/api/v1/auth/register', { method: 'POST', json: { email, password } })
    const headers = { authorization: `Bearer ${String(eve.json['access_token'])}` }
    const invitation = await service.api(`/api/v1/namespaces/${id}/invitations`, {
      method: 'POST',
      headers: admin,
      json: { role: 'member' }
    })
    const foreign = await service.api(rulesPath(), { headers })
    expect(foreign).toMatchObject({ status: 403, json: { code: 'namespace_not_allowed' } })
    const json = { invitation_token: invitation.json['token'] }
    await service.api('/api/v1/invitations/accept', { method: 'POST', headers, json })
    expect(await service.api(rulesPath(), { headers })).toMatchObject({ status: 403, json: { code: 'role_required' } })
    expect(await put({}, headers)).toMatchObject({ status: 403, json: { code: 'role_required' } })

    await put({ redact: { detectors: ['email'], keys: [], literals: ['nightjar secret'] } })
    const audit = await service.api(`/api/v1/namespaces/${id}/audit`, { headers: admin })
    const [entry] = (audit.json['entries'] as readonly { action: string; detail: object }[]).filter(
      ({ action }) => action === 'namespace.log_rules_changed'
    )
    expect(entry!.detail).toEqual({ detectors: ['email'], keys: 0, literals: 1, drop: [], fields: 0 })
    expect(audit.text).not.toContain('nightjar')
  })

  it('are the same in GraphQL', async () => {
    const headers = { ...admin, 'x-namespace-id': id }
    const send = (query: string) => queryGraphql(service.url, query, {}, headers)
    const rules = `{ redact { detectors keys literals } drop { name query keep } fields { when overrides } }`
    const input = `{ redact: { detectors: [CARD, URL_PASSWORD], keys: ["pin"] }, drop: [{ name: "noise", query: "level:debug" }],
      fields: [{ when: { logger: "old" }, overrides: { message_field: "text" } }] }`
    const expected = {
      redact: { detectors: ['CARD', 'URL_PASSWORD'], keys: ['pin'], literals: [] },
      drop: [{ name: 'noise', query: 'level:debug', keep: 0 }],
      fields: [{ when: { logger: 'old' }, overrides: { message_field: 'text' } }]
    }
    const set = await send(`mutation { setLogRules(input: ${input}) { logRules ${rules} userErrors { message } } }`)
    expect(set).toEqual({ setLogRules: { logRules: expected, userErrors: [] } })
    expect(await send(`{ logRules ${rules} }`)).toEqual({ logRules: expected })
    const refused = await send(
      'mutation { setLogRules(input: { redact: {}, drop: [{ name: "a", query: "(", keep: 0 }] }) { logRules { drop { name } } userErrors { code field } } }'
    )
    expect(refused).toMatchObject({
      setLogRules: { logRules: null, userErrors: [{ code: 'INVALID', field: ['drop[0]', 'query'] }] }
    })
  })
})

describe('redaction', () => {
  beforeAll(() => put({ redact: { detectors: ['card', 'email'], keys: ['pin', 'user.name'], literals: ['nightjar'] } }))

  it('is counted in the response, in members, names, numbers and lists', async () => {
    const log = {
      message: `paid with ${CARD} by ada@example.com, pin=1234`,
      log_fields: { amount: 12.5, card: Number(CARD), user: { name: { first: 'Ada' }, id: 7 }, list: [CARD, 'x', null, true] },
      tags: { 'ada@example.com': 'a', PIN: 4, code: 'nightjar' },
      service: 'redacted-1'
    }
    const result = await post({ logs: [log] })
    expect(result).toMatchObject({ status: 200, json: { accepted: 1, redacted: { card: 3, email: 2, key: 3, literal: 1 } } })
    expect(await found('service:redacted-1')).toMatchObject([
      {
        message: 'paid with [redacted:card] by [redacted:email], pin=[redacted:key]',
        log_fields: {
          amount: 12.5,
          card: '[redacted:card]',
          user: { name: '[redacted:key]', id: 7 },
          list: ['[redacted:card]', 'x', null, true]
        },
        tags: { '[redacted:email]': 'a', PIN: '[redacted:key]', code: '[redacted:literal]' }
      }
    ])
  })

  it('comes before patterns: two secrets are one sentence', async () => {
    const logs = ['ada@example.com', 'eve.adams+x@mail.example.org'].map(user => ({
      message: `login of ${user} ok`,
      service: 'redacted-2'
    }))
    await post({ logs })
    const rows = await found('service:redacted-2')
    expect(new Set(rows.map(row => row['message']))).toEqual(new Set(['login of [redacted:email] ok']))
    const patterns = await service.api('/api/v1/logs/patterns?query=service:redacted-2&start=now-1h', {
      headers: { ...admin, 'x-namespace-id': id }
    })
    expect(patterns.text).not.toContain('ada')
  })

  it('looks at the whole of a message before it is cut', async () => {
    const limit = 256 * 1024
    const message = `${'x '.repeat(limit / 2 - 5)}${CARD} tail`
    await post({ logs: [{ message, service: 'redacted-3' }] })
    const [row] = await found('service:redacted-3')
    expect(row).toMatchObject({ _truncated: true })
    expect(String(row!['message']).slice(-30)).not.toMatch(/\d/)
  })

  it('redacts what a refusal repeats', async () => {
    const result = await post({ logs: [{ message: 'x' }, { message: 'x', tags: { 'ada@example.com': 'y'.repeat(40_000) } }] })
    expect(result.json).toMatchObject({ accepted: 1, rejected: 1, errors: [{ field: '[redacted:email]' }] })
    expect(result.text).not.toContain('ada@')
  })

  it('ends with the rules', async () => {
    await put({})
    await post({ logs: [{ message: `paid with ${CARD}`, service: 'redacted-4' }] })
    expect(await found('service:redacted-4')).toMatchObject([{ message: `paid with ${CARD}` }])
  })
})

describe('drop rules', () => {
  const rules = {
    redact: { detectors: ['card'], keys: [], literals: [] },
    drop: [
      { name: 'health', query: 'service:gateway "get /healthz"', keep: 0 },
      { name: 'debug', query: 'level:debug', keep: 0.5 }
    ]
  }
  beforeAll(() => put(rules))

  it('drop what they match, by the name in the response', async () => {
    const logs = [
      { message: 'GET /healthz 200', service: 'gateway' },
      { message: 'GET /healthz 200', service: 'cart' },
      { message: 'GET /orders 200', service: 'gateway' }
    ]
    const result = await post({ logs })
    expect(result.json).toMatchObject({ status: 'ok', accepted: 2, rejected: 0, dropped: { health: 1 } })
    expect((await found('healthz OR orders')).map(({ service: of }) => of)).toEqual(['cart', 'gateway'])
  })

  it('succeed when nothing is left, and next to a rejected record', async () => {
    const health = { message: 'GET /healthz 200', service: 'gateway' }
    expect(await post({ logs: [health] })).toMatchObject({ status: 200, json: { accepted: 0, dropped: { health: 1 } } })
    const mixed = await post({ logs: [health, { message: '' }] })
    expect(mixed).toMatchObject({ status: 200, json: { status: 'partial', accepted: 0, rejected: 1, dropped: { health: 1 } } })
  })

  it('keep their share, the same logs again', async () => {
    const start = Date.now() - 60_000
    const logs = Array.from({ length: 400 }, (_, i) => ({
      message: `cache ${i}`,
      level: 'debug',
      timestamp: start + i,
      service: 'sampled'
    }))
    const [first, second] = [await post({ logs }), await post({ logs })]
    const { debug } = first.json['dropped'] as { debug: number }
    expect(debug).toBeGreaterThan(140)
    expect(debug).toBeLessThan(260)
    expect(second.json).toMatchObject({ accepted: 400 - debug, dropped: { debug } })
  })

  it('show in a dry run what each would do, and do nothing', async () => {
    const logs = [
      { message: 'GET /healthz 200', service: 'gateway' },
      { message: `card ${CARD}`, service: 'dry' }
    ]
    const result = await post({ logs }, '?dry_run=true')
    expect(result.json).toMatchObject({
      accepted: 1,
      dropped: { health: 1 },
      redacted: { card: 1 },
      records: [{ message: 'GET /healthz 200', dropped_by: 'health' }, { message: 'card [redacted:card]' }]
    })
    expect(await found('service:dry')).toEqual([])
  })

  it('leave a gap in the ledger of a stream, and a repeat states the same', async () => {
    const place = { seq: 1, from: 0, to: 2, first_line: 1, lines: 2, sealed_at: new Date().toISOString() }
    const stream = { id: 'dropping', path: '/var/log/a.log', kind: 'file', ...place }
    const body = { stream, defaults: { service: 'gateway' }, logs: [{ message: 'GET /healthz' }, { message: 'GET /a' }] }
    expect((await post(body)).json).toMatchObject({ accepted: 1, dropped: { health: 1 }, stream: { next_seq: 2 } })
    expect((await post(body)).json).toMatchObject({ accepted: 1, rejected: 0, stream: { repeated: true } })
    const streams = await service.api('/api/v1/streams', { headers: { ...admin, 'x-namespace-id': id } })
    expect(streams.text).toMatch(/"reason":"dropped"/)
    const search = { method: 'POST', json: { query: 'service:gateway' }, headers: { ...admin, 'x-namespace-id': id } }
    expect((await service.api('/api/v1/logs/query', search)).json).toMatchObject({ complete: true, warnings: [] })
  })

  it('are in the usage, next to what was stored', async () => {
    const metrics = await fetch(`${service.url}/metrics`)
    expect(await metrics.text()).toMatch(/alidade_redacted_values [1-9]/)
    // Writes the usage that is in memory.
    await service.close()
    service = await startService({ dataDir: folder.path })
    const usage = await service.api(`/api/v1/namespaces/${id}/usage`, { headers: admin })
    const row = (usage.json['usage'] as Record<string, number | string>[]).find(({ signal }) => signal === 'logs')!
    const { received, stored, rejected, deduplicated, dropped } = row as Record<string, number>
    expect(dropped).toBeGreaterThan(280)
    expect(received).toBe(stored! + rejected! + deduplicated! + dropped!)
  })
})

describe('field rules', () => {
  const rules = {
    fields: [
      { when: { logger: 'legacy' }, overrides: { message_field: 'text', level_field: 'prio', trace_field: 'req' } },
      { when: { service: 'cron' }, overrides: { message_field: 'job', timezone: '+02:00', parse_message: 'true' } }
    ]
  }
  beforeAll(() => put(rules))

  it('state which members are the message, level and trace of a sender', async () => {
    const trace = 'c'.repeat(32)
    const logs = [
      { logger: 'legacy', text: 'from text', message: 'not this', prio: 'warn', req: trace, service: 'fields-1' },
      { logger: 'other', text: 'a field', message: 'from message', service: 'fields-1' }
    ]
    const result = await post({ logs })
    expect(result.json).toMatchObject({ accepted: 2, read: { message: { text: 1 } } })
    expect(await found('service:fields-1')).toMatchObject([
      { message: 'from text', level: 'warn', trace_id: trace },
      { message: 'from message', log_fields: { text: 'a field' } }
    ])
  })

  it('recognize a sender by the defaults of a batch, and yield to the parameters of a request', async () => {
    const at = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
    const logs = [{ job: 'nightly', other: 'from other', timestamp: at.replace('T', ' ') }]
    const local = new Date(Date.parse(`${at}+02:00`)).toISOString()
    const byRule = await post({ defaults: { service: 'cron' }, logs }, '?dry_run=true')
    expect(byRule.json).toMatchObject({
      records: [{ message: 'nightly', timestamp: expect.stringContaining(local.slice(0, 19)) }]
    })
    const byRequest = await post({ defaults: { service: 'cron' }, logs }, '?dry_run=true&message_field=other')
    expect(byRequest.json).toMatchObject({
      records: [{ message: 'from other', timestamp: expect.stringContaining(local.slice(0, 19)) }]
    })
    const others = await post({ defaults: { service: 'web' }, logs }, '?dry_run=true')
    expect(others).toMatchObject({ status: 400, json: { code: 'missing_field' } })
  })
})
