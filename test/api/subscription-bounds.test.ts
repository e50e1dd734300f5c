import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from '@jest/globals'
import { DEFAULT_SUBSCRIPTION_LIMITS, type SubscriptionLimits } from '../../src/http/subscriptions/subscription-limits.js'
import type { SubscriptionServer } from '../../src/http/subscriptions/subscription-server.js'
import { newIngestId } from '../contract/fresh-ids.js'
import { EMPTY_LOG } from '../support/empty-log.js'
import { type GraphqlOverStores, serveGraphql } from '../support/graphql-stores.js'
import { SocketClient } from '../support/socket-client.js'
import { ManualTime } from '../support/manual-time.js'

const SOCKETS = 100
const EXPENSIVE = { query: '/(a|b|c)+[0-9]{1,9}x/ OR "needle" OR log_fields.a:/.*z.*/' }
const open: GraphqlOverStores[] = []
let sockets: Pick<SubscriptionServer, 'state'>

afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})

async function serve(limits: Partial<SubscriptionLimits> = {}, more: Partial<Parameters<typeof serveGraphql>[0]> = {}) {
  const served = await serveGraphql({
    subscriptionLimits: { ...DEFAULT_SUBSCRIPTION_LIMITS, ...limits },
    onSubscriptions: subscriptions => (sockets = subscriptions),
    ...more
  })
  open.push(served)
  return served
}

async function append({ stores, namespace }: GraphqlOverStores, messages: readonly string[]): Promise<void> {
  const timestampNs = BigInt(Date.now()) * 1_000_000n
  const items = messages.map((message, index) => ({ ...EMPTY_LOG, index, timestampNs, message }))
  await stores.logs.append(namespace.id, { ingestId: newIngestId(), items })
  await stores.logs.settle(namespace.id)
}

/** An open WebSocket of which nothing is read. */
async function deafSocket(url: string, messages: readonly object[]): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const lines = ['GET /graphql HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const rest = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: graphql-transport-ws', '', '']
  socket.write([...lines, ...rest].join('\r\n'))
  await once(socket, 'data')
  for (const message of messages) socket.write(textFrame(JSON.stringify(message)))
  await once(socket, 'data')
  socket.pause()
  return socket
}

