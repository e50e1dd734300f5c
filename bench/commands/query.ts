import { setTimeout as sleep } from 'node:timers/promises'
import type { LogTally } from '../generate/logs.js'
import { fill } from '../load/fill.js'
import type { Target } from '../load/connection.js'
import type { BenchOptions } from '../options.js'
import { formatNumber } from '../report.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { diskUse, sealedRows, waitUntilMerged } from './disk-use.js'
import type { DiskUse, SealedRows } from './disk-use.js'
import { measureQuerySet } from './query-set.js'

const SMALL_NAMESPACES = 50
const SMALL_ROWS = 1_000
const DAYS = 3
const NS_PER_DAY = 86_400_000_000_000n
const PROGRESS_EVERY = 500_000

interface Loaded {
  readonly from: string
  readonly tally: LogTally
  readonly notes: readonly string[]
}

/** Queries over one large namespace among 50 small ones; start times, memory and bytes on disk. */
export function measureQueries(options: BenchOptions): Promise<Report> {
  if (options.dataDir !== null) return measureIn(options.dataDir, options)
  return withTemporaryFolder('alidade-bench', folder => measureIn(folder, options))
}

async function measureIn(dataDir: string, options: BenchOptions): Promise<Report> {
  const first = await startTimed(dataDir, options)
  const { loaded, restMb, disk, rows: counted, mergedSeconds } = await loadAndStop(first.service, options)
  const second = await startTimed(dataDir, options)
  try {
    const session = await Session.operator(second.service)
    const cpuSeconds = () => {
      const { http, store } = second.service.cpu()
      return http + store
    }
    const { rows: count, repeats } = options
    const rows = await measureQuerySet(session, { ...loaded, rows: count, repeats, cpuSeconds })
    const facts: Row[] = [
      { query: 'start until ready, first', 'median ms': first.ms },
      { query: 'start until ready, with data', 'median ms': second.ms }
    ]
    const notes = [
      ...loaded.notes,
      `memory: ${formatNumber(restMb)} MB ${options.restSeconds} s after the first start, ${formatNumber(second.service.memoryMb())} MB after the queries`,
      `disk: ${formatNumber(disk.segmentBytes / counted.sealed)} bytes a log in ${disk.segments} segments (${formatNumber(counted.waiting)} rows wait in the hot file), ` +
        `quiet ${formatNumber(mergedSeconds)} s after the load; ${formatNumber(disk.otherBytes / 1e6)} MB in other files`
    ]
    return { title: `Queries over ${options.rows.toLocaleString('en-US')} logs, all time`, rows: [...rows, ...facts], notes }
  } finally {
    await second.service.stop()
  }
}

async function loadAndStop(
  service: ServiceProcess,
  options: BenchOptions
): Promise<{ loaded: Loaded; restMb: number; disk: DiskUse; rows: SealedRows; mergedSeconds: number }> {
  try {
    await sleep(options.restSeconds * 1000)
    const restMb = service.memoryMb()
    const loaded = await load(service, options)
    const mergedSeconds = await waitUntilMerged(service.dataDir)
    return { loaded, restMb, disk: diskUse(service.dataDir), rows: await sealedRows(service.url), mergedSeconds }
  } finally {
    await service.stop()
  }
}

async function startTimed(dataDir: string, options: BenchOptions): Promise<{ service: ServiceProcess; ms: number }> {
  const startedAt = performance.now()
  const service = await ServiceProcess.start({ dataDir, nodeArgs: options.nodeArgs })
  return { service, ms: performance.now() - startedAt }
}

async function load(service: ServiceProcess, options: BenchOptions): Promise<Loaded> {
  const session = await Session.operator(service)
  const endNs = BigInt(Date.now()) * 1_000_000n
  const startNs = endNs - BigInt(DAYS) * NS_PER_DAY
  const big: Target = { host: '127.0.0.1', port: service.port, apiKey: service.firstRun().apiKey }
  await fillSmall(session, big, { startNs, endNs, seed: options.seed })
  let reported = 0
  const filled = await fill({
    target: big,
    rows: options.rows,
    seed: options.seed,
    startNs,
    endNs,
    batch: 2000,
    connections: 6,
    onProgress: rows => {
      if (rows - reported < PROGRESS_EVERY) return
      reported = rows
      process.stderr.write(`loaded ${rows.toLocaleString('en-US')} of ${options.rows.toLocaleString('en-US')}\n`)
    }
  })
  const rate = options.rows / filled.seconds
  const note = `loaded at ${formatNumber(rate)} logs/s, ${formatNumber(filled.bytes / options.rows)} bytes a log as sent, over ${DAYS} days`
  return { from: new Date(Number(startNs / 1_000_000n) - 1).toISOString(), tally: filled.tally, notes: [note] }
}

async function fillSmall(session: Session, big: Target, time: { startNs: bigint; endNs: bigint; seed: number }): Promise<void> {
  const made = []
  for (let i = 0; i < SMALL_NAMESPACES; i++) made.push(await session.makeNamespace(`small-${i}`))
  const apiKey = await session.makeKey(
    'small namespaces',
    'ingest',
    made.map(ns => ns.id)
  )
  for (const [i, { name }] of made.entries()) {
    const target = { ...big, apiKey }
    await fill({ ...time, target, namespace: name, rows: SMALL_ROWS, seed: time.seed + 1 + i, batch: SMALL_ROWS, connections: 1 })
  }
}
