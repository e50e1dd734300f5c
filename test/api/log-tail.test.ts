import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { SocketClient } from '../support/socket-client.js'

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
}, 60_000)
afterAll(() => service?.close())

async function open(): Promise<SocketClient> {
  return SocketClient.open(service.url, { Authorization: service.session.authorization })
}

async function write(...messages: readonly (string | object)[]): Promise<void> {
  const logs = messages.map(message => (typeof message === 'string' ? { message } : message))
  await service.write('/api/v1/logs/batch?ack=searchable', { logs })
}

function messagesOf(records: readonly { readonly message: string }[]): readonly string[] {
  return records.map(({ message }) => message)
}

describe('a live tail', () => {
  it('delivers what arrives after it began, each record once, oldest event first', async () => {
    await write('before')
    const client = await open()
    await client.follow()
    await write('one', 'two')
    expect(messagesOf(await client.records(2))).toEqual(['one', 'two'])
    await write('three')
    expect(messagesOf(await client.records(1))).toEqual(['three'])
    await client.close()
  })

  it('delivers records of any event time, and those of one nanosecond', async () => {
    const client = await open()
    await client.follow()
    const now = new Date().toISOString()
    await write({ message: 'now', timestamp: now })
    expect(messagesOf(await client.records(1))).toEqual(['now'])
    await write({ message: 'an hour late', timestamp: new Date(Date.now() - 3_600_000).toISOString() })
    expect(messagesOf(await client.records(1))).toEqual(['an hour late'])
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
    await write({ message: 'a day late', timestamp: dayAgo }, ...[1, 2].map(() => ({ message: 'same', timestamp: now })))
    expect([...messagesOf(await client.records(3))].sort()).toEqual(['a day late', 'same', 'same'])
    await client.close()
  })

  it('applies the filter of searches', async () => {
    const client = await open()
    await client.follow({ filter: { query: 'service:pay -refund' } })
    await write(
      { message: 'charge', service: 'cart' },
      { message: 'charge', service: 'pay' },
      { message: 'refund', service: 'pay' }
    )
    await write({ message: 'last', service: 'pay' })
    expect(messagesOf(await client.records(2))).toEqual(['charge', 'last'])
    await client.close()
  })

  it('resumes by cursor on another socket, without a gap or a repetition', async () => {
    const first = await open()
    await first.follow()
    await write('r1', 'r2')
    let cursor = ''
    for (let count = 0; count < 2;) {
      const delivery = await first.delivery()
      count += delivery.records.length
      cursor = delivery.cursor
    }
    await first.close()
    await write('r3')
    const second = await open()
    second.tail({ after: cursor })
    await write('r4')
    expect([...messagesOf(await second.records(2))].sort()).toEqual(['r3', 'r4'])
    await second.close()
  })

  it('delivers at most max records at a time and counts nothing as dropped meanwhile', async () => {
    const client = await open()
    await client.follow({ max: 3 })
    await write(...Array.from({ length: 10 }, (_, i) => `m${i}`))
    const sizes: number[] = []
    const messages: string[] = []
    while (messages.length < 10) {
      const { records, dropped } = await client.delivery()
      expect(dropped).toBe(0)
      sizes.push(records.length)
      messages.push(...messagesOf(records))
    }
    expect(Math.max(...sizes)).toBe(3)
    expect([...messages].sort()).toEqual(Array.from({ length: 10 }, (_, i) => `m${i}`))
    await client.close()
  })

  it('ends when the client completes it, and its id can be used again', async () => {
    const client = await open()
    await client.follow()
    client.send({ type: 'complete', id: 't' })
    await client.follow({}, 'u')
    await write('after complete')
    const message = await client.next()
    expect(message).toMatchObject({ type: 'next', id: 'u' })
    await client.close()
  })
})

describe('a subscription that cannot run', () => {
  const REFUSED: readonly (readonly [string, object, string])[] = [
    ['an invalid search', { query: 'subscription { logTail(filter: { query: "a:(" }) { cursor } }' }, 'invalid_query'],
    ['a foreign cursor', { query: 'subscription { logTail(after: "AAAA") { cursor } }' }, 'invalid_field'],
    ['an interval below its limit', { query: 'subscription { logTail(every: "99ms") { cursor } }' }, 'invalid_field'],
    ['more records than its limit', { query: 'subscription { logTail(max: 1001) { cursor } }' }, 'invalid_field'],
    ['no record of a delivery', { query: 'subscription { logTail(max: 0) { cursor } }' }, 'invalid_field'],
    ['rates too often', { query: 'subscription { ingestRate(every: "999ms") { at } }' }, 'invalid_field'],
    [
      'a variable with an unknown member',
      { query: 'subscription($f: LogFilter) { logTail(filter: $f) { cursor } }', variables: { f: { filters: [] } } },
      'invalid_field'
    ],
    ['a missing variable', { query: 'subscription($q: String!) { logTail(filter: { query: $q }) { cursor } }' }, 'invalid_field'],
    ['an unknown field', { query: 'subscription { logTail { nothing } }' }, 'invalid_query'],
    ['two root fields', { query: 'subscription { logTail { cursor } ingestRate { at } }' }, 'invalid_query'],
    ['fields that read a store', { query: 'subscription { logTail { records { trace { traceId } } } }' }, 'invalid_query'],
    ['a query', { query: '{ __typename }' }, 'invalid_query'],
    ['an empty query', { query: '' }, 'missing_field'],
    ['a document over the limits', { query: `subscription { logTail { ${'cursor '.repeat(600)} } }` }, 'invalid_query']
  ]

  it.each(REFUSED)('%s is an error of its own, and the socket stays', async (_name, payload, code) => {
    const client = await open()
    client.send({ type: 'subscribe', id: 'x', payload })
    const message = await client.next()
    expect(message).toMatchObject({ id: 'x' })
    const { payload: errors } = message as {
      payload: { extensions: { code: string } }[] | { errors: { extensions: { code: string } }[] }
    }
    const [error] = Array.isArray(errors) ? errors : errors.errors
    expect(error?.extensions.code).toBe(code)
    await client.follow({}, 'y')
    await client.close()
  })
})

describe('rates of ingest', () => {
  it('come each interval', async () => {
    const client = await open()
    const query = 'subscription { ingestRate(every: "1s") { at logsPerSecond rejectedPerSecond } }'
    client.send({ type: 'subscribe', id: 'r', payload: { query } })
    client.send({ type: 'ping' })
    await client.next()
    await write('counted')
    let logs = 0
    while (logs === 0) {
      const { payload } = (await client.next()) as { payload: { data: { ingestRate: { logsPerSecond: number } } } }
      logs = payload.data.ingestRate.logsPerSecond
    }
    expect(logs).toBeLessThan(2)
    await client.close()
  })
})
