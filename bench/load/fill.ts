import { setTimeout as sleep } from 'node:timers/promises'
import { LogSource, type LogTally } from '../generate/logs.js'
import { Connection, requestHead } from './connection.js'
import type { Target } from './connection.js'

/** Logs to put into one namespace, spread evenly over a stretch of time, oldest first. */
export interface FillOrder {
  readonly target: Target
  /** Namespace of the body; the key's own when absent. */
  readonly namespace?: string
  readonly rows: number
  readonly seed: number
  readonly startNs: bigint
  readonly endNs: bigint
  readonly batch: number
  readonly connections: number
  /** What makes the logs; the usual ones of `seed` when absent. */
  readonly source?: Pick<LogSource, 'next'>
  readonly onProgress?: (rows: number) => void
}

/** What was sent. */
export interface Filled {
  readonly seconds: number
  /** Bytes of the records as NDJSON, line ends included. */
  readonly bytes: number
  readonly tally: LogTally
}

const NS_PER_SECOND = 1_000_000_000n
const RETRY_MS = 200
const MAX_RETRIES = 300

/** Sends all rows and resolves once each is acknowledged; waits and repeats when the service returns 429 or 503. */
export async function fill(order: FillOrder): Promise<Filled> {
  const startedAt = performance.now()
  const usual = new LogSource(order.seed)
  const source = order.source ?? usual
  const stepNs = (order.endNs - order.startNs) / BigInt(order.rows)
  let made = 0
  let bytes = 0
  const nextBody = (): Buffer | null => {
    const count = Math.min(order.batch, order.rows - made)
    if (count === 0) return null
    const lines: string[] = []
    for (let i = 0; i < count; i++) {
      const at = order.startNs + stepNs * BigInt(made++)
      lines.push(source.next(Number(at / NS_PER_SECOND), Number(at % NS_PER_SECOND)))
    }
    const name = order.namespace === undefined ? '' : `"namespace":"${order.namespace}",`
    const body = Buffer.from(`{${name}"logs":[${lines.join(',')}]}`, 'latin1')
    bytes += body.length
    return body
  }
  await Promise.all(Array.from({ length: order.connections }, () => sender(order, nextBody, () => order.onProgress?.(made))))
  return { seconds: (performance.now() - startedAt) / 1000, bytes, tally: usual.tally }
}

async function sender(order: FillOrder, nextBody: () => Buffer | null, onSent: () => void): Promise<void> {
  const connection = new Connection(order.target)
  for (let body = nextBody(); body !== null; body = nextBody()) {
    await sendWithRetries(connection, order.target, body)
    onSent()
  }
  connection.close()
}

async function sendWithRetries(connection: Connection, target: Target, body: Buffer): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const reply = await connection.send(requestHead(target, '/api/v1/logs/batch', body.length), body)
    if (reply.status === 200) return
    if ((reply.status !== 429 && reply.status !== 503) || attempt === MAX_RETRIES) {
      throw new Error(`filling: ${reply.status} ${reply.body.slice(0, 300)}`)
    }
    await sleep(RETRY_MS)
  }
}
