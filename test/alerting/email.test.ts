import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { emailTestBody } from '../../src/alerting/notify/message/email-body.js'
import { type Mail, MailClient, type MailSettings, MAILS_AT_ONCE } from '../../src/alerting/notify/target/mail-client.js'
import type { PostResult } from '../../src/alerting/notify/target/target-client.js'
import type { ListedDelivery } from '../../src/domain/alerts/delivery.js'
import { type MailServer, openMailServer } from '../support/mail-server.js'
import { type NotifiedNamespace, openNotifiedNamespace } from '../support/notified-namespace.js'

const MINUTE_MS = 60_000
const NEVER = new AbortController().signal
const TO = 'ops@example.com'
let server: MailServer
let shop: NotifiedNamespace
let channelId: string

const mailOf = (user: MailSettings['user']): MailSettings => {
  return { host: '127.0.0.1', port: server.port, isTls: false, user, from: 'alerts@alidade.example' }
}

async function open(user: MailSettings['user'] = null): Promise<void> {
  shop = await openNotifiedNamespace({ mail: mailOf(user) })
  const { channel } = await shop.notifications.useCases.channels.save(shop.admin, shop.namespace, {
    ...{ name: 'mail', kind: 'email', target: TO }
  })
  channelId = channel.id
  await shop.route('mail')
}

beforeEach(async () => {
  server = await openMailServer()
  await open()
})
afterEach(async () => {
  await shop.close()
  await server.close()
})

function deliveryOf(id: string): Mail['delivery'] {
  const { id: namespaceId } = shop.namespace
  return { id, namespaceId, channelId, groupKey: null, createdAtMs: 0, body: emailTestBody('mail', 'shop') }
}

