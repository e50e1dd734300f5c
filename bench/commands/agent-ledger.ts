import { lineOf } from '../load/agent-lines.js'
import { Connection, requestHead } from '../load/connection.js'
import { median } from '../load/latencies.js'
import type { Row } from '../report.js'
import { waitUntilCalm } from '../service/proc.js'
import type { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { targetOf } from './with-service.js'

/** As many as a namespace has at most. */
const STREAMS = 20_000
const SENDERS = 8
const READS = 5
const BATCH = 1_000
const ROUNDS = 12
const BATCHES_A_ROUND = 40

/** The report over as many streams as a namespace may have, and what `stream` adds to the cost of a batch. */
export async function ledgerRows(service: ServiceProcess): Promise<readonly Row[]> {
  return [await streamCost(service), await reportOfMany(service)]
}

/** CPU of the service a line in batches of 1,000 without and with `stream`, in alternating rounds. */
async function streamCost(service: ServiceProcess): Promise<Row> {
  const sender = new BatchSender(service)
  const costs = { without: [] as number[], with: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const arm of ['without', 'with'] as const) {
      await waitUntilCalm(service.pid)
      const before = service.cpuSeconds()
      for (let i = 0; i < BATCHES_A_ROUND; i++) await sender.send(arm === 'with')
      await waitUntilCalm(service.pid)
      // The first round warms up.
      if (round > 0) costs[arm].push(((service.cpuSeconds() - before) / (BATCHES_A_ROUND * BATCH)) * 1e6)
    }
  }
  sender.close()
  const [without, withStream] = [median(costs.without), median(costs.with)]
  return {
    step: `batches of ${BATCH.toLocaleString('en-US')}`,
    'service us/line without stream': without,
    'with stream': withStream,
    ratio: median(costs.with.map((cost, i) => cost / costs.without[i]!))
  }
}

/** Sends batches of lines that are alike with and without their stream. */
class BatchSender {
  readonly #target
  readonly #connection
  #line = 0
  #seq = 0
  #offset = 0

  constructor(service: ServiceProcess) {
    this.#target = targetOf(service)
    this.#connection = new Connection(this.#target)
  }

  async send(hasStream: boolean): Promise<void> {
    const now = Date.now()
    const timestamp = new Date(now).toISOString()
    const lines = Array.from({ length: BATCH }, () => lineOf('plain', this.#line++, now).trimEnd())
    const logs = lines.map(message => ({ timestamp, message, service: 'ledger' }))
    const stream = hasStream ? { stream: this.#nextStream(lines) } : {}
    await post(this.#connection, this.#target, { ...stream, logs })
  }

  close(): void {
    this.#connection.close()
  }

  #nextStream(lines: readonly string[]): object {
    const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0)
    const from = this.#offset
    this.#offset += bytes
    return streamOf('bench-ledger', ++this.#seq, { from, to: this.#offset, firstLine: (this.#seq - 1) * BATCH + 1, lines: BATCH })
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly firstLine: number
  readonly lines: number
}

function streamOf(id: string, seq: number, { from, to, firstLine, lines }: Range): object {
  const sealedAt = new Date().toISOString()
  return { id, path: `/var/log/${id}.log`, kind: 'file', seq, from, to, first_line: firstLine, lines, sealed_at: sealedAt }
}

async function post(connection: Connection, target: ReturnType<typeof targetOf>, batch: object): Promise<void> {
  const body = Buffer.from(JSON.stringify(batch))
  const reply = await connection.send(requestHead(target, '/api/v1/logs/batch', body.length), body)
  if (reply.status !== 200) throw new Error(`batch: ${reply.status} ${reply.body.slice(0, 300)}`)
}

/** Time of a page of the report, of one path and of the first streams, while there are 20,000. */
async function reportOfMany(service: ServiceProcess): Promise<Row> {
  const target = targetOf(service)
  let made = 1
  const sender = async (): Promise<void> => {
    const connection = new Connection(target)
    while (made < STREAMS) {
      const id = `bench-many-${made++}`
      const stream = streamOf(id, 1, { from: 0, to: 10, firstLine: 1, lines: 1 })
      await post(connection, target, { stream, logs: [{ message: 'a line...', service: 'many' }] })
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  const session = await Session.operator(service)
  return {
    step: `report over ${STREAMS.toLocaleString('en-US')} streams`,
    'first page ms': await medianMs(() => session.text('GET', '/api/v1/streams')),
    'one path ms': await medianMs(() => session.text('GET', '/api/v1/streams?path=/var/log/bench-many-12345.log'))
  }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < READS; i++) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  return median(times)
}
