import { loadavg } from 'node:os'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { Span } from '../../src/domain/span.js'
import { SpanTally, type Stretch } from '../generate/span-tally.js'
import { generateSpans } from '../generate/spans.js'
import { fillSpans } from '../load/fill-spans.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { diskUse } from './disk-use.js'
import { graphqlQueries } from './trace-graphql.js'
import { isSearchedFor, SPANS_PER_TRACE, type TraceRequest, traceQueries } from './trace-queries.js'

const HOUR_NS = 3_600_000_000_000n
const DAY_NS = 24n * HOUR_NS
const BATCH = 4_000

interface Times {
  readonly day: Stretch
  /** In the middle of the day, sealed and merged as most are. */
  readonly hour: Stretch
}

function timesBefore(endNs: bigint): Times {
  const hour = { startNs: endNs - 12n * HOUR_NS, endNs: endNs - 11n * HOUR_NS }
  return { day: { startNs: endNs - DAY_NS, endNs }, hour }
}

function* counted(batches: Iterable<readonly Span[]>, tally: SpanTally): Iterable<readonly Span[]> {
  for (const batch of batches) {
    for (let at = 0; at < batch.length; at += SPANS_PER_TRACE) tally.add(batch.slice(at, at + SPANS_PER_TRACE))
    yield batch
  }
}

/** The id of the namespace that the first start made. */
async function firstNamespace(dataDir: string): Promise<NamespaceId> {
  const service = await ServiceProcess.start({ dataDir })
  try {
    const session = await Session.operator(service)
    const { namespaces } = await session.call<{ namespaces: readonly { id: NamespaceId; name: string }[] }>(
      'GET',
      '/api/v1/namespaces'
    )
    const { namespace } = service.firstRun()
    return namespaces.find(({ name }) => name === namespace)!.id
  } finally {
    await service.stop()
  }
}

async function measure(service: ServiceProcess, session: Session, query: TraceRequest, repeats: number): Promise<Row> {
  const took: number[] = []
  const faults = new Set<string>()
  let before = service.cpu()
  for (let turn = 0; turn <= repeats; turn++) {
    if (turn === 1) before = service.cpu()
    const startedAt = performance.now()
    const response = await query.run(session, turn)
    took.push(performance.now() - startedAt)
    const fault = query.fault(response as never, turn)
    if (fault !== null) faults.add(fault)
  }
  const after = service.cpu()
  const warm = took.slice(1).sort((a, b) => a - b)
  return {
    query: query.name,
    'first ms': took[0]!,
    'median ms': percentile(warm, 0.5),
    'max ms': warm.at(-1)!,
    'http CPU ms': ((after.http - before.http) * 1000) / repeats,
    'store CPU ms': ((after.store - before.store) * 1000) / repeats,
    result: faults.size === 0 ? 'as made' : `NOT AS MADE: ${[...faults].join('; ')}`
  }
}

async function measureIn(dataDir: string, options: BenchOptions): Promise<Report> {
  const ns = await firstNamespace(dataDir)
  const { rows, seed } = options
  const endNs = BigInt(Date.now()) * 1_000_000n
  const times = timesBefore(endNs)
  const tally = new SpanTally(times.hour, isSearchedFor)
  const spans = generateSpans({ rows, seed, ...times.day, batch: BATCH })
  const rate = await fillSpans(dataDir, ns, counted(spans, tally))
  const disk = diskUse(dataDir)
  const service = await ServiceProcess.start({ dataDir, nodeArgs: options.nodeArgs })
  try {
    const session = await Session.operator(service)
    const measured: Row[] = []
    const all = [...traceQueries(tally, times), ...graphqlQueries(tally, times.hour)]
    const requested = all.filter(({ name }) => isChosen(name, options.only))
    for (const query of requested) measured.push(await measure(service, session, query, options.repeats))
    const notes = [
      `loaded ${formatNumber(rate)} spans/s through the store's port`,
      `${formatNumber(disk.segmentBytes / rows)} bytes a span in ${disk.segments} segments, ${formatNumber(disk.otherBytes / 1e6)} MB in other files`,
      `memory after the queries: ${formatNumber(service.memoryMb())} MB; load of the machine: ${loadavg().map(formatNumber).join(' ')}`
    ]
    return { title: `Traces: ${rows.toLocaleString('en-US')} spans of a day, over HTTP`, rows: measured, notes }
  } finally {
    await service.stop()
  }
}

function isChosen(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some(part => name.includes(part))
}

/** Trace search, trace by id, services and their map over many spans. */
export function measureTraces(options: BenchOptions): Promise<Report> {
  if (options.dataDir !== null) return measureIn(options.dataDir, options)
  return withTemporaryFolder('alidade-bench', folder => measureIn(folder, options))
}
