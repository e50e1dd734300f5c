import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyReply } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clientSignal } from '../../src/http/client-signal.js'
import { MAX_PIPELINED } from '../../src/http/queued-responses.js'
import { OPEN_BODY_BYTES } from '../../src/ingest/byte-budget.js'
import { ManualTime } from '../support/manual-time.js'
import { ObservedBudget } from '../support/observed-budget.js'
import { type ServedRoutes, serveRoutes } from '../support/serve-routes.js'

const REQUESTS = 20
const BODY = '{"a":1}'

let served: ServedRoutes
const time = new ManualTime()
const budget = new ObservedBudget(256 * 1024 * 1024, time)
const { notify } = budget.changes
const until = (isSo: () => boolean): Promise<void> => budget.changes.until(isSo)
const gone: number[] = []
let inFlight = 0
/** Ends the first request of a connection. */
let respondToFirst: () => void = () => undefined
function notifyOfAbort(reply: FastifyReply, which: number): void {
  clientSignal(reply).addEventListener('abort', () => {
    gone.push(which)
    notify()
  })
}

beforeAll(async () => {
  served = await serveRoutes(
    app => {
      app.post('/api/v1/first', async (_req, reply) => {
        notifyOfAbort(reply, 0)
        inFlight++
        notify()
        await new Promise<void>(resolve => (respondToFirst = resolve))
        return {}
      })
      app.post('/api/v1/next', async (_req, reply) => {
        notifyOfAbort(reply, 1)
        inFlight++
        notify()
        return {}
      })
    },
    undefined,
    { budget, timers: time }
  )
})
afterAll(() => served.close())

const post = (path: string): string =>
  `POST /api/v1/${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

describe('requests that are sent behind one that is still in flight', () => {
  it('give back what their bodies hold when the connection closes', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(post('first') + post('next').repeat(REQUESTS - 1))
    await until(() => inFlight === REQUESTS)
    expect(budget.state).toMatchObject({ bodies: REQUESTS, usedBytes: REQUESTS * (OPEN_BODY_BYTES + BODY.length) })
    socket.destroy()
    await until(() => gone.length === REQUESTS && budget.state.bodies === 0)
    expect(budget.state.usedBytes).toBe(0)
    expect(gone.filter(which => which === 1)).toHaveLength(REQUESTS - 1)
    respondToFirst()
  })

  it('get their responses in order, and give it back then', async () => {
    inFlight = 0
    gone.length = 0
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(post('first') + post('next').repeat(2))
    await until(() => inFlight === 3)
    let received = ''
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString()
      notify()
    })
    respondToFirst()
    await until(() => received.split('HTTP/1.1 200').length === 4)
    await until(() => budget.state.bodies === 0)
    socket.destroy()
    expect(gone).toEqual([])
  })

  it('may finish when the connection has closed', async () => {
    inFlight = 0
    gone.length = 0
    const responses: (() => void)[] = []
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(socket, 'connect')
    for (const expected of [1, 2]) {
      socket.write(post('first'))
      await until(() => inFlight === expected)
      responses.push(respondToFirst)
    }
    socket.destroy()
    await until(() => gone.length === 2)
    responses.forEach(response => response())
    await until(() => budget.state.bodies === 0)
    const next = await fetch(`${served.url}/api/v1/next`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY
    })
    expect(next.status).toBe(200)
  })

  it.each([
    [MAX_PIPELINED, 'are processed up to the bound'],
    [MAX_PIPELINED + 1, 'close their connection over the bound, and hold nothing']
  ])('%s: %s', async (pipelined, _title) => {
    inFlight = 0
    gone.length = 0
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    const closed = once(socket, 'close')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(post('first') + post('next').repeat(pipelined))
    if (pipelined <= MAX_PIPELINED) {
      await until(() => inFlight === pipelined + 1)
      let received = ''
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString()
        notify()
      })
      respondToFirst()
      await until(() => received.split('HTTP/1.1 200').length === pipelined + 2)
      socket.destroy()
    } else socket.resume()
    await closed
    await until(() => budget.state.bodies === 0)
    expect(budget.state.usedBytes).toBe(0)
    respondToFirst()
  })
})
