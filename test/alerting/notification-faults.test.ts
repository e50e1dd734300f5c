import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ListedDelivery } from '../../src/domain/alerts/delivery.js'
import type { ControlPorts, ControlStore } from '../../src/ports/control-store.js'
import { type NotifiedNamespace, openNotifiedNamespace } from '../support/notified-namespace.js'
import { openWebhookReceiver, type ReceivedHook, type WebhookReceiver } from '../support/webhook-receiver.js'

const DAY_MS = 86_400_000
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

/** A store whose transactions fail when `isFailing` returns true after their work, before they commit. */
function failingStore(store: ControlStore, isFailing: () => boolean): ControlStore {
  const transaction = <T>(work: (ports: ControlPorts) => Promise<T>): Promise<T> =>
    store.transaction(async ports => {
      const result = await work(ports)
      if (isFailing()) throw new Error('killed')
      return result
    })
  return Object.assign(Object.create(store) as ControlStore, { transaction })
}

describe('a failure', () => {
  it('before a step commits loses and doubles nothing', async () => {
    let failures = 0
    const { id } = await opened({ storeOf: store => failingStore(store, () => failures-- > 0) })
    await shop.transition('Down', 'firing')
    failures = 2
    await shop.follow()
    await shop.follow()
    expect([receiver.received.length, await deliveries(id)]).toEqual([0, []])
    failures = 0
    await shop.follow()
    await shop.pass(60_000)
    expect(reported()).toEqual(['+Down'])
    expect(shop.failures).toHaveLength(2)
  })

  it('after a request was sent sends it again with the same id and body', async () => {
    let isFailing = (): boolean => false
    const { id } = await opened({ storeOf: store => failingStore(store, () => isFailing()) })
    await shop.transition('Down', 'firing')
    // The step commits, the outcome of the attempt does not.
    isFailing = () => receiver.received.length === 1
    await shop.follow()
    expect((await deliveries(id))[0]).toMatchObject({ state: 'waiting', tries: 0 })
    await shop.pass(5_000)
    const [first, second] = receiver.received
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)
    expect((await deliveries(id))[0]!.state).toBe('delivered')
    await shop.pass(60_000)
    expect(receiver.received).toHaveLength(2)
  })

  it('of a gateway leaves its lease to another one, and its own writes are refused', async () => {
    const { id } = await opened()
    await shop.transition('Down', 'firing')
    const [lease] = shop.held
    await shop.store.alertLeases.release(lease!)
    const [taken] = await shop.store.alertLeases.acquire([lease!.shard], 'other', 60_000)
    await shop.follow()
    expect([receiver.received.length, await deliveries(id)]).toEqual([0, []])
    shop.held[0] = taken!
    await shop.follow()
    expect(reported()).toEqual(['+Down'])
  })

  it('of a gateway leaves what is due to the one that took its lease', async () => {
    const { id } = await opened()
    receiver.plan(503)
    await shop.transition('Down', 'firing')
    await shop.follow()
    const [lease] = shop.held
    await shop.store.alertLeases.release(lease!)
    const [taken] = await shop.store.alertLeases.acquire([lease!.shard], 'other', 3_600_000)
    await shop.pass(60_000)
    expect([receiver.received.length, (await deliveries(id))[0]!.tries]).toEqual([1, 1])
    shop.held[0] = taken!
    await shop.pass(60_000)
    expect([receiver.received.length, (await deliveries(id))[0]!.state]).toEqual([2, 'delivered'])
  })
})

describe('a secret', () => {
  it('signs with its predecessor for 24 hours after a rotation', async () => {
    const { id, secret } = await opened()
    const rotated = await shop.notifications.useCases.channels.rotate(shop.admin, shop.namespace, id)
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await shop.transition('A', 'firing')
    await shop.follow()
    await shop.pass(DAY_MS)
    await shop.transition('B', 'firing')
    await shop.follow()
    const [first] = receiver.received
    const last = receiver.received.at(-1)!
    expect([isSigned(first!, secret), isSigned(first!, rotated.secret!)]).toEqual([true, true])
    expect([isSigned(last, secret), isSigned(last, rotated.secret!)]).toEqual([false, true])
  })

  it('is sealed in the database with the URL, and sealed again by another key', async () => {
    const keys = { current: 'first secrets key of 32 characters', previous: null }
    const { id, secret } = await opened({ secretKeys: keys })
    const stored = await shop.store.notificationChannels.byId(shop.namespace.id, id)
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect(JSON.stringify(stored)).not.toContain('/hook')
    expect([stored!.secret, stored!.url].every(value => value.startsWith('sealed:v1:'))).toBe(true)
    const listed = await shop.notifications.useCases.channels.list(shop.admin, shop.namespace)
    expect(JSON.stringify(listed)).not.toContain(secret)
  })
})