/** A masked text frame (RFC 6455, 5.2) with a mask of zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const length = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload])
}

describe('sockets', () => {
  it('of one principal are at most as many as the limit, and one more gets a close code to try later', async () => {
    const { url } = await serve({ socketsPerPrincipal: 2 })
    const two = [await SocketClient.open(url, {}), await SocketClient.open(url, {})]
    const third = await SocketClient.open(url, {})
    await expect(third.closed).resolves.toEqual({ code: 1013, reason: 'rate_limited' })
    expect(sockets.state).toMatchObject({ refused: 1 })
    for (const client of two) await client.follow()
    await Promise.all(two.map(client => client.close()))
  })

  it('of one namespace, and all together, are limited too', async () => {
    for (const [limits, reason] of [
      [{ socketsPerNamespace: 1 }, 'rate_limited'],
      [{ sockets: 1 }, 'overloaded']
    ] as const) {
      const { url } = await serve(limits)
      const first = await SocketClient.open(url, {})
      const second = await SocketClient.open(url, {})
      await expect(second.closed).resolves.toEqual({ code: 1013, reason })
      await first.close()
    }
  })

  it('that never authenticate are closed, and an address has few of them', async () => {
    const { url } = await serve({ initTimeoutMs: 300, waitingSocketsPerNetwork: 3 })
    const waiting = await Promise.all(Array.from({ length: 3 }, () => SocketClient.connect(url)))
    await expect(SocketClient.connect(url)).rejects.toThrow('status 429')
    for (const client of waiting) await expect(client.closed).resolves.toMatchObject({ code: 4408 })
  })

  it('without connection_init are limited for the process', async () => {
    const { url } = await serve({ waitingSockets: 1 })
    const first = await SocketClient.connect(url)
    await expect(SocketClient.connect(url)).rejects.toThrow('status 503')
    first.send({ type: 'connection_init', payload: {} })
    await first.next()
    const second = await SocketClient.connect(url)
    await Promise.all([first.close(), second.close()])
  })

  it('that do not respond to pings are closed', async () => {
    const time = new ManualTime()
    const { url } = await serve({}, { timers: time })
    const client = await SocketClient.open(url, {})
    client.raw.pause()
    time.pass(DEFAULT_SUBSCRIPTION_LIMITS.pingMs)
    time.pass(DEFAULT_SUBSCRIPTION_LIMITS.pingMs)
    client.raw.resume()
    await expect(client.closed).resolves.toMatchObject({ code: 1006 })
    expect(sockets.state).toMatchObject({ refused: 1 })
  })
})

describe('messages', () => {
  it('over the limit close the socket', async () => {
    const { url } = await serve()
    const client = await SocketClient.open(url, {})
    client.send({ type: 'subscribe', id: 'x', payload: { query: 'x'.repeat(1024 * 1024) } })
    await expect(client.closed).resolves.toMatchObject({ code: 1009 })
  })

  it('at the limit are read', async () => {
    const { url } = await serve({ messageBytes: 200 })
    const client = await SocketClient.open(url, {})
    const ping = { type: 'ping', payload: { x: '' } }
    const rest = 200 - JSON.stringify(ping).length
    client.send({ type: 'ping', payload: { x: 'x'.repeat(rest) } })
    await expect(client.next()).resolves.toMatchObject({ type: 'pong' })
    client.send({ type: 'ping', payload: { x: 'x'.repeat(rest + 1) } })
    await expect(client.closed).resolves.toMatchObject({ code: 1009 })
  })

  it('that come too fast close the socket', async () => {
    const { url } = await serve({ messagesPerSecond: 10 })
    const client = await SocketClient.open(url, {})
    for (let i = 0; i < 20; i++) client.send({ type: 'ping' })
    await expect(client.closed).resolves.toEqual({ code: 1013, reason: 'rate_limited' })
  })

  it('that are not of the protocol close the socket', async () => {
    const { url } = await serve()
    const client = await SocketClient.open(url, {})
    client.raw.send('{"type":"nothing"}')
    await expect(client.closed).resolves.toMatchObject({ code: 4400 })
  })
})

describe('subscriptions', () => {
  it('of a socket are at most as many as the limit; a completed one makes room', async () => {
    const { url } = await serve({ subscriptionsPerSocket: 2 })
    const client = await SocketClient.open(url, {})
    await client.follow({}, 'a')
    await client.follow({}, 'b')
    client.tail({}, 'c')
    await expect(client.next()).resolves.toMatchObject({
      type: 'error',
      id: 'c',
      payload: [{ extensions: { code: 'rate_limited' } }]
    })
    client.send({ type: 'complete', id: 'a' })
    await client.follow({}, 'd')
    expect(sockets.state).toMatchObject({ subscriptions: 2 })
    await client.close()
  })

  it('that begin and end in a loop are limited as queries are, and leave nothing behind', async () => {
    const { url } = await serve({ messagesPerSecond: 100_000 })
    const client = await SocketClient.open(url, {})
    for (let i = 0; i < 500; i++) {
      client.tail({}, `s${i}`)
      client.send({ type: 'complete', id: `s${i}` })
    }
    client.send({ type: 'ping' })
    while ((await client.next())?.type !== 'pong');
    await client.follow({}, 'last')
    expect(sockets.state.subscriptions).toBe(1)
    await client.close()
  })

  it('of a hundred sockets with expensive filters read one at a time', async () => {
    const served = await serve({ socketsPerPrincipal: SOCKETS, waitingSocketsPerNetwork: SOCKETS })
    const clients = await Promise.all(Array.from({ length: SOCKETS }, () => SocketClient.open(served.url, {})))
    let running = 0
    let most = 0
    const { logs } = served.stores
    const search = logs.search.bind(logs)
    logs.search = async (...args: Parameters<typeof search>) => {
      most = Math.max(most, ++running)
      return search(...args).finally(() => running--)
    }
    for (const client of clients) await client.follow({ filter: EXPENSIVE })
    await append(served, ['needle', 'hay'])
    for (const client of clients) await expect(client.records(1)).resolves.toMatchObject([{ message: 'needle' }])
    expect(most).toBe(1)
    await Promise.all(clients.map(client => client.close()))
  }, 60_000)
})

describe('a client that never reads', () => {
  it('is closed when it does not respond to a ping', async () => {
    const time = new ManualTime()
    const served = await serve({}, { timers: time })
    const query = 'subscription { logTail(every: "100ms", max: 1000) { records { id message } cursor dropped } }'
    const socket = await deafSocket(served.url, [
      { type: 'connection_init', payload: {} },
      { type: 'subscribe', id: 'x', payload: { query } }
    ])
    // More than the buffers of the kernel take.
    for (let i = 0; i < 20; i++)
      await append(
        served,
        Array.from({ length: 10 }, () => 'x'.repeat(100_000))
      )
    time.pass(DEFAULT_SUBSCRIPTION_LIMITS.pingMs)
    time.pass(DEFAULT_SUBSCRIPTION_LIMITS.pingMs)
    expect(sockets.state.refused).toBe(1)
    socket.destroy()
  })

  it('is closed when more waits for it than the limit', async () => {
    const served = await serve({ bufferedBytes: 100_000, messagesPerSecond: 1_000_000 })
    const socket = await deafSocket(served.url, [{ type: 'connection_init', payload: {} }])
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
    socket.on('error', () => undefined)
    const ping = textFrame(JSON.stringify({ type: 'ping', payload: { x: 'x'.repeat(50_000) } }))
    const write = (): void => void (socket.writable && socket.write(ping, write))
    write()
    await closed
    expect(sockets.state.refused).toBe(1)
  })
})
