import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { AllowedTargets } from '../../../../src/alerting/notify/target/allowed-targets.js'
import { type PostResult, TargetClient } from '../../../../src/alerting/notify/target/target-client.js'
import { ManualTime } from '../../../support/manual-time.js'

describe('requests', () => {
  const time = new ManualTime()
  let server: Server
  let port: number
  let requests: string[]
  let respond: RequestListener
  const resolved: string[] = []

  const client = (addresses: readonly (readonly string[])[], allow: readonly string[] = ['127.0.0.1']): TargetClient => {
    const left = [...addresses]
    return new TargetClient({
      allowed: new AllowedTargets(allow),
      clock: time,
      timers: time,
      userAgent: 'Alidade/test',
      resolve: host => {
        resolved.push(host)
        return Promise.resolve(left.length > 1 ? left.shift()! : (left[0] ?? []))
      }
    })
  }
  const post = (of: TargetClient, url: string): Promise<PostResult> =>
    of.post({ url, headers: { 'webhook-id': '1' }, body: Buffer.from('{}') })

  beforeEach(async () => {
    requests = []
    resolved.length = 0
    respond = (_request, response) => void response.writeHead(204).end()
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.host} ${request.headers['webhook-id'] as string}`)
      respond(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('connect to the address that was checked, with the host of the URL', async () => {
    const result = await post(client([['127.0.0.1']]), `http://receiver.example:${port}/hook?a=b`)
    expect(result).toMatchObject({ status: 204, reason: null })
    expect(requests).toEqual([`POST /hook?a=b receiver.example:${port} 1`])
    expect(resolved).toEqual(['receiver.example'])
  })

  it('end where a receiver switches protocols', async () => {
    const switching = createTcpServer(socket => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      )
    })
    switching.listen(0, '127.0.0.1')
    await once(switching, 'listening')
    const url = `http://receiver.example:${(switching.address() as AddressInfo).port}/`
    expect(await post(client([['127.0.0.1']]), url)).toMatchObject({ status: 101 })
    switching.close()
    await once(switching, 'close')
  })

  it('are not sent when one of the addresses is internal, nor when the second resolution is', async () => {
    const internal = 'the host has an address that is not public; the operator can allow it with webhook_allow'
    expect(await post(client([['8.8.8.8', '127.0.0.2']]), `https://rebound.example:${port}/`)).toMatchObject({
      status: null,
      reason: internal
    })
    expect(await post(client([['::ffff:127.0.0.1']]), `https://mapped.example:${port}/`)).toMatchObject({ reason: internal })
    const rebinding = client([['127.0.0.1'], ['127.0.0.2']])
    expect(await post(rebinding, `http://a.example:${port}/1`)).toMatchObject({ status: 204 })
    expect(await post(rebinding, `http://a.example:${port}/2`)).toMatchObject({ reason: internal })
    expect(requests).toHaveLength(1)
  })

  it('are not sent by http to public addresses, nor to what is not allowed any more', async () => {
    expect((await post(client([['8.8.8.8']]), 'http://public.example/')).reason).toBe(
      'http is only for targets of the setting webhook_allow'
    )
    expect((await post(client([], []), `http://127.0.0.1:${port}/`)).reason).toMatch(/127.0.0.1 is not a public address/)
    expect((await post(client([[]]), `https://nothing.example:${port}/`)).reason).toBe('the host name does not resolve')
    expect(requests).toEqual([])
  })

  it.each([301, 302, 303, 307, 308])('do not follow a redirect with status %i', async status => {
    respond = (_request, response) => void response.writeHead(status, { location: `http://127.0.0.1:${port}/secret` }).end()
    expect(await post(client([['127.0.0.1']]), `http://a.example:${port}/`)).toMatchObject({
      status,
      reason: `status ${status}: redirects are not followed`
    })
    expect(requests).toHaveLength(1)
  })

  it.each([
    [200, null],
    [299, null],
    [400, 'status 400'],
    [410, 'status 410'],
    [429, 'status 429'],
    [503, 'status 503']
  ])('with status %i fail for %s', async (status, reason) => {
    respond = (_request, response) => void response.writeHead(status, { 'retry-after': '7' }).end('secret of the receiver')
    expect(await post(client([['127.0.0.1']]), `http://a.example:${port}/`)).toEqual({
      status,
      reason,
      retryAfter: '7',
      tookMs: 0
    })
  })

  it('read 4 KiB of a response and leave', async () => {
    const closed = new Promise<void>(resolve => {
      respond = (request, response) => {
        request.socket.once('close', () => resolve())
        response.writeHead(200)
        response.write(Buffer.alloc(64 * 1024))
      }
    })
    expect(await post(client([['127.0.0.1']]), `http://a.example:${port}/`)).toMatchObject({ status: 200, reason: null })
    await closed
  })

  it('end after 15 s without a response, or without the end of one', async () => {
    const silent = client([['127.0.0.1']])
    for (const begin of [false, true]) {
      const arrived = new Promise<void>(resolve => {
        respond = (_request, response) => {
          if (begin) response.writeHead(200).write('x')
          resolve()
        }
      })
      const result = post(silent, `http://a.example:${port}/`)
      await arrived
      time.pass(15_000)
      expect(await result).toMatchObject({ status: null, reason: 'no response within 15s', tookMs: 15_000 })
    }
  })

  it('end after 15 s while the name is resolved', async () => {
    const stuck = new TargetClient({
      ...{ allowed: new AllowedTargets([]), clock: time, timers: time, userAgent: 'x' },
      resolve: () => new Promise(() => undefined)
    })
    const result = post(stuck, 'https://a.example/')
    time.pass(15_000)
    expect((await result).reason).toBe('no response within 15s')
  })

  it('report a refused and a closed connection, and what is not HTTP', async () => {
    const rude = createTcpServer(socket => {
      socket.on('error', () => undefined)
      socket.once('data', data => (data.toString().includes('/close') ? socket.destroy() : socket.end('SSH-2.0\r\n\r\n')))
    })
    rude.listen(0, '127.0.0.1')
    await once(rude, 'listening')
    const at = (rude.address() as AddressInfo).port
    const own = client([['127.0.0.1']])
    expect((await post(own, `http://a.example:${at}/close`)).reason).toBe('connection closed before a response')
    expect((await post(own, `http://a.example:${at}/`)).reason).toBe('the response is not HTTP')
    expect((await post(own, `https://a.example:${at}/`)).reason).toBe('the TLS handshake failed')
    rude.close()
    await once(rude, 'close')
    expect((await post(own, `http://a.example:${at}/`)).reason).toBe('connection refused')
  })

  it('use no proxy of the environment', async () => {
    const before = { ...process.env }
    Object.assign(process.env, { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1', NODE_USE_ENV_PROXY: '1' })
    try {
      expect(await post(client([['127.0.0.1']]), `http://a.example:${port}/`)).toMatchObject({ status: 204 })
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  })

  it('can be cut', async () => {
    const stop = new AbortController()
    const arrived = new Promise<void>(resolve => {
      respond = () => resolve()
    })
    const result = client([['127.0.0.1']]).post({
      url: `http://a.example:${port}/`,
      headers: {},
      body: Buffer.from(''),
      signal: stop.signal
    })
    await arrived
    stop.abort()
    expect((await result).status).toBeNull()
  })
})
