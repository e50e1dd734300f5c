import { fill } from '../load/fill.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'
import { Session } from '../service/session.js'
import type { ServiceProcess } from '../service/service-process.js'
import { sealedRows, waitUntilMerged } from './disk-use.js'
import { targetOf, withService } from './with-service.js'

interface Aggregate {
  readonly rows: readonly { readonly measures: readonly { readonly value: number | null }[] }[]
  readonly complete: boolean
}

interface Facets {
  readonly facets: readonly { readonly values: readonly { readonly count: number }[] }[]
}

interface TimedRequest {
  readonly name: string
  readonly path: string
  readonly body: object
  /** The logs that a response has counted. */
  readonly counted: (response: unknown) => number
  /** Whether those are all that were loaded. */
  readonly isWhole: boolean
}

const HOUR_NS = 3_600_000_000_000n
const DAYS_NS = 72n * HOUR_NS
const BATCH = 2_000
const CONNECTIONS = 6
const MS_NS = 1_000_000n
const COUNT = { fn: 'count' }
const P95 = { fn: 'p95', field: 'log_fields.duration_ms' }

/**
 * Measures over fields and automatic facets of `--rows` logs of three days, in their latest hour and in all of them. With
 * `--data-dir` of an earlier run its logs are measured again.
 */
export function measureAggregate(options: BenchOptions): Promise<Report> {
  return withService(options, service => measure(service, options))
}

async function measure(service: ServiceProcess, options: BenchOptions): Promise<Report> {
  const notes = [await loadOnce(service, await Session.operator(service), options)]
  // The token does not outlast a long load.
  const session = await Session.operator(service)
  const latestNs = await latestTime(session)
  const lastHour = { start: String(latestNs - HOUR_NS), end: String(latestNs + 1n), buckets: 60 }
  const allTime = { start: String(latestNs - DAYS_NS), end: String(latestNs + 1n), buckets: 60 }
  const aggregate = { path: '/api/v1/aggregate', counted: countedByGroup }
  const byService = { measures: [COUNT, P95], group_by: ['service'], limit: 20 }
  const facets = { path: '/api/v1/logs/facets', counted: countedByFacet }
  const cases: readonly TimedRequest[] = [
    { ...facets, name: 'automatic facets, last hour', body: { start: lastHour.start, end: lastHour.end }, isWhole: false },
    { ...facets, name: 'automatic facets, all time', body: { start: allTime.start, end: allTime.end }, isWhole: true },
    { ...aggregate, name: 'p95 by service over 60 steps, last hour', body: { ...byService, ...lastHour }, isWhole: false },
    { ...aggregate, name: 'p95 by service over 60 steps, all time', body: { ...byService, ...allTime }, isWhole: true },
    { ...aggregate, name: 'p95 by service, all time', body: { ...byService, ...allTime, buckets: undefined }, isWhole: true },
    {
      ...aggregate,
      name: 'count by service over 60 steps, all time',
      body: { ...byService, ...allTime, measures: [COUNT] },
      isWhole: true
    }
  ]
  const table: Row[] = []
  for (const each of cases) table.push(await timed(service, session, each, options))
  const { sealed, waiting } = await sealedRows(service.url)
  notes.push(
    `${formatNumber(sealed)} rows in segments, ${formatNumber(waiting)} in the hot tier; ${formatNumber(service.memoryMb())} MB`
  )
  return { title: `Measures over fields, ${options.rows.toLocaleString('en-US')} logs`, rows: table, notes }
}

/** Loads logs unless an earlier run did; returns what was done as a sentence. */
async function loadOnce(service: ServiceProcess, session: Session, { rows, seed }: BenchOptions): Promise<string> {
  const { rows: counted } = await session.call<Aggregate>('POST', '/api/v1/aggregate', { start: 0, measures: [COUNT] })
  const stored = counted[0]!.measures[0]!.value ?? 0
  if (stored > 0) {
    if (stored !== rows)
      throw new Error(`the data folder has ${stored} logs, not ${rows}; use --rows ${stored} or another folder`)
    return `${formatNumber(stored)} logs of an earlier run`
  }
  const endNs = BigInt(Date.now()) * MS_NS
  const startNs = endNs - DAYS_NS
  const { seconds } = await fill({
    ...{ target: targetOf(service), rows, seed, startNs, endNs, batch: BATCH, connections: CONNECTIONS }
  })
  await waitUntilMerged(service.dataDir)
  return `loaded at ${formatNumber(rows / seconds)} logs/s over three days`
}

async function latestTime(session: Session): Promise<bigint> {
  const body = { start: 0, limit: 1 }
  const { logs } = await session.call<{ logs: readonly { timestamp: string }[] }>('POST', '/api/v1/logs/query', body)
  return BigInt(Date.parse(logs[0]!.timestamp)) * MS_NS + MS_NS
}

function countedByGroup(response: unknown): number {
  return (response as Aggregate).rows.reduce((sum, { measures }) => sum + (measures[0]!.value ?? 0), 0)
}

/** Each log has a value of the first facet, and few values are not listed. */
function countedByFacet(response: unknown): number {
  return (response as Facets).facets[0]!.values.reduce((sum, { count }) => sum + count, 0)
}

async function timed(
  service: ServiceProcess,
  session: Session,
  { name, path, body, counted, isWhole }: TimedRequest,
  { rows, repeats }: BenchOptions
): Promise<Row> {
  const times: number[] = []
  let response: unknown = null
  let cpuBefore = 0
  for (let i = 0; i <= repeats; i++) {
    // The first one warms up.
    if (i === 1) cpuBefore = service.cpuSeconds()
    const startedAt = performance.now()
    response = await session.call('POST', path, body)
    if (i > 0) times.push(performance.now() - startedAt)
  }
  const cpuMs = ((service.cpuSeconds() - cpuBefore) * 1000) / repeats
  const found = counted(response)
  times.sort((a, b) => a - b)
  return {
    request: name,
    'median ms': percentile(times, 0.5),
    'max ms': times.at(-1)!,
    'cpu ms': cpuMs,
    rows: isWhole && found !== rows ? `${found}, NOT ${rows}` : String(found)
  }
}
