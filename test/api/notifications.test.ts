import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { ClockAhead } from '../support/clock-ahead.js'
import { queryGraphql } from '../support/graphql-client.js'
import { type MailServer, openMailServer } from '../support/mail-server.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant, textOf } from '../support/tenants.js'
import { openWebhookReceiver, type ReceivedHook, type WebhookReceiver } from '../support/webhook-receiver.js'

const SECOND_MS = 1_000
const clock = new ClockAhead()
let receiver: WebhookReceiver
let mails: MailServer
let service: RunningService
let shop: Tenant
let channelId: string
let secret: string
let ruleId: string

beforeAll(async () => {
  receiver = await openWebhookReceiver()
  mails = await openMailServer()
  const mail = ['--smtp-url', `smtp://127.0.0.1:${mails.port}`, '--smtp-from', 'alerts@alidade.example']
  const flags = [...BUSY_FLAGS, ...mail, '--webhook-allow', '127.0.0.1', '--public-url', 'https://alidade.example']
  service = await startService({ flags, app: { clock } })
  shop = await createTenant(service, 'zqshop')
  const channel = { name: 'ops', kind: 'webhook', target: `${receiver.url}/hook?token=t0ken` }
  const made = await must(service.api, 'POST /api/v1/channels', shop.admin, channel)
  channelId = textOf(made, 'channel', 'id')
  secret = textOf(made, 'secret')
  const route = { channels: ['ops'], group_wait: '0s', group_interval: '10s' }
  await must(service.api, 'PUT /api/v1/routing', shop.member, { version: 0, document: { route } })
}, 240_000)
afterAll(async () => {
  await service?.close()
  await receiver?.close()
  await mails?.close()
})

interface Body {
  readonly type: string
  readonly data: { readonly namespace: string; readonly alerts: readonly { readonly labels: object; readonly status: string }[] }
}

/** The body of a request, as the library of Standard Webhooks verifies it. */
function verified({ body, headers }: ReceivedHook): Body {
  return new Webhook(secret).verify(body, { ...headers }) as Body
}

interface DeliveryJson {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly attempts: readonly { readonly status: number | null; readonly reason: string | null }[]
}

async function deliveries(): Promise<readonly DeliveryJson[]> {
  const { json } = await must(service.api, `GET /api/v1/channels/${channelId}/deliveries`, shop.viewer)
  return json['deliveries'] as readonly DeliveryJson[]
}

it('a rule that fires reaches the receiver, signed, and so does its resolution', async () => {
  const { api } = service
  const groupId = textOf(await must(api, 'POST /api/v1/alerts/groups', shop.member, { name: 'fast', interval: '10s' }), 'id')
  const rule = { alert: 'AlwaysDown', expr: 'vector(1)', labels: { team: 'shop' }, group_id: groupId }
  ruleId = textOf(await must(api, 'POST /api/v1/alerts/rules', shop.member, rule), 'id')
  clock.aheadMs += 20 * SECOND_MS
  const first = verified(await receiver.request(0))
  expect(first).toMatchObject({ type: 'alert.firing', data: { namespace: shop.namespaceName, truncatedAlerts: 0 } })
  expect(first.data.alerts).toEqual([expect.objectContaining({ status: 'firing' })])
  const page = `https://alidade.example/n/${shop.namespaceName}`
  expect(first.data.alerts[0]).toMatchObject({
    labels: { alertname: 'AlwaysDown', team: 'shop' },
    generatorURL: `${page}/alerts/${ruleId}`,
    evidence: [{ kind: 'metrics', url: expect.stringContaining(`${page}/metrics?e=vector%281%29&from=`) }]
  })
  await must(api, `PUT /api/v1/alerts/rules/${ruleId}/enabled`, shop.member, { enabled: false })
  clock.aheadMs += 20 * SECOND_MS
  const second = verified(await receiver.request(1))
  expect(second).toMatchObject({ type: 'alert.resolved', data: { alerts: [{ status: 'resolved' }] } })
  expect(receiver.received[0]!.path).toBe('/hook?token=t0ken')
}, 120_000)

it('a member tests a channel and reads what came of it, a viewer reads it', async () => {
  const before = receiver.received.length
  receiver.plan(503)
  const made = await must(service.api, `POST /api/v1/channels/${channelId}/test`, shop.member, {})
  const hook = await receiver.request(before)
  expect(verified(hook)).toMatchObject({ type: 'webhook.test', data: { receiver: 'ops' } })
  expect(hook.headers['webhook-id']).toBe(textOf(made, 'delivery', 'id'))
  const viewer = { authorization: `Bearer ${shop.viewer}` }
  const refused = await service.api(`/api/v1/channels/${channelId}/test`, { method: 'POST', headers: viewer, json: {} })
  expect([refused.status, refused.json['code']]).toEqual([403, 'role_required'])
  const known = await deliveries()
  expect(known.map(({ type }) => type)).toEqual(['webhook.test', 'alert.resolved', 'alert.firing'])
})

