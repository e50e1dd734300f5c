import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, requestHead } from '../load/connection.js'
import type { LoadOrder } from '../load/worker.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { loadRow, measureLoad } from './measured-load.js'
import { targetOf } from './with-service.js'

interface Delay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const PROBE = fileURLToPath(new URL('../service/loop-probe.mjs', import.meta.url))
const BIG_BODY_LOGS = 9_500
const BIG_MESSAGE_CHARS = 1_000
const RATE = 20_000

/** Delay of the HTTP process's event loop under 20k logs/s, alone and while one client sends bodies of almost 10 MiB. */
export function measureEventLoop(options: BenchOptions): Promise<Report> {
  return withTemporaryFolder('alidade-bench', async folder => {
    const probe = join(folder, 'probe')
    const service = await ServiceProcess.start({
      dataDir: join(folder, 'data'),
      nodeArgs: [...options.nodeArgs, '--import', PROBE],
      env: { BENCH_PROBE_FILE: probe }
    })
    try {
      const rows: Row[] = []
      for (const isBig of [false, true]) rows.push(await measureOne(service, probe, isBig, options))
      return { title: 'Event loop of the HTTP process', rows, notes: [] }
    } finally {
      await service.stop()
    }
  })
}

async function measureOne(service: ServiceProcess, probe: string, isBig: boolean, options: BenchOptions): Promise<Row> {
  const order: LoadOrder = {
    kind: 'logs',
    target: targetOf(service),
    batch: 200,
    seed: options.seed,
    warmUpSeconds: 0,
    pace: { connections: 64, rate: RATE, seconds: options.seconds }
  }
  await readDelay(service, probe)
  const stop = new AbortController()
  const big = isBig ? sendBigBodies(service, stop.signal) : Promise.resolve(0)
  const measured = await measureLoad(service, order, 0)
  const delay = await readDelay(service, probe)
  stop.abort()
  const bodies = await big
  const ack = loadRow('', measured)
  return {
    run: isBig ? `20k/s and ${bodies} bodies of 10 MiB` : '20k/s',
    'loop p50 ms': delay.p50,
    'loop p99 ms': delay.p99,
    'loop max ms': delay.max,
    'ack p99 ms': ack['p99 ms'] ?? null,
    refused: ack['refused'] ?? null
  }
}

async function readDelay(service: ServiceProcess, probe: string): Promise<Delay> {
  const file = `${probe}.${service.pid}`
  rmSync(file, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  while (!existsSync(file)) await sleep(20)
  await sleep(20)
  return JSON.parse(readFileSync(file, 'utf8')) as Delay
}

async function sendBigBodies(service: ServiceProcess, signal: AbortSignal): Promise<number> {
  const line = JSON.stringify({ message: 'x'.repeat(BIG_MESSAGE_CHARS), service: 'importer', level: 'info' })
  const body = Buffer.from(`{"logs":[${Array.from({ length: BIG_BODY_LOGS }, () => line).join(',')}]}`)
  const target = targetOf(service)
  const connection = new Connection(target)
  let accepted = 0
  while (!signal.aborted) {
    const reply = await connection.send(requestHead(target, '/api/v1/logs/batch', body.length), body)
    if (reply.status === 200) accepted++
    else if (reply.status === 429 || reply.status === 503) await sleep(100)
    else throw new Error(`a body of ${body.length} bytes: ${reply.status} ${reply.body.slice(0, 300)}`)
  }
  connection.close()
  return accepted
}
