import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { EventStreamClient } from '../../bench/service/event-stream.js'
import { DEFAULT_SUBSCRIPTION_LIMITS } from '../../src/http/subscriptions/subscription-limits.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

const PATH = '/api/v1/logs/tail'
const { socketsPerPrincipal: SOCKETS_OF_A_USER } = DEFAULT_SUBSCRIPTION_LIMITS

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
}, 60_000)
afterAll(() => service?.close())

async function follow(query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStreamClient> {
  return EventStreamClient.open(`${service.url}${PATH}?every=100ms${query}`, { ...service.session, ...headers })
}

async function write(...messages: readonly (string | object)[]): Promise<void> {
  const logs = messages.map(message => (typeof message === 'string' ? { message } : message))
  await service.write('/api/v1/logs/batch?ack=searchable', { logs })
}

const messagesOf = (logs: readonly { readonly message: string }[]): readonly string[] => logs.map(({ message }) => message)

describe('the live tail as a stream of events', () => {
  it('begins with its place, and has what arrives after that, each log once', async () => {
    await write('before')
    const client = await follow()
    expect(client.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(client.response.headers.get('cache-control')).toBe('no-store')
    expect(await client.next()).toEqual({ id: expect.any(String), event: 'logs', data: { logs: [], dropped: 0 } })
    await write('one', { message: 'two\nlines \u2028 of text', log_fields: { user: { id: 7 } } })
    const [one, two] = await client.logs(2)
    expect(one).toMatchObject({ message: 'one', namespace: service.first.namespace })
    expect(two).toMatchObject({ message: 'two\nlines \u2028 of text', log_fields: { user: { id: 7 } } })
    await write('three')
    expect(messagesOf(await client.logs(1))).toEqual(['three'])
    client.leave()
  })

  it('applies the filters of searches', async () => {
    const client = await follow(`&query=${encodeURIComponent('service:pay -refund')}&level=error&level=warn`)
    await write(
      { message: 'charge', service: 'cart', level: 'error' },
      { message: 'charge', service: 'pay', level: 'info' },
      { message: 'refund', service: 'pay', level: 'error' },
      { message: 'charge', service: 'pay', level: 'warn' }
    )
    expect(messagesOf(await client.logs(1))).toEqual(['charge'])
    client.leave()
  })

  it('resumes after an event, by Last-Event-ID before the parameter', async () => {
    const first = await follow()
    const begin = await first.next()
    await write('r1', 'r2')
    let event = await first.next()
    while ((event!.data['logs'] as unknown[]).length === 0) event = await first.next()
    first.leave()
    await write('r3')
    const byHeader = await follow(`&after=${begin!.id}`, { 'last-event-id': event!.id! })
    const byParameter = await follow(`&after=${begin!.id}`)
    expect(messagesOf(await byParameter.logs(3)).toSorted()).toEqual(['r1', 'r2', 'r3'])
    const seen = (event!.data['logs'] as { message: string }[]).map(({ message }) => message)
    expect(messagesOf(await byHeader.logs(3 - seen.length)).toSorted()).toEqual(
      ['r1', 'r2', 'r3'].filter(message => !seen.includes(message))
    )
    byHeader.leave()
    byParameter.leave()
  })

  it('resumes in its own namespace only', async () => {
    const client = await follow()
    const { id } = (await client.next())!
    client.leave()
    const { json } = await service.post('/api/v1/namespaces', { name: 'other-shop' })
    const headers = { ...service.session, 'x-namespace-id': String(json['id']) }
    expect(await service.fault(service.api(`${PATH}?after=${id}`, { headers }))).toEqual([400, 'invalid_field'])
    const foreign = await EventStreamClient.open(`${service.url}${PATH}?every=100ms&duration=700ms`, headers)
    await write('not for others')
    const events: unknown[] = []
    for (let event = await foreign.next(); event !== null; event = await foreign.next())
      events.push(...(event.data['logs'] as []))
    expect(events).toEqual([])
  })

  it('ends after a duration, without a problem', async () => {
    const client = await follow('&duration=100ms')
    await client.next()
    expect(await client.next()).toBeNull()
  })

  it.each([
    ['an interval below its limit', 'every=99ms', 'every'],
    ['a text for an interval', 'every=soon', 'every'],
    ['more logs than its limit', 'max=1001', 'max'],
    ['a duration beyond a day', 'duration=25h', 'duration'],
    ['a foreign place', 'after=AAAA', 'after']
  ])('refuses %s', async (_name, query, field) => {
    const { status, json } = await service.get(`${PATH}?${query}`)
    expect([status, json?.['errors']]).toEqual([400, [expect.objectContaining({ field })]])
  })

  it('refuses a query with a fault, and callers without credentials', async () => {
    expect(await service.fault(service.get(`${PATH}?query=${encodeURIComponent('a:(')}`))).toEqual([400, 'invalid_query'])
    expect((await service.fault(service.api(PATH)))[0]).toBe(401)
  })
})

describe('the end of a live tail', () => {
  it('comes before the next log when its caller may not read any more', async () => {
    const { json } = await service.post('/api/v1/keys', { name: 'tail', kind: 'query' })
    const client = await EventStreamClient.open(`${service.url}${PATH}?every=100ms`, { 'x-api-key': String(json['key']) })
    await client.next()
    await service.api(`/api/v1/keys/${String(json['id'])}`, { method: 'DELETE', headers: service.session })
    await write('secret')
    expect(await client.next()).toMatchObject({ event: 'problem', data: { status: 401 } })
    expect(await client.next()).toBeNull()
  })

  it('gives its place back', async () => {
    const clients = await Promise.all(Array.from({ length: SOCKETS_OF_A_USER }, async () => follow()))
    expect(await service.fault(service.get(PATH))).toEqual([429, 'rate_limited'])
    await Promise.all(clients.map(async client => [client.leave(), await client.next().catch(() => null)]))
    const next = await follow()
    next.leave()
  })

  it('comes with the end of the service', async () => {
    const own = await startReadingService()
    const client = await EventStreamClient.open(`${own.url}${PATH}`, own.session)
    await client.next()
    const closed = own.close()
    expect(await client.next()).toBeNull()
    await closed
  })
})
