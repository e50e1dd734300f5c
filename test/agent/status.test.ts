import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { FaultLog } from '../../agent/src/fault-log.js'
import type { AgentStatus } from '../../agent/src/status/agent-status.js'
import { runStatus } from '../../agent/src/status/run-status.js'
import { freePort } from '../../bench/service/free-port.js'

const OK: AgentStatus = {
  agent: { version: '1.2.3', startedAtMs: 0, configHash: '0011223344556677' },
  url: 'http://127.0.0.1:8080',
  counters: { lines: 12, bytes: 340, gaps: 1, unparsed: 5, invalidUtf8: 2, droppedCollections: 4 },
  fault: null,
  retries: 3,
  sources: [
    { path: '/var/log/a "b"\\.log', state: 'reading', lagBytes: 42 },
    { path: '/var/log/c.log', state: 'searching', lagBytes: null }
  ]
}

let status: AgentStatus
let port: number
let stop: AbortController
let ended: Promise<void>
const faults: string[] = []

function run(): Promise<void> {
  const log = new FaultLog((event, { err }) => faults.push(`${event}: ${err as string}`), { nowMs: () => 0, elapsedMs: () => 0 })
  return runStatus({ port, status: async () => status, faults: log, signal: stop.signal })
}

beforeEach(async () => {
  ;[status, port, stop] = [OK, await freePort(), new AbortController()]
  faults.length = 0
  ended = run()
})
afterEach(async () => {
  stop.abort()
  await ended
})

async function get(path: string, host = `127.0.0.1:${port}`, method = 'GET'): Promise<readonly [number, string]> {
  const sent = request({ port, path, method, headers: { host } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return [response.statusCode!, await text(response)]
}

it('shows what was delivered and what waits', async () => {
  const [code, body] = await get('/status')
  expect([code, JSON.parse(body)]).toEqual([
    200,
    {
      version: '1.2.3',
      started_at: '1970-01-01T00:00:00.000Z',
      config_hash: '0011223344556677',
      url: 'http://127.0.0.1:8080',
      delivered: { lines: 12, bytes: 340, gaps: 1, retries: 3, unparsed_lines: 5, invalid_utf8_lines: 2 },
      metrics: { dropped_collections: 4 },
      fault: null,
      sources: [
        { path: '/var/log/a "b"\\.log', state: 'reading', lag_bytes: 42 },
        { path: '/var/log/c.log', state: 'searching', lag_bytes: null }
      ]
    }
  ])
})

it('is healthy while batches are stored', async () => {
  expect(await get('/health')).toEqual([200, '{"status":"ok"}\n'])
  status = { ...OK, fault: { text: 'connect ECONNREFUSED', isRefused: false } }
  expect(await get('/health')).toEqual([503, '{"status":"failing","detail":"connect ECONNREFUSED"}\n'])
})

it('has its counters and lags in the text format of Prometheus', async () => {
  const [code, body] = await get('/metrics')
  expect([code, body.split('\n').filter(line => !line.startsWith('#'))]).toEqual([
    200,
    [
      'alidade_agent_lines_total 12',
      'alidade_agent_bytes_total 340',
      'alidade_agent_gaps_total 1',
      'alidade_agent_unparsed_lines_total 5',
      'alidade_agent_invalid_utf8_lines_total 2',
      'alidade_agent_delivery_retries_total 3',
      'alidade_agent_dropped_collections_total 4',
      'alidade_agent_delivery_failing 0',
      'alidade_agent_source_lag_bytes{path="/var/log/a \\"b\\"\\\\.log"} 42',
      ''
    ]
  ])
})

it('is for this machine: names of other sites, methods and paths are refused', async () => {
  expect((await get('/status', 'evil.example'))[0]).toBe(403)
  expect((await get('/status', `localhost:${port}`))[0]).toBe(200)
  expect((await get('/status', undefined, 'POST'))[0]).toBe(405)
  expect((await get('/secrets'))[0]).toBe(404)
})

it('leaves the agent running when its port is taken', async () => {
  await get('/health')
  const second = run()
  await get('/health')
  stop.abort()
  await second
  expect(faults).toEqual([expect.stringMatching(/^status not served: .*EADDRINUSE/)])
})
