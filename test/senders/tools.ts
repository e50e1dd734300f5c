import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../bench/service/free-port.js'
import type { Gateway } from './gateway.js'
import { runSender } from './run-sender.js'

const CONFIG = fileURLToPath(new URL('collector.yaml', import.meta.url))
const TRACES = 500
const CHILDREN = 3
const LOGS = 1_000
const LINES = 4_000
const OUTAGE_MS = 3_000
const SETTLE_MS = 30_000

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0)
}

/** telemetrygen: exactly as many spans and logs as it reports that it sent. */
export async function checkTelemetrygen(gateway: Gateway, tools: string, protocol: 'http' | 'grpc'): Promise<void> {
  const service = `telemetrygen-${protocol}`
  const endpoint = protocol === 'http' ? new URL(gateway.httpUrl).host : `127.0.0.1:${gateway.grpcPort}`
  const header = `x-api-key="${gateway.ingestKey}"`
  const common = ['--otlp-insecure', '--otlp-endpoint', endpoint, '--otlp-header', header, '--service', service, '--rate', '0']
  const flags = protocol === 'http' ? [...common, '--otlp-http'] : common
  const run = (signal: string, ...more: string[]): Promise<string> =>
    runSender(join(tools, 'telemetrygen'), [signal, ...flags, ...more])
  await run('traces', '--traces', String(TRACES), '--child-spans', String(CHILDREN), '--span-links', '1')
  await run('logs', '--logs', String(LOGS), '--body', 'from telemetrygen')
  await run('metrics', '--metrics', '50')
  const traces = await gateway.traces(service)
  const logs = await gateway.logs({ service })
  const spans = sum(traces.values())
  process.stdout.write(`  telemetrygen over ${protocol}: ${traces.size} traces, ${spans} spans, ${logs.length} logs\n`)
  assert.deepEqual([traces.size, spans, logs.length], [TRACES, TRACES * (CHILDREN + 1), LOGS])
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const ends = performance.now() + SETTLE_MS
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > ends) throw new Error(`${what} did not come about`)
    await sleep(500)
  }
}

/** A Collector that tails a file and passes spans on, while the service is killed and comes back: nothing may be missing. */
export async function checkCollector(gateway: Gateway, tools: string, folder: string): Promise<void> {
  const tail = join(folder, 'tailed.txt')
  await appendFile(tail, '')
  const inGrpc = `127.0.0.1:${await freePort()}`
  const env = {
    ...process.env,
    IN_GRPC: inGrpc,
    TAIL_FILE: tail,
    OTLP_GRPC: `127.0.0.1:${gateway.grpcPort}`,
    OTLP_HTTP: gateway.httpUrl,
    INGEST_KEY: gateway.ingestKey
  }
  const collector = spawn(join(tools, 'otelcol'), ['--config', CONFIG], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stated = ''
  collector.stderr.on('data', chunk => (stated = (stated + String(chunk)).slice(-20_000)))
  const write = async (from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i += 100)
      await appendFile(tail, Array.from({ length: Math.min(100, to - i) }, (_, k) => `line ${i + k} of the file\n`).join(''))
  }
  const generate = (): Promise<string> =>
    runSender(join(tools, 'telemetrygen'), [
      ...['traces', '--otlp-insecure', '--otlp-endpoint', inGrpc, '--service', 'collected', '--rate', '0'],
      ...['--traces', String(TRACES), '--child-spans', String(CHILDREN)]
    ])
  try {
    await until('the collector', async () => stated.includes('Everything is ready'))
    await write(0, LINES / 2)
    await generate()
    await gateway.kill()
    await write(LINES / 2, LINES)
    await generate()
    await sleep(OUTAGE_MS)
    await gateway.restart()
    await until('every line', async () => new Set((await linesOf(gateway)).map(line => line['message'])).size === LINES)
    await until('every span', async () => sum((await gateway.traces('collected')).values()) === 2 * TRACES * (CHILDREN + 1))
    await until('the load of the host', async () => (await gateway.metric('system_cpu_load_average_1m', 'host')).size > 0)
  } catch (error) {
    throw new Error(`${String(error)}\n${stated.slice(-3_000)}`, { cause: error })
  } finally {
    const ended = once(collector, 'close')
    collector.kill('SIGTERM')
    await ended
  }
  const lines = await linesOf(gateway)
  const traces = await gateway.traces('collected')
  const spans = sum(traces.values())
  process.stdout.write(
    `  collector through an outage: ${LINES} lines written, ${lines.length} found (${lines.length - LINES} sent twice); ${traces.size} traces, ${spans} spans\n`
  )
  // What the Collector sends again because its response died with the service is stored once (docs/adr/0019).
  assert.deepEqual([lines.length, traces.size, spans], [LINES, 2 * TRACES, 2 * TRACES * (CHILDREN + 1)])
}

function linesOf(gateway: Gateway): Promise<readonly Record<string, unknown>[]> {
  return gateway.logs({ query: '"of the file"' })
}
