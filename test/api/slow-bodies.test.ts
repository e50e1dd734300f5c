import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MIN_PROGRESS_BYTES, PROGRESS_PERIOD_MS } from '../../src/http/body-collection.js'
import { authenticateFirst } from '../../src/http/authenticate-first.js'
import { BodyReceiver } from '../../src/http/body-receiver.js'
import { readBody, takeRawBodies } from '../../src/http/request-body.js'
import { addScope } from '../../src/http/scope.js'
import type { NamespaceId, UserId } from '../../src/domain/ids.js'
import { MAX_WAIT_MS, OPEN_BODY_BYTES } from '../../src/ingest/byte-budget.js'
import { ManualTime } from '../support/manual-time.js'
import { ObservedBudget } from '../support/observed-budget.js'
import { type ServedRoutes, serveRoutes } from '../support/serve-routes.js'

const MIB = 1024 * 1024
const LIMIT = 10 * MIB
const WHOLE = 256 * MIB
/** Nearly twice the share of their caller when all are decompressed. */
const BOMBS = 24

let served: ServedRoutes
const time = new ManualTime()
const budget = new ObservedBudget(WHOLE, time)
const until = (isSo: () => boolean): Promise<void> => budget.changes.until(isSo)
beforeAll(async () => {
  served = await serveRoutes(
    app => {
      addScope(app, 'raw', scope => {
        takeRawBodies(scope, LIMIT)
        authenticateFirst(scope, async req => {
          const ns = String(req.headers['x-who']) as NamespaceId
          return { kind: 'user', userId: 'u' as UserId, isOperator: false, activeNamespace: ns }
        })
        scope.post('/api/v1/raw', async req => {
          const { bytes } = await readBody(req, BodyReceiver.of(scope), { maxBytes: LIMIT })
          return { bytes: bytes.length, held: budget.state.usedBytes }
        })
      })
      app.post('/api/v1/json', async req => ({ held: budget.state.usedBytes, body: req.body }))
    },
    undefined,
    { budget, timers: time }
  )
})
afterAll(() => served.close())

async function open(path: string, who: string, length: number): Promise<Socket> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Who: ${who}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  )
  return socket
}

const send = (who: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${served.url}/api/v1/raw`, {
    method: 'POST',
    headers: { 'x-who': who, 'content-type': 'application/json', ...headers },
    body
  })

describe('bodies that come slowly', () => {
  it('take memory as they come, not as they declare, and give it back when their connection closes', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open('/api/v1/raw', 'slow', LIMIT)))
    await until(() => budget.state.bodies === 20)
    expect(budget.state.usedBytes).toBe(20 * OPEN_BODY_BYTES)
    sockets.forEach(socket => socket.write(Buffer.alloc(1_000)))
    await until(() => budget.state.usedBytes === 20 * (OPEN_BODY_BYTES + 1_000))
    sockets.forEach(socket => socket.destroy())
    await until(() => budget.state.bodies === 0)
    expect(budget.state.usedBytes).toBe(0)
  })

  it('hold the share of their namespace at most, while another one is served', async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, () => open('/api/v1/raw', 'slow', LIMIT)))
    sockets.forEach(socket => socket.write(Buffer.alloc(MIB)))
    await until(() => budget.state.waiting > 0)
    expect(budget.state.usedBytes).toBeLessThanOrEqual((WHOLE * 3) / 8)
    const response = await send('other', Buffer.alloc(4 * MIB, ' '))
    expect(await response.json()).toMatchObject({ bytes: 4 * MIB })
    const responses = new Set<string>()
    sockets.forEach(socket => socket.on('data', (chunk: Buffer) => responses.add(chunk.toString())))
    const responded = Promise.race(sockets.map(socket => once(socket, 'data')))
    time.pass(MAX_WAIT_MS)
    await responded
    expect([...responses][0]).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1\r\n.*"code":"rate_limited"/is)
    sockets.forEach(socket => socket.destroy())
    // A body that waits is not read, so that its end is seen when the wait ends.
    await until(() => {
      time.pass(MAX_WAIT_MS)
      return budget.state.bodies === 0
    })
  })

  it('are refused when they make no progress', async () => {
    const socket = await open('/api/v1/raw', 'slow', LIMIT)
    await until(() => budget.state.bodies === 1)
    socket.write(Buffer.alloc(MIN_PROGRESS_BYTES))
    await until(() => budget.state.usedBytes === OPEN_BODY_BYTES + MIN_PROGRESS_BYTES)
    time.pass(PROGRESS_PERIOD_MS)
    socket.write(Buffer.alloc(MIN_PROGRESS_BYTES - 1))
    await until(() => budget.state.usedBytes === OPEN_BODY_BYTES + 2 * MIN_PROGRESS_BYTES - 1)
    const responded = once(socket, 'data')
    time.pass(PROGRESS_PERIOD_MS)
    expect(String(await responded)).toMatch(/^HTTP\/1\.1 408 .*connection: close\r\n.*"code":"request_timeout"/is)
    socket.destroy()
    await until(() => budget.state.bodies === 0)
  })
})

describe('what a body holds', () => {
  it('is its decompressed bytes once it is decompressed', async () => {
    const response = (await (await send('a', gzipSync(Buffer.alloc(MIB)), { 'content-encoding': 'gzip' })).json()) as {
      held: number
    }
    expect(response).toEqual({ bytes: MIB, held: MIB + OPEN_BODY_BYTES })
  })

  it('is never more than the share of its caller, however far many of them decompress', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMIT))
    budget.peakBytes = 0
    const all = await Promise.all(Array.from({ length: BOMBS }, () => send('bombs', bomb, { 'content-encoding': 'gzip' })))
    expect(all.map(({ status }) => status)).toEqual(Array<number>(BOMBS).fill(200))
    expect(budget.peakBytes).toBeLessThanOrEqual(WHOLE / 2)
  })

  it('is counted for callers without a credential too, by their address', async () => {
    const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
    const response = await fetch(`${served.url}/api/v1/json`, call)
    expect(await response.json()).toEqual({ held: OPEN_BODY_BYTES + 7, body: { a: 1 } })
  })
})
