import { percentile } from '../load/latencies.js'
import { runLoad } from '../load/run-load.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { EventStreamClient } from '../service/event-stream.js'
import type { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { targetOf, withService } from './with-service.js'

const ROWS_PER_SECOND = 10_000
const BATCH = 500
const GOAL_MS = 500
/** The shortest interval of a tail. */
const EVERY = '100ms'
/** What people follow: one service, its errors, and a string that is rare. */
const QUERIES = ['service:payments', 'service:payments level:error', 'service:payments status:500'] as const

interface Followed {
  readonly delaysMs: number[]
  dropped: number
}

/** Milliseconds from the arrival of a log at the service, which its record has, to its delivery to a client. */
async function follow(client: EventStreamClient, followed: Followed): Promise<void> {
  for (;;) {
    const event = await client.next().catch(() => null)
    if (event === null) return
    const nowMs = Date.now()
    const { logs = [], dropped = 0 } = event.data as { logs?: readonly { ingested_at: string }[]; dropped?: number }
    followed.dropped += dropped
    for (const { ingested_at } of logs) followed.delaysMs.push(nowMs - Date.parse(ingested_at))
  }
}

async function measure(service: ServiceProcess, query: string, { seed, seconds }: BenchOptions): Promise<Row> {
  const session = await Session.operator(service)
  const { key } = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: `tail ${query}`, kind: 'query' })
  const parameters = new URLSearchParams({ query, every: EVERY, max: '1000' })
  const client = await EventStreamClient.open(`${service.url}/api/v1/logs/tail?${parameters.toString()}`, { 'x-api-key': key })
  const followed: Followed = { delaysMs: [], dropped: 0 }
  const ended = follow(client, followed)
  const { result } = await runLoad(
    {
      kind: 'logs',
      target: targetOf(service),
      batch: BATCH,
      seed,
      warmUpSeconds: 2,
      pace: { connections: 4, rate: ROWS_PER_SECOND, seconds }
    },
    () => {
      followed.delaysMs.length = 0
    }
  )
  client.leave()
  await ended
  const sorted = followed.delaysMs.toSorted((a, b) => a - b)
  return {
    'tail of': query,
    'logs/s sent': result.items / seconds,
    'logs/s of the tail': sorted.length / seconds,
    dropped: followed.dropped,
    'p50, ms': percentile(sorted, 0.5),
    'p99, ms': percentile(sorted, 0.99),
    'max, ms': sorted.at(-1) ?? null,
    'goal of p99, ms': GOAL_MS
  }
}

/** How long after their arrival logs come to a live tail, while 10,000 logs a second arrive for `--seconds`. */
export function measureTailDelay(options: BenchOptions): Promise<Report> {
  return withService(options, async service => {
    const rows: Row[] = []
    for (const query of QUERIES) rows.push(await measure(service, query, options))
    return { title: `Delay of live tails over ${options.seconds} s each`, rows, notes: [] }
  })
}
