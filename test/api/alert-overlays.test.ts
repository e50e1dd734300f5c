import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Changes } from '../support/changes.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { queryGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant, textOf } from '../support/tenants.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

const clock = new ClockAhead()
const news = new Changes()
let receiver: WebhookReceiver
let service: RunningService
let shop: Tenant

beforeAll(async () => {
  receiver = await openWebhookReceiver()
  service = await startService({
    flags: [...BUSY_FLAGS, '--webhook-allow', '127.0.0.1'],
    app: { clock, onAlertEvents: news.notify }
  })
  shop = await createTenant(service, 'zqshop')
}, 240_000)
afterAll(async () => {
  await service?.close()
  await receiver?.close()
})

/** Overlays by the name of the rule. */
async function overlays(): Promise<Readonly<Record<string, readonly string[]>>> {
  const query = '{ alertRules { alert instances { overlays } } }'
  const { alertRules } = await queryGraphql<{
    readonly alertRules: readonly {
      readonly alert: string
      readonly instances: readonly { readonly overlays: readonly string[] }[]
    }[]
  }>(service.url, query, {}, { authorization: `Bearer ${shop.viewer}` })
  return Object.fromEntries(alertRules.map(({ alert, instances }) => [alert, instances.flatMap(each => each.overlays)]))
}

/** Lets time pass, and resolves when so many rules fire. */
async function untilFiring(count: number): Promise<void> {
  clock.aheadMs += 20_000
  await news.until(async () => {
    const { json } = await must(service.api, 'GET /api/v1/alerts/rules?state=firing', shop.viewer)
    return (json['rules'] as readonly unknown[]).length >= count
  })
}

/** The group of the message about an alert, once it has arrived. */
async function groupKeyOf(alertName: string): Promise<string> {
  for (let index = 0; ; index++) {
    const { data } = JSON.parse((await receiver.request(index)).body) as {
      readonly data: { readonly groupKey: string; readonly groupLabels: { readonly alertname: string } }
    }
    if (data.groupLabels.alertname === alertName) return data.groupKey
  }
}

it('alerts show what hides their notifications', async () => {
  const { api } = service
  const send = (request: string, json?: object) => must(api, request, shop.member, json)
  await must(api, 'POST /api/v1/channels', shop.admin, { name: 'ops', kind: 'webhook', target: receiver.url })
  await send('PUT /api/v1/mute-times/always', { intervals: [{}] })
  const document = {
    route: {
      ...{ channels: ['ops'], group_wait: '0s', group_by: ['alertname'] },
      routes: [{ matchers: ['alertname="Muted"'], mute_times: ['always'] }]
    },
    inhibit: [{ source: ['alertname="Free"'], target: ['alertname="Inhibited"'] }]
  }
  await send('PUT /api/v1/routing', { version: 0, document })
  const endsAt = new Date(clock.nowMs() + 3_600_000).toISOString()
  await send('POST /api/v1/silences', { matchers: ['alertname="Silenced"'], ends_at: endsAt, comment: 'test' })
  const groupId = textOf(await send('POST /api/v1/alerts/groups', { name: 'fast', interval: '10s' }), 'id')
  const names = ['Free', 'Inhibited', 'Muted', 'Silenced']
  for (const alert of names) await send('POST /api/v1/alerts/rules', { alert, expr: 'vector(1)', group_id: groupId })
  await untilFiring(names.length)
  expect(await overlays()).toEqual({ Free: [], Inhibited: ['INHIBITED'], Muted: ['MUTED'], Silenced: ['SILENCED'] })
  await send('POST /api/v1/alerts/ack', { group_key: await groupKeyOf('Free') })
  expect(await overlays()).toMatchObject({ Free: ['ACKED'] })
  const { rules } = (await must(api, 'GET /api/v1/alerts/rules', shop.viewer)).json as {
    readonly rules: readonly { readonly id: string }[]
  }
  for (const { id } of rules) await send(`PUT /api/v1/alerts/rules/${id}/enabled`, { enabled: false })
  expect(Object.values(await overlays()).flat()).toEqual([])
}, 120_000)
