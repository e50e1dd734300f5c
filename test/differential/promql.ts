/**
 * Sends the same random queries to a Prometheus that holds the series of test/oracle and to the evaluator over them:
 * `npx tsx test/differential/promql.ts http://127.0.0.1:9090 [queries] [seed] [off]`. Start it as test/oracle/record.ts states, or
 * for `off`, what Prometheus calls experimental refused, without features.
 */
import { fillPrometheus } from '../oracle/fill.js'
import { END_MS, oracleWorld } from '../oracle/world.js'
import { isGatewayError } from '../../src/domain/errors.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../src/query/promql/promql-error.js'
import { writeResult } from '../../src/query/promql/result-json.js'
import { exprJson } from '../../src/query/promql/syntax/ast-json.js'
import { parsePromql } from '../../src/query/promql/syntax/parser.js'
import { printPretty } from '../../src/query/promql/syntax/print.js'
import { PromqlBench } from '../support/promql.js'
import { differenceOf, type PromqlReply } from './promql-replies.js'
import { promqlQuery, type PromqlRequest, randomFrom } from './promql-queries.js'

const [url = 'http://127.0.0.1:9090', queries = '3000', seed = '1', experimental = 'on'] = process.argv.slice(2)
const MAX_BYTES = 1 << 28

async function queryPrometheus(path: string, params: Record<string, string>): Promise<PromqlReply> {
  const reply = await fetch(`${url}/api/v1/${path}`, { method: 'POST', body: new URLSearchParams(params) })
  const text = await reply.text()
  // It cannot show an infinity in a tree.
  return text.startsWith('{') ? (JSON.parse(text) as PromqlReply) : { status: 'none' }
}

function paramsOf({ query, ...times }: PromqlRequest): Record<string, string> {
  return { query, ...Object.fromEntries(Object.entries(times).map(([name, value]) => [name, String(value)])) }
}

function stepsOf(request: PromqlRequest): Parameters<PromqlBench['run']>[1] {
  if ('time' in request) return { startMs: Math.round(request.time * 1_000), stepMs: 1, count: 1 }
  const [startMs, endMs, stepMs] = [request.start * 1_000, request.end * 1_000, request.step * 1_000]
  return { startMs, stepMs, count: Math.floor((endMs - startMs) / stepMs) + 1, endMs }
}

function failed(error: unknown): PromqlReply {
  if (error instanceof PromqlBadQuery || isGatewayError(error, 'invalid_query')) {
    return { status: 'error', errorType: 'bad_data', error: `invalid parameter "query": ${error.message}` }
  }
  if (error instanceof PromqlExecutionError) return { status: 'error', errorType: 'execution', error: error.message }
  throw error
}

const allowsExperimental = experimental !== 'off'
const bench = new PromqlBench(oracleWorld(), { allowsExperimental })

async function response(request: PromqlRequest): Promise<PromqlReply> {
  const steps = stepsOf(request)
  const isRange = 'start' in request
  try {
    const given = await bench.run(request.query, steps, () => null, isRange)
    const requested = { query: request.query, steps, isRange }
    return JSON.parse(Buffer.from(writeResult(requested, given, MAX_BYTES)).toString()) as PromqlReply
  } catch (error) {
    return failed(error)
  }
}

function written(query: string): { readonly text: string; readonly tree: unknown } | null {
  try {
    const expr = parsePromql(query, allowsExperimental)
    return { text: printPretty(expr), tree: JSON.parse(JSON.stringify(exprJson(expr))) }
  } catch {
    return null
  }
}

/** Whether the query is written, and its tree shown, as Prometheus does. */
async function writtenDifference(query: string): Promise<string | null> {
  const own = written(query)
  if (own === null) return null
  const [text, tree] = [await queryPrometheus('format_query', { query }), await queryPrometheus('parse_query', { query })]
  if (text.status === 'error' || tree.status === 'error') return differenceOf(text, { status: 'success', data: own.text })
  if (text.data !== own.text) return `is written as ${JSON.stringify(text.data)}, here as ${JSON.stringify(own.text)}`
  if (tree.status === 'none') return null
  return differenceOf({ status: 'success', tree: tree.data }, { status: 'success', tree: own.tree })
}

const there = await queryPrometheus('query', { query: 'heat', time: String(END_MS / 1_000) })
if (!JSON.stringify(there.data).includes('"metric"')) await fillPrometheus(url)
const random = randomFrom(Number(seed))
const tally = { equal: 0, withData: 0, refused: 0, different: 0 }
for (let i = 0; i < Number(queries); i++) {
  const request = promqlQuery(random)
  const path = 'time' in request ? 'query' : 'query_range'
  const theirs = await queryPrometheus(path, paramsOf(request))
  const difference = differenceOf(theirs, await response(request)) ?? (await writtenDifference(request.query))
  if (difference !== null) {
    tally.different++
    process.stdout.write(`${JSON.stringify(request)}\n  ${difference}\n`)
  } else if (theirs.status === 'error') tally.refused++
  else {
    tally.equal++
    if (JSON.stringify(theirs.data).includes('"metric"')) tally.withData++
  }
}
process.stdout.write(`${JSON.stringify(tally)}\n`)
process.exitCode = tally.different > 0 ? 1 : 0
