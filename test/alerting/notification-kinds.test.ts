import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type NotifiedNamespace, openNotifiedNamespace } from '../support/notified-namespace.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

const MINUTE_MS = 60_000
let receiver: WebhookReceiver
let shop: NotifiedNamespace

beforeEach(async () => {
  receiver = await openWebhookReceiver()
  shop = await openNotifiedNamespace()
})
afterEach(async () => {
  await shop.close()
  await receiver.close()
})

const use = () => shop.notifications.useCases

describe('an Alertmanager', () => {
  it('gets alerts at its API every minute while they fire, then their end', async () => {
    const target = `${receiver.url}/prefix/`
    await use().channels.save(shop.admin, shop.namespace, { name: 'am', kind: 'alertmanager', target })
    await shop.route('am')
    await shop.transition('Down', 'firing')
    await shop.follow()
    for (let i = 0; i < 7; i++) await shop.pass(10_000)
    const nowMs = shop.time.nowMs()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/prefix/api/v2/alerts', '/prefix/api/v2/alerts'])
    const [first, second] = receiver.received.map(({ body }) => (JSON.parse(body) as { endsAt: string; labels: object }[])[0]!)
    expect(first!.labels).toEqual({ alertname: 'Down' })
    expect(Date.parse(second!.endsAt) - Date.parse(first!.endsAt)).toBe(MINUTE_MS)
    expect(Date.parse(second!.endsAt)).toBeGreaterThan(nowMs + 3 * MINUTE_MS)
    await shop.transition('Down', 'resolved')
    await shop.pass(MINUTE_MS)
    const ended = (JSON.parse(receiver.received[2]!.body) as { endsAt: string }[])[0]!
    expect(Date.parse(ended.endsAt)).toBe(nowMs)
    await shop.pass(5 * MINUTE_MS)
    expect(receiver.received).toHaveLength(3)
  })
})

describe('Slack', () => {
  it('gets text and blocks without signatures, and its URL is shown to no one', async () => {
    const target = `${receiver.url}/services/T0/B0/s3cret`
    const { channel, secret } = await use().channels.save(shop.admin, shop.namespace, { name: 'chat', kind: 'slack', target })
    expect([channel.target, secret]).toEqual([`${receiver.url}/…`, null])
    await shop.route('chat')
    await shop.transition('Down', 'firing')
    await shop.follow()
    const [hook] = receiver.received
    expect(JSON.parse(hook!.body)).toMatchObject({ text: expect.stringContaining('[FIRING:1] {alertname=Down}') })
    expect(Object.keys(hook!.headers).filter(name => name.startsWith('webhook-'))).toEqual([])
    await expect(use().channels.rotate(shop.admin, shop.namespace, channel.id)).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a channel', () => {
  it('takes the types of messages that it names', async () => {
    const input = { name: 'ops', kind: 'webhook', target: receiver.url, events: ['alert.resolved'] }
    await use().channels.save(shop.admin, shop.namespace, input)
    await shop.route('ops')
    await shop.transition('Down', 'firing')
    await shop.follow()
    await shop.transition('Down', 'resolved')
    await shop.pass(10_000)
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(['alert.resolved'])
  })

  it.each([
    [{ kind: 'email' }, 'kind'],
    [{ kind: 'pager' }, 'kind'],
    [{ format: 'xml' }, 'format'],
    [{ signature: 'v2' }, 'signature'],
    [{ kind: 'slack', format: 'alertmanager' }, 'format'],
    [{ kind: 'alertmanager', signature: 'v1a' }, 'signature'],
    [{ events: ['alert.firing', 'alert.fired'] }, 'events.1'],
    [{ name: ' ' }, 'name'],
    [{ target: 'https://10.0.0.1/' }, 'target'],
    [{ target: undefined }, 'target']
  ])('with %j is refused at %s', async (changes, field) => {
    const input = { name: 'ops', kind: 'webhook', target: receiver.url, ...changes }
    await expect(use().channels.save(shop.admin, shop.namespace, input)).rejects.toMatchObject({ field })
  })

  it('keeps its kind, its target and its secret when it is saved again, and gets a new secret with another signature', async () => {
    const { channel, secret } = await shop.webhook('ops', `${receiver.url}/hook`)
    const save = (changes: object) =>
      use().channels.save(shop.admin, shop.namespace, { name: 'ops', kind: 'webhook', ...changes }, channel.id)
    expect(await save({})).toMatchObject({ channel: { target: `${receiver.url}/hook` }, secret: null })
    await expect(save({ kind: 'slack' })).rejects.toMatchObject({ field: 'kind' })
    const signed = await save({ signature: 'v1a' })
    expect(signed.secret).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect(signed.secret).not.toBe(secret)
  })
})

describe('an acknowledgement', () => {
  it('stops repetitions until the group changes', async () => {
    await shop.webhook('ops', receiver.url)
    await shop.route('ops')
    const ack = (): Promise<boolean> => use().alertAcks.ack(shop.admin, shop.namespace, '{}:{alertname="Down"}')
    expect(await ack()).toBe(false)
    await shop.transition('Down', 'firing')
    await shop.follow()
    expect(await ack()).toBe(true)
    await shop.pass(5 * 60 * MINUTE_MS)
    expect(receiver.received).toHaveLength(1)
    await shop.transition('other', 'firing', { alertname: 'Down', host: 'b' })
    await shop.pass(10_000)
    expect(receiver.received).toHaveLength(2)
    await shop.pass(5 * 60 * MINUTE_MS)
    expect(receiver.received).toHaveLength(3)
  })
})

describe('a silence', () => {
  it('hides alerts until it is expired, and its preview names them', async () => {
    await shop.webhook('ops', receiver.url)
    await shop.route('ops')
    const matchers = ['alertname="Down"']
    const endsAtMs = shop.time.nowMs() + 60 * MINUTE_MS
    const silence = await use().silences.create(shop.admin, shop.namespace, { matchers, endsAtMs, comment: 'deploy' })
    await shop.transition('Down', 'firing')
    await shop.pass(MINUTE_MS)
    expect(receiver.received).toEqual([])
    expect(await use().silences.list(shop.namespace, true)).toEqual([silence])
    await use().silences.expire(shop.admin, shop.namespace, silence.id)
    expect(await use().silences.list(shop.namespace, true)).toEqual([])
    expect(await use().silences.list(shop.namespace, false)).toMatchObject([{ id: silence.id, endsAtMs: shop.time.nowMs() }])
    await shop.pass(MINUTE_MS)
    expect(receiver.received).toHaveLength(1)
  })
})
