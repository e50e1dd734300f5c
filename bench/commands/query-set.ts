import {
  FAILED_STATUS,
  KNOWN_TRACE_EVERY,
  KNOWN_USER,
  knownTrace,
  LINES_PER_KNOWN_TRACE,
  type LogTally,
  NEEDLE,
  NEEDLE_EVERY,
  SLOW_MS,
  UNKNOWN_TRACE
} from '../generate/logs.js'
import { percentile } from '../load/latencies.js'
import type { Row } from '../report.js'
import type { Session } from '../service/session.js'

/** One query of the table, with the count that its response must have. */
export interface TimedQuery {
  readonly name: string
  readonly run: (session: Session) => Promise<unknown>
  /** A number in the response that is known beforehand. */
  readonly count: (response: unknown) => number
  readonly expected: (rows: number) => number
}

interface LogsResult {
  readonly logs: readonly object[]
}
interface FacetsResult {
  readonly facets: readonly { readonly field: string; readonly values: readonly { readonly count: number }[] }[]
}
interface TotalCount {
  readonly data: { readonly logs: { readonly total: { readonly value: number } } }
}
interface HistogramCounts {
  readonly data: { readonly logs: { readonly histogram: { readonly series: readonly { readonly counts: readonly number[] }[] } } }
}

const ALL_TIME = { start: 0, end: 'now' }
const TOTAL = `query ($range: TimeRange!, $query: String!) { logs(range: $range, filter: { query: $query }) { total { value } } }`
const HISTOGRAM = `query ($range: TimeRange!) {
  logs(range: $range) { histogram(buckets: 60, by: "level") { grid { start stepMs length } series { key counts } } }
}`

function logs(body: object): (session: Session) => Promise<unknown> {
  return session => session.call('POST', '/api/v1/logs/query', { ...ALL_TIME, limit: 100, ...body })
}

function total(query: string, from: string): (session: Session) => Promise<unknown> {
  return session => session.call('POST', '/graphql', { query: TOTAL, variables: { range: { from, to: 'now' }, query } })
}

function facets(...fields: readonly string[]): (session: Session) => Promise<unknown> {
  return session => session.call('POST', '/api/v1/logs/facets', { ...ALL_TIME, fields })
}

const countLogs = (response: unknown): number => (response as LogsResult).logs.length

function countOf(field: string): (response: unknown) => number {
  return response => {
    const facet = (response as FacetsResult).facets.find(facet => facet.field === field)
    return facet?.values.reduce((sum, value) => sum + value.count, 0) ?? Number.NaN
  }
}

const readTotal = (response: unknown): number => (response as TotalCount).data.logs.total.value

function countBuckets(response: unknown): number {
  const counts = (response as HistogramCounts).data.logs.histogram.series.flatMap(series => series.counts)
  return counts.reduce((a, b) => a + b, 0)
}

function commonQueries(from: string): readonly TimedQuery[] {
  return [
    { name: 'newest 100', run: logs({}), count: countLogs, expected: rows => Math.min(100, rows) },
    { name: '+ service and level', run: logs({ service: 'checkout', level: 'warn' }), count: countLogs, expected: () => 100 },
    {
      name: 'rare substring',
      run: logs({ query: NEEDLE }),
      count: countLogs,
      expected: rows => Math.min(100, Math.floor(rows / NEEDLE_EVERY))
    },
    { name: 'three facets', run: facets('service', 'level', 'host'), count: countOf('level'), expected: rows => rows },
    {
      name: 'histogram by level',
      run: session => session.call('POST', '/graphql', { query: HISTOGRAM, variables: { range: { from, to: 'now' } } }),
      count: countBuckets,
      expected: rows => rows
    }
  ]
}

function queriesById({ spanId }: LogTally): readonly TimedQuery[] {
  const correlate = `/api/v1/logs/correlate/traces/${knownTrace(0)}`
  const linesOfTrace = (rows: number): number => Math.min(LINES_PER_KNOWN_TRACE, Math.floor(rows / KNOWN_TRACE_EVERY))
  return [
    {
      name: 'logs of a trace',
      run: session => session.call('GET', correlate),
      count: countLogs,
      expected: linesOfTrace
    },
    { name: 'logs by trace id', run: logs({ query: `trace_id:${knownTrace(0)}` }), count: countLogs, expected: linesOfTrace },
    {
      name: 'logs by span id',
      run: logs({ query: `span_id:${spanId ?? UNKNOWN_TRACE}` }),
      count: countLogs,
      expected: () => (spanId === null ? 0 : 1)
    },
    { name: 'no such trace id', run: logs({ query: `trace_id:${UNKNOWN_TRACE}` }), count: countLogs, expected: () => 0 }
  ]
}

function queriesByFreeField(from: string, tally: LogTally): readonly TimedQuery[] {
  const counted = (name: string, query: string, expected: number): TimedQuery => {
    return { name, run: total(query, from), count: readTotal, expected: () => expected }
  }
  const newest = (name: string, query: string): TimedQuery => {
    return { name, run: logs({ query }), count: countLogs, expected: () => Math.min(100, tally.failed) }
  }
  const status = 'log_fields.status'
  return [
    counted('free field, equal', `${status}:${FAILED_STATUS}`, tally.failed),
    counted('free field, range', `log_fields.duration_ms:>=${SLOW_MS}`, tally.slow),
    counted('free field, id', `log_fields.user_id:${KNOWN_USER}`, tally.ofUser),
    { name: 'free field, facet', run: facets(status), count: countOf(status), expected: rows => rows },
    newest('newest 100 by a free field', `${status}:${FAILED_STATUS}`),
    newest('newest 100 by any free field', `status:${FAILED_STATUS}`)
  ]
}

/** All queries, over all time. `from` is where the data begins: GraphQL requires a range with a start. */
export function timedQueries({ from, tally }: { readonly from: string; readonly tally: LogTally }): readonly TimedQuery[] {
  return [...commonQueries(from), ...queriesById(tally), ...queriesByFreeField(from, tally)]
}

/** Runs each query once cold and `repeats` times warm; `cpuSeconds` is what the service has used so far. */
export async function measureQuerySet(
  session: Session,
  options: { from: string; tally: LogTally; rows: number; repeats: number; cpuSeconds: () => number }
): Promise<Row[]> {
  const rows: Row[] = []
  for (const query of timedQueries(options)) {
    const took: number[] = []
    let found = Number.NaN
    let startCpu = 0
    for (let i = 0; i <= options.repeats; i++) {
      if (i === 1) startCpu = options.cpuSeconds()
      const startedAt = performance.now()
      const response = await query.run(session)
      took.push(performance.now() - startedAt)
      found = query.count(response)
    }
    const cpuMs = ((options.cpuSeconds() - startCpu) * 1000) / options.repeats
    const warm = took.slice(1).sort((a, b) => a - b)
    const expected = query.expected(options.rows)
    const verdict = found === expected ? String(found) : `${found}, NOT ${expected}`
    rows.push({
      query: query.name,
      'first ms': took[0]!,
      'median ms': percentile(warm, 0.5),
      'max ms': warm.at(-1)!,
      'cpu ms': cpuMs,
      found: verdict
    })
  }
  return rows
}
