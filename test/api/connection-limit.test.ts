import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'

/** Addresses of loopback; requests of the test itself come from 127.0.0.1. */
const [CLIENT, OTHER, PROXY] = ['127.0.0.9', '127.0.0.10', '127.0.0.11']
const HEALTH = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'
const LIMIT = 3

let service: RunningService
let grpcPort: number
const sockets: Socket[] = []

beforeAll(async () => {
  grpcPort = await freePort()
  const flags = ['--limit-connections', String(LIMIT), '--trusted-proxies', PROXY, '--metrics-access', 'open']
  service = await startService({ flags: [...flags, '--otlp-grpc-port', String(grpcPort)] })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await service.close()
})

/** Whether the service responds on a new connection; the gRPC port sends its settings first. */
async function responses(port: number, localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  // A connection that is closed at once may end in an error for its client.
  socket.on('error', () => undefined)
  if (port !== grpcPort) socket.write(HEALTH)
  const closed = once(socket, 'close').then(() => false)
  return Promise.race([once(socket, 'data').then(() => true), closed])
}

describe('an address at its limit of connections', () => {
  const httpPort = (): number => Number(new URL(service.url).port)

  it('is refused more, over HTTP and gRPC together; other addresses and trusted proxies are not', async () => {
    expect([await responses(httpPort(), CLIENT), await responses(grpcPort, CLIENT), await responses(httpPort(), CLIENT)]).toEqual(
      [true, true, true]
    )
    expect([await responses(httpPort(), CLIENT), await responses(grpcPort, CLIENT)]).toEqual([false, false])
    expect([await responses(httpPort(), OTHER), await responses(grpcPort, OTHER)]).toEqual([true, true])
    for (let i = 0; i < LIMIT + 1; i++) expect(await responses(httpPort(), PROXY)).toBe(true)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^alidade_connections_refused 2$/m)
    expect(Number(/^alidade_connections (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(2 * LIMIT + 3)
  })
})
