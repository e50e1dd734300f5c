import { randomBytes } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Field, Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import type { Clock } from '../../src/ports/clock.js'
import type { TraceStore } from '../../src/ports/trace-store.js'
import { type DuckDbStores, openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { generateSpans } from '../generate/spans.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { diskUse, waitUntilMerged } from './disk-use.js'

const NS = 'benchtraces0' as NamespaceId
const HOUR_NS = 3_600_000_000_000n
const DAY_NS = 24n * HOUR_NS
const BATCH = 4_000
const AT_ONCE = 4
const PROGRESS_EVERY = 500_000
const NEVER = new AbortController().signal
const PERCENTILES = [0.5, 0.95, 0.99]

const clock: Clock = {
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now()
}

interface Loaded {
  readonly endNs: bigint
  readonly traceIds: readonly string[]
  readonly note: string
}

interface Question {
  readonly name: string
  readonly ask: (traces: TraceStore, turn: number) => Promise<number>
}

function known(name: string): Field {
  return { in: 'known', name }
}

function eq(name: string, value: string): Filter {
  return { kind: 'eq', field: known(name), value }
}

/** The questions of a trace list, a trace page and an overview of services. */
function questions({ endNs, traceIds }: Loaded): readonly Question[] {
  const day = { startNs: endNs - DAY_NS, endNs }
  // An hour in the middle, sealed and merged as most are.
  const hour = { startNs: endNs - 12n * HOUR_NS, endNs: endNs - 11n * HOUR_NS }
  const rows = { limit: 20, by: 'start', order: 'desc' } as const
  const slow = { kind: 'range', field: known('duration_ns'), gte: '20000000' } as const
  const wanted: Filter = { kind: 'and', of: [eq('service', 'checkout'), eq('name', 'GET /api/list/{id}'), slow] }
  const search = (range: typeof day, filter: Filter) => async (traces: TraceStore) =>
    (await traces.searchTraces(NS, { range, filter, conditions: {}, rows }, NEVER)).traces.length
  const byService = {
    filter: { kind: 'and', of: [] },
    groupBy: [known('service')],
    percentiles: PERCENTILES,
    limit: 100
  } as const
  return [
    { name: 'service, operation and duration, newest 20 of a day', ask: search(day, wanted) },
    {
      name: 'trace by id',
      ask: async (traces, turn) => (await traces.trace(NS, traceIds[turn % traceIds.length]!, 10_000, NEVER)).spans.length
    },
    { name: 'error traces of an hour, newest 20', ask: search(hour, eq('status', 'error')) },
    {
      name: 'services of an hour with percentiles',
      ask: async traces => (await traces.stats(NS, { range: hour, ...byService }, NEVER)).rows.length
    },
    {
      name: 'service map of an hour',
      ask: async traces =>
        (await traces.serviceEdges(NS, { range: hour, percentiles: PERCENTILES, limit: 500 }, NEVER)).edges.length
    },
    {
      name: 'services of a day with percentiles',
      ask: async traces => (await traces.stats(NS, { range: day, ...byService }, NEVER)).rows.length
    }
  ]
}

async function load({ traces }: DuckDbStores, { rows, seed }: BenchOptions): Promise<Loaded> {
  const endNs = clock.nowNs()
  const newIngestId = createUlidSource(() => Date.now(), randomBytes)
  const startedAt = performance.now()
  const traceIds: string[] = []
  let [loaded, reported] = [0, 0]
  let underWay: Promise<unknown>[] = []
  for (const items of generateSpans({ rows, seed, startNs: endNs - DAY_NS, endNs, batch: BATCH })) {
    traceIds.push(items[0]!.traceId)
    underWay.push(traces.append(NS, { ingestId: newIngestId(), items }))
    loaded += items.length
    if (underWay.length < AT_ONCE) continue
    await Promise.all(underWay)
    underWay = []
    if (loaded - reported < PROGRESS_EVERY) continue
    reported = loaded
    process.stderr.write(`loaded ${loaded.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')}\n`)
  }
  await Promise.all(underWay)
  const seconds = (performance.now() - startedAt) / 1000
  return { endNs, traceIds, note: `loaded ${formatNumber(loaded / seconds)} spans/s through the store's port, over a day` }
}

async function measure(traces: TraceStore, question: Question, repeats: number): Promise<Row> {
  const took: number[] = []
  let found = 0
  for (let turn = 0; turn <= repeats; turn++) {
    const startedAt = performance.now()
    found = await question.ask(traces, turn)
    took.push(performance.now() - startedAt)
  }
  const warm = took.slice(1).sort((a, b) => a - b)
  return { query: question.name, 'first ms': took[0]!, 'median ms': percentile(warm, 0.5), 'max ms': warm.at(-1)!, found }
}

async function measureIn(folder: string, options: BenchOptions): Promise<Report> {
  const dataDir = join(folder, 'telemetry')
  const entry = join(import.meta.dirname, '../../dist/src/stores/duckdb/process/main.js')
  const stores = await openDuckDbStores({ dataDir, entry, clock })
  try {
    const loaded = await load(stores, options)
    await stores.client.call('sealAll', [])
    await waitUntilMerged(dataDir)
    const disk = diskUse(dataDir)
    const rows: Row[] = []
    for (const question of questions(loaded)) rows.push(await measure(stores.traces, question, options.repeats))
    const notes = [
      loaded.note,
      `${formatNumber(disk.segmentBytes / options.rows)} bytes a span in ${disk.segments} segments, ${formatNumber(disk.otherBytes / 1e6)} MB in other files`,
      `load of the machine: ${loadavg().map(formatNumber).join(' ')}`
    ]
    return { title: `Traces: ${options.rows.toLocaleString('en-US')} spans of a day, at the store's port`, rows, notes }
  } finally {
    await stores.close()
  }
}

/** Trace search, trace by id, services and their map over many spans. */
export function measureTraces(options: BenchOptions): Promise<Report> {
  if (options.dataDir !== null) return measureIn(options.dataDir, options)
  return withTemporaryFolder('alidade-bench', folder => measureIn(folder, options))
}
