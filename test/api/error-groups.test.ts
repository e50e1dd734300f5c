import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exception, exportOf, newTraceId } from '../support/otlp-spans.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { register } from '../support/tenants.js'

type Json = Readonly<Record<string, unknown>>
interface Group {
  readonly fingerprint: string
  readonly count: number
  readonly state: string
  readonly decided_at: string | null
}

const PATH = '/api/v1/apm/errors'
const TRACE = newTraceId()
const MINUTE_MS = 60_000
const NOW_MS = Date.now()
const STACK = 'CardError: declined\n    at pay (/app/pay.js:10:5)\n    at order (/app/order.js:3:1)'

let service: ReadingService
let session: { readonly authorization: string }

async function sendSpans(message: string, minutesAgo: number, release = '1.0'): Promise<void> {
  const startMs = NOW_MS - minutesAgo * MINUTE_MS
  const events = [exception('CardError', message, STACK)]
  const span = { trace: TRACE, service: 'pay', name: 'POST /pay', startMs, events, resource: { 'service.version': release } }
  const headers = { 'x-api-key': service.first.ingestKey }
  const response = await service.api('/api/v1/otlp/v1/traces', { method: 'POST', json: exportOf([span]), headers })
  if (response.status !== 200) throw new Error(response.text)
  await service.settle()
}

beforeAll(async () => {
  service = await startReadingService({ flags: ['--registration', 'open', '--trusted-proxies', 'loopback'] })
  session = await service.login()
  await sendSpans('card 17 declined', 30)
  await sendSpans('card 18 declined', 20, '1.1')
  // The same error, sent by the service itself: another line, another card.
  await service.write(`${PATH}?ack=searchable`, {
    ...{ service: 'pay', type: 'CardError', message: 'card 19 declined', tags: { release: '1.1' } },
    stack: STACK.replace(':10:5', ':12:7'),
    timestamp: NOW_MS - 10 * MINUTE_MS
  })
  await service.write(`${PATH}?ack=searchable`, { service: 'cart', message: 'boom', timestamp: NOW_MS - 5 * MINUTE_MS })
})
afterAll(() => service.close())

const groups = async (request = '') => (await service.ok(service.get(`${PATH}${request}`)))['groups'] as readonly Group[]
const pay = async () => (await groups('?service=pay'))[0]!
const decide = (fingerprint: string, state: string, headers: Readonly<Record<string, string>> = session) =>
  service.api(`${PATH}/${fingerprint}/state`, { method: 'PUT', json: { state }, headers })

