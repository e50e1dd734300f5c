import { KNOWN_TRACE_EVERY, knownTrace, LINES_PER_KNOWN_TRACE, NEEDLE, NEEDLE_EVERY } from '../generate/logs.js'
import { percentile } from '../load/latencies.js'
import type { Row } from '../report.js'
import type { Session } from '../service/session.js'

/** One query of the table, with the count that its response must have. */
interface TimedQuery {
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
interface HistogramCounts {
  readonly data: { readonly logs: { readonly histogram: { readonly series: readonly { readonly counts: readonly number[] }[] } } }
}

const ALL_TIME = { start: 0, end: 'now' }
const HISTOGRAM = `query ($range: TimeRange!) {
  logs(range: $range) { histogram(buckets: 60, by: "level") { grid { start stepMs length } series { key counts } } }
}`

function logs(body: object): (session: Session) => Promise<unknown> {
  return session => session.call('POST', '/api/v1/logs/query', { ...ALL_TIME, limit: 100, ...body })
}

const countLogs = (response: unknown): number => (response as LogsResult).logs.length

function countLevels(response: unknown): number {
  const facet = (response as FacetsResult).facets.find(facet => facet.field === 'level')
  return facet?.values.reduce((sum, value) => sum + value.count, 0) ?? Number.NaN
}

function countBuckets(response: unknown): number {
  const counts = (response as HistogramCounts).data.logs.histogram.series.flatMap(series => series.counts)
  return counts.reduce((a, b) => a + b, 0)
}

/** The six queries, over all time. `from` is where the data begins: GraphQL requires a range with a start. */
export function timedQueries(from: string): readonly TimedQuery[] {
  const correlate = `/api/v1/logs/correlate/traces/${knownTrace(0)}`
  return [
    { name: 'newest 100', run: logs({}), count: countLogs, expected: rows => Math.min(100, rows) },
    { name: '+ service and level', run: logs({ service: 'checkout', level: 'warn' }), count: countLogs, expected: () => 100 },
    {
      name: 'rare substring',
      run: logs({ query: NEEDLE }),
      count: countLogs,
      expected: rows => Math.min(100, Math.floor(rows / NEEDLE_EVERY))
    },
    {
      name: 'three facets',
      run: session => session.call('POST', '/api/v1/logs/facets', { ...ALL_TIME, fields: ['service', 'level', 'host'] }),
      count: countLevels,
      expected: rows => rows
    },
    {
      name: 'histogram by level',
      run: session => session.call('POST', '/graphql', { query: HISTOGRAM, variables: { range: { from, to: 'now' } } }),
      count: countBuckets,
      expected: rows => rows
    },
    {
      name: 'logs of a trace',
      run: session => session.call('GET', correlate),
      count: countLogs,
      expected: rows => Math.min(LINES_PER_KNOWN_TRACE, Math.floor(rows / KNOWN_TRACE_EVERY))
    }
  ]
}

/** Runs each query once cold and `repeats` times warm. */
export async function measureQuerySet(
  session: Session,
  options: { from: string; rows: number; repeats: number }
): Promise<Row[]> {
  const rows: Row[] = []
  for (const query of timedQueries(options.from)) {
    const took: number[] = []
    let found = Number.NaN
    for (let i = 0; i <= options.repeats; i++) {
      const startedAt = performance.now()
      const response = await query.run(session)
      took.push(performance.now() - startedAt)
      found = query.count(response)
    }
    const warm = took.slice(1).sort((a, b) => a - b)
    const expected = query.expected(options.rows)
    const verdict = found === expected ? String(found) : `${found}, NOT ${expected}`
    rows.push({
      query: query.name,
      'first ms': took[0]!,
      'median ms': percentile(warm, 0.5),
      'max ms': warm.at(-1)!,
      found: verdict
    })
  }
  return rows
}