function headerOf(source: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)$`, 'mi').exec(source)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ')
}

async function deliveries(): Promise<readonly ListedDelivery[]> {
  return (await shop.notifications.useCases.deliveries.list(shop.namespace, channelId, { first: 50 })).deliveries
}

describe('a channel of kind email', () => {
  it('gets one message for each flush, whose id is that of the delivery, in a thread of the group', async () => {
    await shop.transition('Down', 'firing', { host: 'web-1' })
    await shop.follow()
    await shop.transition('Down', 'resolved', { host: 'web-1' })
    await shop.pass(10_000)
    const [fired, resolved] = server.received
    expect([fired!.from, fired!.to]).toEqual(['alerts@alidade.example', [TO]])
    expect(headerOf(fired!.source, 'subject')).toContain('[FIRING:1]')
    expect(headerOf(resolved!.source, 'subject')).toContain('[RESOLVED:1]')
    const ids = (await deliveries()).map(({ id, state }) => [`<${id}@alidade.example>`, state])
    expect(ids).toEqual([resolved, fired].map(mail => [headerOf(mail!.source, 'message-id'), 'delivered']))
    const threads = [fired, resolved].map(mail => headerOf(mail!.source, 'references'))
    expect(threads[0]).toMatch(/^<[0-9a-f]{32}@alidade.example>$/)
    expect(threads[1]).toBe(threads[0])
    expect(fired!.source).toContain('text/plain')
    expect(fired!.source).toContain('text/html')
  })

  it('is retried with the same message after a temporary refusal, and given up after a permanent one', async () => {
    server.plan({ at: 'recipient', status: 450 }, { at: 'message', status: 451 }, { at: 'recipient', status: 421 })
    await shop.transition('Down', 'firing')
    await shop.follow()
    for (let i = 0; i < 6; i++) await shop.pass(MINUTE_MS)
    const [delivery] = await deliveries()
    expect(delivery!.state).toBe('delivered')
    expect(delivery!.attempts.map(({ status }) => status)).toEqual([450, 451, 421, 250])
    expect(server.sources).toEqual([server.received[0]!.source, server.received[0]!.source])
    expect(headerOf(server.received[0]!.source, 'date')).toBe(
      new Date(delivery!.createdAtMs).toUTCString().replace('GMT', '+0000')
    )
    server.plan({ at: 'recipient', status: 550 })
    await shop.transition('Gone', 'firing')
    await shop.pass(10 * MINUTE_MS)
    const [refused] = await deliveries()
    expect(refused).toMatchObject({
      state: 'failed',
      attempts: [{ status: 550, reason: 'status 550: the mail server refused the recipient' }]
    })
    expect(server.received).toHaveLength(1)
  })

  it('does not repeat the password or the replies of the server, and waits for the operator to change them', async () => {
    await shop.close()
    await server.close()
    server = await openMailServer({ password: 'right' })
    await open({ name: 'alerts', password: 'wr0ng' })
    await shop.transition('Down', 'firing')
    await shop.follow()
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({
      state: 'waiting',
      attempts: [{ status: 535, reason: 'status 535: the mail server refused the sign-in' }]
    })
    expect(JSON.stringify(delivery)).not.toMatch(/wr0ng|s3cret/)
  })

  it('sends no password without TLS to another machine', async () => {
    const other = await openMailServer({ password: 'right', host: '127.0.0.2' })
    const settings = { ...mailOf({ name: 'alerts', password: 'right' }), host: '127.0.0.2', port: other.port }
    const mail = new MailClient({ settings, clock: shop.time, timers: shop.time })
    const { reason } = await mail.send({ to: TO, delivery: deliveryOf('m'), signal: NEVER })
    expect(reason).toContain('the mail server refused STARTTLS')
    expect([other.passwords, other.received]).toEqual([[], []])
    await other.close()
  })

  it('ends an attempt when the service stops, and after 15 s', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const settings = { ...mailOf(null), port: (silent.address() as AddressInfo).port }
    const mail = new MailClient({ settings, clock: shop.time, timers: shop.time })
    const stop = new AbortController()
    const stopped = mail.send({ to: TO, delivery: deliveryOf('a'), signal: stop.signal })
    stop.abort()
    expect(await stopped).toMatchObject({ status: null })
    const late = mail.send({ to: TO, delivery: deliveryOf('b'), signal: NEVER })
    await once(silent, 'connection')
    shop.time.pass(15_000)
    expect(await late).toMatchObject({ status: null, reason: 'mail server: no response within 15s' })
    silent.close()
  })

  it('signs in where the operator has a user', async () => {
    await shop.close()
    await server.close()
    server = await openMailServer({ password: 'right' })
    await open({ name: 'alerts', password: 'right' })
    await shop.transition('Down', 'firing')
    await shop.follow()
    expect(server.received).toMatchObject([{ user: 'alerts' }])
  })

  it('cannot add headers or recipients by labels, names and addresses', async () => {
    const hostile = 'a\r\nBcc: victim@example.com\r\n\r\nbody <script>'
    await shop.transition('Down', 'firing', { host: hostile })
    await shop.follow()
    const [{ source, to }] = server.received as [(typeof server.received)[0]]
    const [head] = source.split('\r\n\r\n')
    expect([to, headerOf(head!, 'bcc'), headerOf(head!, 'to')]).toEqual([[TO], undefined, TO])
    expect(source).not.toMatch(/^Bcc/m)
    expect(source.split('text/html')[1]).not.toContain('<script>')
    const { channels } = shop.notifications.useCases
    for (const target of [
      `${TO}\r\nBcc: x@example.com`,
      `${TO}, x@example.com`,
      'ops@localhost',
      'ops@[10.0.0.1]',
      'Ops <ops@example.com>'
    ])
      await expect(channels.save(shop.admin, shop.namespace, { name: 'other', kind: 'email', target })).rejects.toMatchObject({
        code: 'invalid_field',
        field: 'target'
      })
  })

  it('has a bounded number of messages of a namespace', async () => {
    const { time } = shop
    const mail = new MailClient({ settings: mailOf(null), clock: time, timers: time })
    const send = (id: string): Promise<PostResult> => mail.send({ to: TO, delivery: deliveryOf(id), signal: NEVER })
    const results = await Promise.all(Array.from({ length: MAILS_AT_ONCE + 1 }, (_, at) => send(`m${at}`)))
    const refused = results.filter(({ reason }) => reason !== null)
    expect(refused).toMatchObject([
      { status: null, reason: 'the namespace sends more than 120 e-mails an hour', retryAfter: '30' }
    ])
    expect(server.received).toHaveLength(MAILS_AT_ONCE)
    time.pass(30_000)
    expect(await send('later')).toMatchObject({ status: 250, reason: null })
  })
})

it('a server that is gone is retried, and one that is not configured is refused', async () => {
  await server.close()
  await shop.transition('Down', 'firing')
  await shop.follow()
  expect(await deliveries()).toMatchObject([
    { state: 'waiting', attempts: [{ status: null, reason: 'mail server: connection refused' }] }
  ])
  server = await openMailServer()
  const without = await openNotifiedNamespace()
  const input = { name: 'mail', kind: 'email', target: TO }
  await expect(without.notifications.useCases.channels.save(without.admin, without.namespace, input)).rejects.toMatchObject({
    code: 'invalid_field',
    field: 'kind'
  })
  await without.close()
})