it('admins alone make channels and see targets; no one reads a secret', async () => {
  const of = async (token: string): Promise<string> =>
    JSON.stringify((await must(service.api, 'GET /api/v1/channels', token)).json)
  const seen = { admin: await of(shop.admin), member: await of(shop.member), viewer: await of(shop.viewer) }
  expect(seen.admin).toContain('token=t0ken')
  expect([seen.member, seen.viewer].map(text => text.includes('t0ken'))).toEqual([false, false])
  expect(Object.values(seen).filter(text => text.includes(secret) || text.includes('whsec_'))).toEqual([])
  const json = { name: 'mine', kind: 'webhook', target: 'https://receiver.invalid/' }
  const headers = { authorization: `Bearer ${shop.member}` }
  expect((await service.api('/api/v1/channels', { method: 'POST', headers, json })).json['code']).toBe('role_required')
})

it.each([
  ['https://10.0.0.1/', 'invalid_field'],
  ['https://[::ffff:127.0.0.1]/', 'invalid_field'],
  ['http://8.8.8.8/', 'invalid_field'],
  ['https://user:secret@example.com/', 'invalid_field']
])('the target %s is refused', async (target, code) => {
  const headers = { authorization: `Bearer ${shop.admin}` }
  const json = { name: 'inside', kind: 'webhook', target }
  const response = await service.api('/api/v1/channels', { method: 'POST', headers, json })
  expect([response.status, response.json['code']]).toEqual([400, code])
  expect(response.text).not.toContain('secret@')
})

it('a channel of kind email sends through the mail server of the operator, and its address is shown to admins', async () => {
  const channel = { name: 'mail', kind: 'email', target: 'ops@example.com' }
  const made = await must(service.api, 'POST /api/v1/channels', shop.admin, channel)
  expect(made.json).toMatchObject({ channel: { kind: 'email', target: 'ops@example.com' }, secret: null })
  const seen = await must(service.api, `GET /api/v1/channels/${textOf(made, 'channel', 'id')}`, shop.viewer)
  expect(seen.json).toMatchObject({ channel: { target: '…@example.com' } })
  const tested = await must(service.api, `POST /api/v1/channels/${textOf(made, 'channel', 'id')}/test`, shop.member, {})
  const { to, source } = await mails.mail(0)
  expect(to).toEqual(['ops@example.com'])
  expect(source).toContain(`Message-ID: <${textOf(tested, 'delivery', 'id')}@alidade.example>`)
  const headers = { authorization: `Bearer ${shop.admin}` }
  const refused = await service.api('/api/v1/channels', {
    ...{ method: 'POST', headers, json: { ...channel, name: 'other', target: 'https://example.com/' } }
  })
  expect([refused.status, refused.json['code']]).toEqual([400, 'invalid_field'])
  await must(service.api, `DELETE /api/v1/channels/${textOf(made, 'channel', 'id')}`, shop.admin)
})

it('what the routing uses can neither be removed nor renamed', async () => {
  const headers = { authorization: `Bearer ${shop.admin}` }
  const removal = await service.api(`/api/v1/channels/${channelId}`, { method: 'DELETE', headers })
  expect([removal.status, removal.json['code']]).toEqual([409, 'conflict'])
  const renaming = { method: 'PUT', headers, json: { name: 'other', kind: 'webhook' } }
  expect((await service.api(`/api/v1/channels/${channelId}`, renaming)).status).toBe(409)
  const stale = { version: 0, document: {} }
  const routing = await service.api('/api/v1/routing', { method: 'PUT', headers, json: stale })
  expect([routing.status, routing.json['version']]).toEqual([409, 1])
  const unknown = { version: 1, document: { route: { channels: ['nowhere'] } } }
  const refused = await service.api('/api/v1/routing', { method: 'PUT', headers, json: unknown })
  expect(refused.json['detail']).toBe('document refers to the channel "nowhere", which does not exist')
})

it('GraphQL has channels with their deliveries, and silences with what they hide', async () => {
  const query = `{ notificationChannels { name target deliveries(first: 2) { nodes { type state attempts { status reason } } pageInfo { hasNextPage } } }
    silencePreview(matchers: ["alertname=\\"AlwaysDown\\""]) { state } alertRouting { version document warnings } }`
  const data = await queryGraphql(service.url, query, {}, { authorization: `Bearer ${shop.viewer}` })
  expect(data).toMatchObject({
    notificationChannels: [
      {
        name: 'ops',
        target: `${receiver.url}/…`,
        deliveries: {
          nodes: [{ type: 'webhook.test' }, { type: 'alert.resolved', state: 'delivered' }],
          pageInfo: { hasNextPage: true }
        }
      }
    ],
    alertRouting: { version: 1, warnings: [] }
  })
})