describe('groups of errors', () => {
  it('hold what services sent and the exceptions of their spans alike', async () => {
    expect(await groups()).toMatchObject([
      { service: 'cart', count: 1, state: 'open', decided_at: null },
      { service: 'pay', type: 'CardError', count: 3, message: 'card 19 declined', state: 'open' }
    ])
  })

  it('report releases, the trace and where its logs are', async () => {
    const { fingerprint } = await pay()
    const response = await service.ok(service.get(`${PATH}/${fingerprint}`))
    expect(response).toMatchObject({
      group: { fingerprint, count: 3 },
      releases: [
        { value: '1.1', count: 2 },
        { value: '1.0', count: 1 }
      ],
      sample: { message: 'card 19 declined', trace_id: null },
      trace: { trace_id: TRACE, trace: `/api/v1/traces/${TRACE}` },
      complete: true
    })
    const { logs, trace, span_id: spanId } = response['trace'] as { logs: string; trace: string; span_id: string }
    expect(await service.ok(service.get(logs))).toMatchObject({ trace_id: TRACE })
    expect(logs).toContain(`span_id=${spanId}`)
    expect((await service.get(trace)).status).not.toBe(404)
    const { counts } = response['histogram'] as { counts: readonly number[] }
    expect(counts.reduce((a, b) => a + b)).toBe(3)
  })

  it('are found by release, and their events by trace', async () => {
    expect(await groups('?release=1.0')).toMatchObject([{ service: 'pay', count: 1 }])
    expect(await groups('?release=2.0')).toEqual([])
    const { fingerprint } = await pay()
    const { events } = await service.ok(service.get(`${PATH}?fingerprint=${fingerprint}&trace_id=${TRACE}`))
    expect(events as readonly Json[]).toMatchObject([
      { trace_id: TRACE, tags: { source: 'span', span_name: 'POST /pay', release: '1.1' } },
      { trace_id: TRACE, tags: { release: '1.0' } }
    ])
  })

  it('are resolved, come back with a later error, and may be ignored', async () => {
    const { fingerprint } = await pay()
    const resolved = await decide(fingerprint, 'resolved')
    expect(resolved.json).toMatchObject({ group: { fingerprint, state: 'resolved', decided_by: expect.any(String) } })
    // Late news of an earlier error does not bring it back.
    await sendSpans('card 21 declined', 3)
    expect(await pay()).toMatchObject({ state: 'resolved' })
    await service.write(`${PATH}?ack=searchable`, { service: 'pay', type: 'CardError', message: 'card 22', stack: STACK })
    expect(await pay()).toMatchObject({ state: 'regressed', decided_at: expect.any(String) })
    expect(await groups('?state=regressed')).toMatchObject([{ service: 'pay' }])
    expect(await groups('?state=open')).toMatchObject([{ service: 'cart' }])
    expect(await groups('?state=open&state=regressed&limit=1')).toHaveLength(1)
    await decide(fingerprint, 'ignored')
    expect(await groups('?state=ignored')).toMatchObject([{ fingerprint }])
    await decide(fingerprint, 'open')
    expect(await pay()).toMatchObject({ state: 'open' })
    const { entries } = await service.ok(service.get(`/api/v1/namespaces/${service.first.namespaceId}/audit`))
    expect(entries).toMatchObject([
      { action: 'error_group.decided', target: fingerprint, detail: { from: 'ignored', to: 'open' } },
      { detail: { from: 'resolved', to: 'ignored' } },
      { detail: { from: 'open', to: 'resolved' } },
      ...(entries as readonly object[]).slice(3)
    ])
  })

  it('are decided about by members only', async () => {
    const { fingerprint } = await pay()
    const path = `/api/v1/namespaces/${service.first.namespaceId}/invitations`
    const invitation = await service.api(path, { method: 'POST', headers: session, json: { role: 'viewer' } })
    const viewer = await register(service.api, 'viewer@example.com', { invitation_token: invitation.json?.['token'] })
    const headers = {
      authorization: `Bearer ${String(viewer.json?.['access_token'])}`,
      'x-namespace-id': service.first.namespaceId
    }
    expect((await decide(fingerprint, 'ignored', headers)).json).toMatchObject({ status: 403, code: 'role_required' })
    expect((await decide(fingerprint, 'ignored', { 'x-api-key': service.first.ingestKey })).status).toBe(403)
    expect((await decide(fingerprint, 'ignored', {})).status).toBe(401)
  })

  it.each<[string, string, number, string]>([
    ['f'.repeat(32), 'ignored', 404, 'not_found'],
    ['x', 'ignored', 404, 'not_found'],
    ['f'.repeat(32), 'regressed', 400, 'invalid_field']
  ])('refuses to make %s %s', async (fingerprint, state, status, code) => {
    expect((await decide(fingerprint, state)).json).toMatchObject({ status, code })
  })

  it('report when they were of more releases and hosts than they list', async () => {
    for (let i = 0; i <= 20; i++) {
      const tags = { release: `r${i}` }
      await service.write(`${PATH}?ack=searchable`, { service: 'many', type: 'E', message: 'same', host: `h${i % 20}`, tags })
    }
    const [group] = await groups('?service=many')
    const response = await service.ok(service.get(`${PATH}/${group!.fingerprint}`))
    expect([response['releases'], response['hosts']].map(facts => (facts as readonly Json[]).length)).toEqual([20, 20])
    expect(response).toMatchObject({ complete: false, warnings: ['the response has only 20 releases; there are more'] })
  })

  it('returns 404 for an unknown group and refuses an unknown state', async () => {
    expect(await service.fault(service.get(`${PATH}/${'f'.repeat(32)}`))).toEqual([404, 'not_found'])
    expect(await service.fault(service.get(`${PATH}?state=gone`))).toEqual([400, 'invalid_field'])
  })
})
