import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LineFormat, lineOf } from '../load/agent-lines.js'
import { median } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import type { Row } from '../report.js'
import { AgentProcess } from '../service/agent-process.js'
import type { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { agentConfig } from './agent-config.js'

const FORMAT: LineFormat = 'syslog'
const RATES = [5_000, 10_000] as const
const SLICE_MS = 50
const POLL_MS = 50
const WARM_UP_SECONDS = 10
const GIVE_UP_MS = 30_000

/** Memory and CPU of an agent whose file grows at a steady rate, and how long its newest line takes until a search finds it. */
export async function pacedRows(service: ServiceProcess, folder: string, options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const rate of RATES) rows.push(await paced(service, join(folder, `pace-${rate}`), rate, options))
  return rows
}

async function paced(service: ServiceProcess, folder: string, rate: number, { seconds, nodeArgs }: BenchOptions): Promise<Row> {
  await mkdir(folder)
  const path = join(folder, 'syslog')
  const name = `pace-${rate}`
  await appendFile(path, lineOf(FORMAT, 0, Date.now()))
  const files = [{ path, format: FORMAT, service: name, start_at: 'beginning' }]
  const agent = await AgentProcess.start(agentConfig(service, folder, files), folder, nodeArgs)
  const writing = new SteadyWriter(path, rate)
  try {
    await writing.run(WARM_UP_SECONDS)
    const [cpuBefore, writtenBefore, session] = [agent.cpuSeconds, writing.written, await Session.operator(service)]
    const delays: number[] = []
    const memory: number[] = []
    const startedMs = performance.now()
    const ended = writing.run(seconds)
    for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; memory.push(agent.rssMb))
      delays.push(await untilFound(session, name, writing.newest))
    await ended
    const tookS = (performance.now() - startedMs) / 1_000
    const lines = writing.written - writtenBefore
    return {
      step: `${rate.toLocaleString('en-US')} lines/s, ${FORMAT}`,
      'lines/s': lines / tookS,
      'us/line': ((agent.cpuSeconds - cpuBefore) / lines) * 1e6,
      'RSS MB': Math.max(...memory),
      'until found, median ms': median(delays),
      'until found, slowest ms': Math.max(...delays)
    }
  } finally {
    await agent.stop()
  }
}

/** The last line of a file and the time at which it was written, by `performance.now()`. */
interface Written {
  readonly number: number
  readonly atMs: number
}

/** Appends lines to a file, so many a second. */
class SteadyWriter {
  readonly #path: string
  readonly #rate: number
  /** Lines so far; the first was there. */
  written = 1
  newest: Written = { number: 0, atMs: 0 }

  constructor(path: string, rate: number) {
    this.#path = path
    this.#rate = rate
  }

  async run(seconds: number): Promise<void> {
    const [startMs, first] = [performance.now(), this.written]
    for (let due = 0; due < seconds * this.#rate;) {
      await sleep(SLICE_MS)
      due = Math.min(seconds, (performance.now() - startMs) / 1_000) * this.#rate
      const count = first + Math.floor(due) - this.written
      if (count > 0) await this.#append(count)
    }
  }

  async #append(count: number): Promise<void> {
    const [first, now] = [this.written, Date.now()]
    await appendFile(this.#path, Array.from({ length: count }, (_, i) => lineOf(FORMAT, first + i, now)).join(''))
    this.written += count
    this.newest = { number: this.written - 1, atMs: performance.now() }
  }
}

/** Milliseconds from the writing of a line until a search finds it. */
async function untilFound(session: Session, service: string, { number, atMs }: Written): Promise<number> {
  const order = { query: `service:${service} "request ${number} of user"`, start: 'now-2m', limit: 1 }
  while (performance.now() - atMs < GIVE_UP_MS) {
    const { logs } = await session.call<{ logs: readonly object[] }>('POST', '/api/v1/logs/query', order)
    if (logs.length > 0) return performance.now() - atMs
    await sleep(POLL_MS)
  }
  throw new Error(`line ${number} was not found within ${GIVE_UP_MS} ms`)
}
