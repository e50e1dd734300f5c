import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EngineClient } from '../../../src/stores/elasticsearch/client/engine-client.js'
import { NodeWatches } from '../../../src/stores/elasticsearch/client/node-watches.js'
import { systemClock } from '../../../src/telemetry/system-clock.js'

const BODY = JSON.stringify({ text: 'ä'.repeat(10_000) })
const BYTES = Buffer.byteLength(BODY)

let node: Server
let watches: NodeWatches
let client: EngineClient

beforeEach(async () => {
  node = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/announced') response.setHeader('content-length', BYTES)
    // Without a length it comes in chunks; the connection breaks within `/broken`.
    response.write(BODY.slice(0, 5_000))
    if (request.url === '/broken') setImmediate(() => request.socket.destroy())
    else response.end(BODY.slice(5_000))
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const server = { urls: [url], cloudId: null, username: null, password: null, apiKey: null, ca: null }
  watches = new NodeWatches({ server, clock: systemClock, onChange: () => undefined })
  client = new EngineClient(server, 1, watches)
})
afterEach(async () => {
  await client.close()
  await watches.close()
  node.closeAllConnections()
  node.close()
})

const get = (path: string, maxResponseBytes?: number) =>
  client.request({ method: 'GET', path, timeoutMs: 20_000, ...(maxResponseBytes !== undefined && { maxResponseBytes }) })

describe.each(['/announced', '/in-chunks'])('a response %s', path => {
  it('is read up to its limit of bytes', async () => {
    for (const max of [BYTES, undefined]) expect((await get(path, max)).body).toEqual(JSON.parse(BODY))
  })

  it('ends with an error beyond it, and the next request gets a response', async () => {
    await expect(get(path, BYTES - 1)).rejects.toMatchObject({
      name: 'OversizedResponse',
      code: 'unsupported_by_store',
      message: expect.stringContaining(`the limit of ${BYTES - 1} bytes`)
    })
    expect((await get(path)).body).toEqual(JSON.parse(BODY))
  })
})

it('reports a response whose connection breaks as an unreachable store', async () => {
  await expect(get('/broken')).rejects.toMatchObject({ code: 'store_unavailable' })
})
