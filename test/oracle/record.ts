import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { snappyBlock, STALE_VALUE, writeRequest } from '../support/remote-write.js'
import { ORACLE_QUERIES, ORACLE_RANGE } from './queries.js'
import { END_MS, oracleWorld } from './world.js'

// Records what a real Prometheus answers: start an empty one with --web.enable-remote-write-receiver,
// --storage.tsdb.retention.time=100y and --enable-feature=promql-experimental-functions, then
//   npx tsx test/oracle/record.ts http://127.0.0.1:9090

const FILE = fileURLToPath(new URL('../fixtures/promql-oracle.json', import.meta.url))

const SLICE_MS = 600_000

/** In slices of time: a Prometheus takes nothing far behind its newest sample. */
async function fill(url: string): Promise<void> {
  for (let fromMs = END_MS - 2 * 3_600_000; fromMs <= END_MS + SLICE_MS; fromMs += SLICE_MS) {
    const parts = oracleWorld().map(({ labels, samples }) => {
      const sorted = Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
      const points = samples
        .filter(([ms]) => ms >= fromMs && ms < fromMs + SLICE_MS)
        .flatMap(([ms, value]) => (typeof value === 'object' ? [] : [[ms, value === 'stale' ? STALE_VALUE : value] as const]))
      return points.length === 0 ? Buffer.alloc(0) : writeRequest(sorted, ...points)
    })
    const reply = await fetch(`${url}/api/v1/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: snappyBlock(Buffer.concat(parts))
    })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  }
}

interface Reply {
  readonly status: string
  readonly errorType?: string
  readonly error?: string
  readonly data?: { readonly resultType: string; readonly result: unknown }
}

async function ask(url: string, query: string): Promise<readonly [query: string, answer: unknown]> {
  const { start, end, step } = ORACLE_RANGE
  const params = new URLSearchParams({ query, start: String(start), end: String(end), step: String(step) })
  const reply = (await (await fetch(`${url}/api/v1/query_range`, { method: 'POST', body: params })).json()) as Reply
  return [query, reply.status === 'success' ? reply.data!.result : { errorType: reply.errorType, error: reply.error }]
}

const url = process.argv[2] ?? 'http://127.0.0.1:9090'
await fill(url)
const lines: string[] = []
for (const query of ORACLE_QUERIES) lines.push(JSON.stringify(await ask(url, query)))
writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`)
process.stdout.write(`${lines.length} answers in ${FILE}\n`)
