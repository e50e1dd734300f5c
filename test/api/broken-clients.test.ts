import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import type { ServedRoutes } from '../support/serve-routes.js'
import { serveRoutes } from '../support/serve-routes.js'

const lines: string[] = []
let served: ServedRoutes
let onAbort: () => void = () => undefined
let release: () => void = () => undefined
let onEntered: () => void = () => undefined
let onWaiting: () => void = () => undefined

beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: line => void lines.push(line) })
  served = await serveRoutes(app => {
    app.addHook('onRequest', async () => onEntered())
    app.addHook('onRequestAbort', (_request, done) => {
      onAbort()
      done()
    })
    app.post('/api/v1/echo', async request => request.body)
    app.post('/api/v1/waits', async () => {
      await new Promise<void>(resolve => {
        release = resolve
        onWaiting()
      })
      throw new Error('the reader has gone')
    })
  }, logger)
})
afterAll(() => served.close())

function entered(): Promise<void> {
  return new Promise(resolve => (onEntered = resolve))
}

function aborted(): Promise<void> {
  return new Promise(resolve => (onAbort = resolve))
}

async function open(text: string): Promise<ReturnType<typeof connect>> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const errorsLogged = (): readonly string[] => lines.filter(line => (JSON.parse(line) as { level: number }).level >= 40)

describe('clients that go away', () => {
  it('in the middle of a body are not errors of the service', async () => {
    const arrived = entered()
    const left = aborted()
    const head = 'POST /api/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":'
    const socket = await open(head)
    await arrived
    socket.destroy()
    await left
    expect(errorsLogged()).toEqual([])
  })

  it('before the response are not errors of the service', async () => {
    const waiting = new Promise<void>(resolve => (onWaiting = resolve))
    const left = aborted()
    const socket = await open('POST /api/v1/waits HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
    await waiting
    socket.destroy()
    await left
    release()
    await fetch(`${served.url}/api/v1/openapi.json`)
    expect(errorsLogged()).toEqual([])
  })

  it('leave a service that handles the next one', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${served.url}/api/v1/echo`, { method: 'POST', body: '{"still":"here"}', headers })
    expect(await response.json()).toEqual({ still: 'here' })
  })
})

describe('what the log holds', () => {
  it('is the path of a failed request without its query, and its id', async () => {
    lines.length = 0
    const waiting = new Promise<void>(resolve => (onWaiting = resolve))
    const failing = fetch(`${served.url}/api/v1/waits?key=ald_secret`, { method: 'POST', headers: { 'x-api-key': 'ald_secret' } })
    await waiting
    release()
    const response = await failing
    const text = lines.join('')
    expect(response.status).toBe(500)
    expect(text).toContain(`"request_id":"${response.headers.get('x-request-id')}"`)
    expect(text).toContain('"path":"/api/v1/waits"')
    expect(text).not.toContain('ald_secret')
  })
})
