import { WideLogs } from '../generate/wide-logs.js'
import { fill } from '../load/fill.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'
import { Session } from '../service/session.js'
import type { ServiceProcess } from '../service/service-process.js'
import { sealedRows, waitUntilMerged } from './disk-use.js'
import { targetOf, withService } from './with-service.js'

interface Comparison {
  readonly findings: readonly { readonly name: string; readonly value: string | null }[]
  readonly tested: number
  readonly base: { readonly rows: number }
  readonly other: { readonly rows: number }
}

const HOUR_MS = 3_600_000
const NS_PER_MS = 1_000_000n
const HOUR_NS = BigInt(HOUR_MS) * NS_PER_MS
const BATCH = 2_000
const CONNECTIONS = 4

/**
 * What differs between two hours, the second one after a deployment, and between two halves of the first. With
 * `--data-dir` of an earlier run its logs are compared again.
 */
export function measureCompare(options: BenchOptions): Promise<Report> {
  return withService(options, service => measure(service, options))
}

async function measure(service: ServiceProcess, options: BenchOptions): Promise<Report> {
  const { rows, repeats } = options
  const { endNs, note } = await loadOnce(service, options)
  const [startNs, middleNs] = [endNs - 2n * HOUR_NS, endNs - HOUR_NS]
  // The token does not outlast a long load.
  const session = await Session.operator(service)
  const time = (ns: bigint): string => String(ns)
  const quarterNs = startNs + HOUR_NS / 2n
  const cases = {
    'two hours, the second after a deployment': [
      { start: time(startNs), end: time(middleNs) },
      { start: time(middleNs), end: time(endNs) }
    ],
    'two halves of the first hour': [
      { start: time(startNs), end: time(quarterNs) },
      { start: time(quarterNs), end: time(middleNs) }
    ],
    'failing against other logs of the second hour': [
      { start: time(middleNs), end: time(endNs), query: '-level:error' },
      { start: time(middleNs), end: time(endNs), query: 'level:error' }
    ]
  }
  const table: Row[] = []
  for (const [name, [base, other]] of Object.entries(cases)) {
    table.push(await timed({ service, session, name, body: { base, other } }, repeats))
  }
  const { sealed, waiting } = await sealedRows(service.url)
  const notes = [
    `${note}, 30 fields`,
    `${formatNumber(sealed)} rows in segments, ${formatNumber(waiting)} in the hot tier; ${formatNumber(service.memoryMb())} MB`
  ]
  return { title: `What differs, ${rows.toLocaleString('en-US')} logs an hour`, rows: table, notes }
}

/** Loads logs unless an earlier run did; returns where the second hour ends, a whole millisecond, and what was done. */
async function loadOnce(
  service: ServiceProcess,
  { rows, seed }: BenchOptions
): Promise<{ readonly endNs: bigint; readonly note: string }> {
  const session = await Session.operator(service)
  const { logs } = await session.call<{ logs: readonly { timestamp: string }[] }>('POST', '/api/v1/logs/query', {
    start: 0,
    limit: 1
  })
  const [latest] = logs
  if (latest !== undefined) {
    // The end is a step behind the latest log.
    const endMs = Date.parse(latest.timestamp) + Math.ceil(HOUR_MS / rows)
    return { endNs: BigInt(endMs) * NS_PER_MS, note: 'logs of an earlier run' }
  }
  const endNs = BigInt(Date.now()) * NS_PER_MS
  const middleNs = endNs - HOUR_NS
  const order = { target: targetOf(service), rows, seed, batch: BATCH, connections: CONNECTIONS }
  const source = (isDeployed: boolean) => new WideLogs(isDeployed ? seed + 1 : seed, isDeployed)
  const before = await fill({ ...order, startNs: middleNs - HOUR_NS, endNs: middleNs, source: source(false) })
  const after = await fill({ ...order, startNs: middleNs, endNs, source: source(true) })
  const rate = formatNumber((2 * rows) / (before.seconds + after.seconds))
  await waitUntilMerged(service.dataDir)
  return { endNs, note: `loaded at ${rate} logs/s, ${formatNumber(before.bytes / rows)} bytes a log as sent` }
}

interface TimedComparison {
  readonly service: ServiceProcess
  readonly session: Session
  readonly name: string
  readonly body: object
}

async function timed({ service, session, name, body }: TimedComparison, repeats: number): Promise<Row> {
  const times: number[] = []
  let result: Comparison | null = null
  let cpuBefore = 0
  for (let i = 0; i <= repeats; i++) {
    // The first one warms up.
    if (i === 1) cpuBefore = service.cpuSeconds()
    const startedAt = performance.now()
    result = await session.call<Comparison>('POST', '/api/v1/compare', body)
    if (i > 0) times.push(performance.now() - startedAt)
  }
  const cpuMs = ((service.cpuSeconds() - cpuBefore) * 1000) / repeats
  const { findings, tested, base, other } = result!
  const [first] = findings
  times.sort((a, b) => a - b)
  return {
    comparison: name,
    rows: base.rows + other.rows,
    'median ms': percentile(times, 0.5),
    'max ms': times.at(-1)!,
    'cpu ms': cpuMs,
    tested,
    findings: findings.length,
    first: first === undefined ? 'nothing significant' : `${first.name} ${first.value ?? 'present'}`
  }
}
