import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EngineCall, EngineClient } from '../../../src/stores/elasticsearch/client/engine-client.js'
import { EngineClient as Client } from '../../../src/stores/elasticsearch/client/engine-client.js'
import { NodeWatches } from '../../../src/stores/elasticsearch/client/node-watches.js'
import { systemClock } from '../../../src/telemetry/system-clock.js'
import { freePort } from '../../../bench/service/free-port.js'

const READ: EngineCall = { method: 'POST', path: '/i/_search', body: {}, isRead: true, timeoutMs: 20_000 }
const WRITE: EngineCall = { method: 'POST', path: '/_bulk', body: Buffer.from('{}\n'), timeoutMs: 20_000 }
const QUICK = { suspectAfterMs: 30, probeEveryMs: 20, probeTimeoutMs: 100 }
const MANY = 12

/** A node that responds, or that accepts requests and never responds. */
class PlayedNode {
  readonly server: Server
  url = ''
  /** Requests that are not probes. */
  requests = 0
  isHung = false

  constructor() {
    this.server = createServer((request, response) => {
      if (request.method !== 'HEAD') this.requests++
      if (this.isHung) return
      response.writeHead(request.method === 'HEAD' ? 405 : 200, { 'content-type': 'application/json' }).end('{}')
    })
  }

  async listen(port = 0): Promise<this> {
    this.server.listen(port, '127.0.0.1')
    await once(this.server, 'listening')
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
  }
}

let live: PlayedNode
let hung: PlayedNode
let dead: string
let changes: { readonly address: string; readonly isOut: boolean }[]
let onChange: (() => void)[]
let watches: NodeWatches
let client: EngineClient

beforeEach(async () => {
  live = await new PlayedNode().listen()
  hung = await new PlayedNode().listen()
  dead = `http://127.0.0.1:${await freePort()}`
  changes = []
  onChange = []
})
afterEach(async () => {
  await Promise.all([client.close(), watches.close(), live.close(), hung.close()])
})

function open(...urls: readonly string[]): void {
  const server = { urls, cloudId: null, username: null, password: null, apiKey: null, ca: null }
  const noteChange = (address: string, outage: unknown): void => {
    changes.push({ address, isOut: outage !== null })
    for (const notify of onChange.splice(0)) notify()
  }
  watches = new NodeWatches({ server, clock: systemClock, limits: QUICK, onChange: noteChange })
  client = new Client(server, 4, watches)
}

async function changed(address: string, isOut: boolean): Promise<void> {
  const has = (): boolean => changes.some(change => change.address === address && change.isOut === isOut)
  while (!has()) await new Promise<void>(resolve => onChange.push(resolve))
}

async function statuses(call: EngineCall): Promise<readonly number[]> {
  const replies = []
  for (let i = 0; i < MANY; i++) replies.push(await client.request(call))
  return replies.map(({ status }) => status)
}

const ALL_GOOD = Array.from({ length: MANY }, () => 200)

describe('a cluster with several nodes', () => {
  it('serves every read and write when the first of its nodes is dead', async () => {
    open(dead, live.url)
    expect(await statuses(READ)).toEqual(ALL_GOOD)
    expect(await statuses(WRITE)).toEqual(ALL_GOOD)
  })

  it('sends no more requests to a node that is known to hang, and serves every read', async () => {
    hung.isHung = true
    open(hung.url, live.url)
    expect(await statuses(READ)).toEqual(ALL_GOOD)
    await changed(hung.url, true)
    const { requests } = hung
    expect(await statuses(READ)).toEqual(ALL_GOOD)
    expect(await statuses(WRITE)).toEqual(ALL_GOOD)
    expect([requests, hung.requests]).toEqual([1, 1])
  })

  it('sends requests again to a node that responds again', async () => {
    hung.isHung = true
    open(hung.url, live.url)
    await statuses(READ)
    hung.isHung = false
    await changed(hung.url, false)
    const { requests } = hung
    await statuses(READ)
    expect(hung.requests).toBeGreaterThan(requests)
  })

  it('sends a write without a response to no other node', async () => {
    hung.isHung = true
    open(hung.url, live.url)
    await expect(client.request(WRITE)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect([hung.requests, live.requests]).toEqual([1, 0])
  })

  it('refuses at once, with the reason, when no node is known to respond', async () => {
    hung.isHung = true
    open(hung.url)
    await watches.examine()
    await expect(client.request(READ)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'the search store is unavailable'
    })
    expect(hung.requests).toBe(0)
  })
})

it.each([
  ['DELETE', '/*'],
  ['DELETE', '/logs-alidade.*'],
  ['DELETE', '/logs-alidade.app-a-000001,logs-alidade.app-*'],
  ['DELETE', '/logs-alidade.app-a-000001,-logs-alidade.app-b-000001'],
  ['DELETE', '/%2A'],
  ['DELETE', '/_all'],
  ['DELETE', '/'],
  ['DELETE', '/logs-alidade.app-a-000001,'],
  ['DELETE', '/a/b'],
  ['PUT', '/logs-*/_block/write'],
  ['PUT', '/_all/_settings'],
  ['PUT', '/_settings'],
  ['POST', '/logs-alidade.app-a-000001/_delete_by_query']
] as const)('no node receives %s %s, which names no indices one by one', async (method, path) => {
  open(live.url)
  await expect(client.request({ method, path, timeoutMs: 1_000 })).rejects.toThrow('must name each index')
  expect(live.requests).toBe(0)
  await client.request({ method: 'DELETE', path: '/logs-alidade.app-a_1-000001,traces-alidade.app-b-000001', timeoutMs: 1_000 })
  expect(live.requests).toBe(1)
})
