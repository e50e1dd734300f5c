import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fillPrometheus } from './fill.js'
import { ORACLE_QUERIES, ORACLE_RANGE } from './queries.js'

// Records the responses of a real Prometheus: start an empty one with --web.enable-remote-write-receiver,
// --storage.tsdb.retention.time=100y and, in --enable-feature, promql-experimental-functions, promql-duration-expr,
// promql-extended-range-selectors and promql-binop-fill-modifiers, then
//   npx tsx test/oracle/record.ts http://127.0.0.1:9090

const FILE = fileURLToPath(new URL('../fixtures/promql-oracle.json', import.meta.url))

interface Reply {
  readonly status: string
  readonly errorType?: string
  readonly error?: string
  readonly data?: { readonly resultType: string; readonly result: unknown }
}

async function request(url: string, query: string): Promise<readonly [query: string, response: unknown]> {
  const { start, end, step } = ORACLE_RANGE
  const params = new URLSearchParams({ query, start: String(start), end: String(end), step: String(step) })
  const reply = (await (await fetch(`${url}/api/v1/query_range`, { method: 'POST', body: params })).json()) as Reply
  return [query, reply.status === 'success' ? reply.data!.result : { errorType: reply.errorType, error: reply.error }]
}

const url = process.argv[2] ?? 'http://127.0.0.1:9090'
await fillPrometheus(url)
const lines: string[] = []
for (const query of ORACLE_QUERIES) lines.push(JSON.stringify(await request(url, query)))
writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`)
process.stdout.write(`${lines.length} responses in ${FILE}\n`)
