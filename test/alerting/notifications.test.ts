import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import type { ListedDelivery } from '../../src/domain/alerts/delivery.js'
import { type NotifiedNamespace, openNotifiedNamespace } from '../support/notified-namespace.js'
import { openWebhookReceiver, type ReceivedHook, type WebhookReceiver } from '../support/webhook-receiver.js'

let receiver: WebhookReceiver
let shop: NotifiedNamespace

beforeEach(async () => {
  receiver = await openWebhookReceiver()
})
afterEach(async () => {
  await shop.close()
  await receiver.close()
})

/** Signatures of a request that a secret makes, as a receiver checks them. */
function isSigned({ headers, body }: ReceivedHook, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return headers['webhook-signature']!.split(' ').includes(expected)
}

async function deliveries(channelId: string): Promise<readonly ListedDelivery[]> {
  return shop.store.deliveries.list(shop.namespace.id, { channelId, limit: 100 })
}

/** What each request reports: `+` before names of active alerts, `-` before resolved ones. */
function reported(): readonly string[] {
  return receiver.received.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: { alerts: { status: string; labels: { alertname: string } }[] } }
    return data.alerts.map(({ status, labels }) => `${status === 'firing' ? '+' : '-'}${labels.alertname}`).join(' ')
  })
}

async function opened(options?: Parameters<typeof openNotifiedNamespace>[0]): Promise<{ id: string; secret: string }> {
  shop = await openNotifiedNamespace(options)
  const { channel, secret } = await shop.webhook('ops', `${receiver.url}/hook`)
  await shop.route('ops')
  return { id: channel.id, secret: secret! }
}

describe('an alert', () => {
  it('reaches its receiver once, signed over the bytes that were sent', async () => {
    const { id, secret } = await opened()
    await shop.transition('Down', 'firing')
    await shop.follow()
    await shop.pass(60_000)
    expect(reported()).toEqual(['+Down'])
    const hook = receiver.received[0]!
    expect(hook.path).toBe('/hook')
    expect(hook.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Alidade/test' })
    expect(isSigned(hook, secret)).toBe(true)
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: 'delivered', tries: 1, type: 'alert.firing' })
    expect((await shop.store.deliveries.byId(shop.namespace.id, delivery!.id))!.body).toBe(hook.body)
    expect(hook.headers['webhook-id']).toBe(delivery!.id)
    expect(JSON.parse(hook.body)).toMatchObject({
      type: 'alert.firing',
      data: { namespace: shop.namespace.name, receiver: 'ops', groupKey: '{}:{alertname="Down"}' }
    })
  })

  it('is verified by the library of Standard Webhooks', async () => {
    const { secret } = await opened()
    // The library compares the timestamp with the clock of the system.
    shop.time.pass(Date.now() - shop.time.nowMs())
    await shop.transition('Down', 'firing')
    await shop.follow()
    const { body, headers } = receiver.received[0]!
    expect(new Webhook(secret).verify(body, headers as never)).toMatchObject({ type: 'alert.firing' })
    expect(() => new Webhook(secret).verify(`${body} `, headers as never)).toThrow('signature')
  })

  it('that fired and resolved while nothing looked is one message', async () => {
    await opened()
    await shop.transition('Down', 'firing')
    await shop.transition('Down', 'resolved')
    await shop.follow()
    await shop.pass(60_000)
    expect(reported()).toEqual(['-Down'])
  })

  it('is resolved once', async () => {
    await opened()
    await shop.transition('Down', 'firing')
    await shop.follow()
    await shop.transition('Down', 'resolved')
    await shop.pass(10_000)
    await shop.pass(60_000)
    expect(reported()).toEqual(['+Down', '-Down'])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })
})

