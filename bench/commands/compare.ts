import { WideLogs } from '../generate/wide-logs.js'
import { fill } from '../load/fill.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'
import { Session } from '../service/session.js'
import type { ServiceProcess } from '../service/service-process.js'
import { sealedRows } from './disk-use.js'
import { targetOf, withService } from './with-service.js'

interface Comparison {
  readonly findings: readonly { readonly name: string; readonly value: string | null }[]
  readonly tested: number
  readonly base: { readonly rows: number }
  readonly other: { readonly rows: number }
}

const HOUR_NS = 3_600_000_000_000n
const BATCH = 2_000
const CONNECTIONS = 4

/** What differs between two hours, the second one after a deployment, and between two halves of the first. */
export function measureCompare(options: BenchOptions): Promise<Report> {
  return withService(options, service => measure(service, options))
}

async function measure(service: ServiceProcess, { rows, seed, repeats }: BenchOptions): Promise<Report> {
  const endNs = BigInt(Date.now()) * 1_000_000n
  const [startNs, middleNs] = [endNs - 2n * HOUR_NS, endNs - HOUR_NS]
  const target = targetOf(service)
  const order = { target, rows, seed, batch: BATCH, connections: CONNECTIONS }
  const before = await fill({ ...order, startNs, endNs: middleNs, source: new WideLogs(seed, false) })
  const after = await fill({ ...order, startNs: middleNs, endNs, source: new WideLogs(seed + 1, true) })
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
  for (const [name, [base, other]] of Object.entries(cases)) table.push(await timed(session, name, { base, other }, repeats))
  const { sealed, waiting } = await sealedRows(service.url)
  const rate = formatNumber((2 * rows) / (before.seconds + after.seconds))
  const notes = [
    `loaded at ${rate} logs/s, ${formatNumber(before.bytes / rows)} bytes a log as sent, 30 fields`,
    `${formatNumber(sealed)} rows in segments, ${formatNumber(waiting)} in the hot tier; ${formatNumber(service.memoryMb())} MB`
  ]
  return { title: `What differs, ${rows.toLocaleString('en-US')} logs an hour`, rows: table, notes }
}

async function timed(session: Session, name: string, body: object, repeats: number): Promise<Row> {
  const times: number[] = []
  let result: Comparison | null = null
  for (let i = 0; i <= repeats; i++) {
    const startedAt = performance.now()
    result = await session.call<Comparison>('POST', '/api/v1/compare', body)
    // The first one warms up.
    if (i > 0) times.push(performance.now() - startedAt)
  }
  const { findings, tested, base, other } = result!
  const [first] = findings
  times.sort((a, b) => a - b)
  return {
    comparison: name,
    rows: base.rows + other.rows,
    'median ms': percentile(times, 0.5),
    'max ms': times.at(-1)!,
    tested,
    findings: findings.length,
    first: first === undefined ? 'nothing significant' : `${first.name} ${first.value ?? 'present'}`
  }
}