describe('a delivery that fails', () => {
  it.each([
    [500, 500, 'status 500'],
    [302, 302, 'status 302: redirects are not followed'],
    ['close', null, 'connection closed before a response']
  ] as const)('with %s is repeated with the same id and body', async (planned, status, reason) => {
    const { id, secret } = await opened()
    receiver.plan(planned)
    await shop.transition('Down', 'firing')
    await shop.follow()
    const [waiting] = await deliveries(id)
    expect(waiting).toMatchObject({ state: 'waiting', tries: 1, attempts: [{ status, reason }] })
    const inMs = waiting!.nextAttemptMs! - shop.time.nowMs()
    expect(inMs).toBeGreaterThanOrEqual(5_000)
    expect(inMs).toBeLessThanOrEqual(5_500)
    await shop.pass(inMs - 1)
    expect(receiver.received).toHaveLength(1)
    await shop.pass(1)
    const [first, second] = receiver.received
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)
    expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(Number(first!.headers['webhook-timestamp']))
    expect([first!, second!].map(hook => isSigned(hook, secret))).toEqual([true, true])
    expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered', tries: 2, attempts: [{ reason }, { reason: null }] })
  })

  it('for want of a response is repeated after its time limit', async () => {
    const { id } = await opened()
    receiver.plan('hang')
    await shop.transition('Down', 'firing')
    shop.notifications.wake()
    await receiver.request(0)
    await shop.pass(15_000)
    expect((await deliveries(id))[0]!.attempts).toEqual([
      expect.objectContaining({ status: null, reason: 'no response within 15s', tookMs: 15_000 })
    ])
    await shop.pass(6_000)
    expect(receiver.received).toHaveLength(2)
    expect((await deliveries(id))[0]!.state).toBe('delivered')
  })

  it('waits as long as the receiver requests', async () => {
    const { id } = await opened()
    receiver.plan({ status: 429, headers: { 'retry-after': '120' } })
    await shop.transition('Down', 'firing')
    await shop.follow()
    expect((await deliveries(id))[0]!.nextAttemptMs).toBe(shop.time.nowMs() + 120_000)
  })

  it('for 24 hours is given up, and a member can start it again', async () => {
    const { id } = await opened()
    await shop.transition('Down', 'firing')
    await shop.follow()
    receiver.plan(...Array<number>(60).fill(500))
    await shop.transition('Down', 'resolved')
    await shop.pass(10_000)
    for (let hours = 0; hours < 26; hours++) await shop.pass(4_000_000)
    const [last] = await deliveries(id)
    expect(last!.state).toBe('failed')
    expect(last!.attempts.length).toBeGreaterThan(15)
    const count = receiver.received.length
    receiver.plan()
    const retried = await shop.notifications.useCases.deliveries.retry(shop.admin, shop.namespace, last!.id)
    expect(retried).toMatchObject({ state: 'waiting', tries: 0 })
    await shop.notifications.settled()
    expect(receiver.received).toHaveLength(count + 1)
  })

  it('is replaced by the newer state of its group, which has all that it reported', async () => {
    const { id } = await opened()
    receiver.plan(500, 500)
    await shop.transition('Down', 'firing', { alertname: 'Down', host: 'a' })
    await shop.follow()
    await shop.transition('Up', 'firing', { alertname: 'Down', host: 'b' })
    await shop.pass(10_000)
    const states = async (): Promise<readonly string[]> => (await deliveries(id)).map(({ state }) => state)
    expect(await states()).toEqual(['waiting', 'replaced'])
    await shop.transition('Down', 'resolved', { alertname: 'Down', host: 'a' })
    await shop.pass(10_000)
    expect(await states()).toEqual(['delivered', 'replaced', 'replaced'])
    expect(reported().at(-1)).toBe('+Down -Down')
  })

  it('that was given up is not started again behind a newer message of its group', async () => {
    const { id } = await opened()
    const namespace = shop.namespace
    const { deliveries: service } = shop.notifications.useCases
    receiver.plan(500)
    await shop.transition('Down', 'firing')
    await shop.follow()
    const [first] = await deliveries(id)
    const givenUp = { state: 'failed', attempts: first!.attempts, tries: 1, nextAttemptMs: null } as const
    await shop.store.deliveries.record(namespace.id, first!.id, givenUp)
    await shop.transition('Down', 'resolved')
    await shop.pass(10_000)
    expect(reported()).toEqual(['+Down', '-Down'])
    const refused = service.retry(shop.admin, namespace, first!.id)
    await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    await expect(refused).rejects.toThrow('a newer message of the same group exists')
    await shop.pass(60_000)
    expect(receiver.received).toHaveLength(2)
  })

  it('with status 410 disables its channel', async () => {
    const { id } = await opened()
    receiver.plan(410)
    await shop.transition('Down', 'firing')
    await shop.follow()
    expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', attempts: [{ status: 410 }] })
    const channel = await shop.notifications.useCases.channels.get(shop.admin, shop.namespace, id)
    expect(channel).toMatchObject({ isEnabled: true, disabledReason: 'status 410: the receiver is gone' })
    await shop.transition('Other', 'firing')
    await shop.pass(60_000)
    expect(receiver.received).toHaveLength(1)
    // Saving it enabled is what enables it again.
    await shop.notifications.useCases.channels.save(shop.admin, shop.namespace, { name: 'ops', kind: 'webhook' }, id)
    await shop.pass(60_000)
    expect(reported().slice(1).sort()).toEqual(['+Down', '+Other'])
  })

  it('for three days disables its channel', async () => {
    const { id } = await opened()
    receiver.plan(...Array<number>(200).fill(500))
    await shop.transition('Down', 'firing')
    await shop.follow()
    for (let hours = 0; hours < 80; hours++) await shop.pass(3_600_000)
    const channel = await shop.notifications.useCases.channels.get(shop.admin, shop.namespace, id)
    expect(channel.disabledReason).toBe('no attempt succeeded in 3 days; the last one failed with: status 500')
    expect((await deliveries(id)).every(({ state }) => state !== 'waiting')).toBe(true)
  })

  it('delays no other channel', async () => {
    await opened()
    const slow = await openWebhookReceiver()
    try {
      slow.plan(...Array<'hang'>(20).fill('hang'))
      await shop.webhook('slow', slow.url)
      await shop.route('slow', 'ops')
      for (let i = 0; i < 10; i++) await shop.transition(`A${i}`, 'firing')
      shop.notifications.wake()
      await Promise.all([receiver.request(9), slow.request(3)])
      expect(receiver.received).toHaveLength(10)
      // Four at once, and no more.
      expect(slow.received).toHaveLength(4)
    } finally {
      await slow.close()
      await shop.notifications.settled()
    }
  })
})
