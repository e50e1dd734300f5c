import { randomBytes } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { Label, MetricPoint } from '../../src/domain/metric-point.js'
import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import type { Clock } from '../../src/ports/clock.js'
import { PromqlQuery } from '../../src/query/promql/promql-query.js'
import { PromqlSeries } from '../../src/query/promql/promql-series.js'
import { PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import { type DuckDbStores, openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report, type Row } from '../report.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { diskUse, waitUntilMerged } from './disk-use.js'

const NS_ID = 'benchseries0' as NamespaceId
/** Series: `METRICS` names, each with `GROUPS` values of `a` and `series / METRICS / GROUPS` of `b`. */
const METRICS = 10
const GROUPS = 100
const SCRAPE_S = 60
const S_NS = 1_000_000_000n
const HOUR_S = 3_600
const BATCH = 10_000
const AT_ONCE = 4
const MB = 1e6
const NEVER = new AbortController().signal

const clock: Clock = {
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now()
}

const NAMESPACE = { id: NS_ID, name: 'bench', retention: DEFAULT_RETENTION } as Namespace

interface Shape {
  readonly series: number
  readonly scrapes: number
  readonly endS: number
}

function identities(count: number): readonly Pick<MetricPoint, 'name' | 'type' | 'labels'>[] {
  return Array.from({ length: count }, (_, i) => {
    const rest = Math.floor(i / METRICS)
    const labels: readonly Label[] = [
      { name: 'a', value: `a${rest % GROUPS}` },
      { name: 'b', value: `b${Math.floor(rest / GROUPS)}` },
      { name: 'service', value: `s${rest % 20}` }
    ]
    return { name: i % METRICS === 0 ? 'x' : `x${i % METRICS}`, type: 'counter', labels }
  })
}

/** One scrape of all series after the other, oldest first, in batches. */
function* scrapes({ series, scrapes: count, endS }: Shape): Generator<readonly MetricPoint[]> {
  const known = identities(series)
  for (let scrape = 0; scrape < count; scrape++) {
    const timestampNs = BigInt(endS - (count - 1 - scrape) * SCRAPE_S) * S_NS
    for (let from = 0; from < series; from += BATCH) {
      yield known
        .slice(from, from + BATCH)
        .map((one, i) => ({ ...one, index: i, timestampNs, value: scrape * (1 + ((from + i) % 97)) }))
    }
  }
}

async function load({ metrics }: DuckDbStores, shape: Shape): Promise<string> {
  const newIngestId = createUlidSource(() => Date.now(), randomBytes)
  const startedAt = performance.now()
  let loaded = 0
  let underWay: Promise<unknown>[] = []
  for (const items of scrapes(shape)) {
    underWay.push(metrics.append(NS_ID, { ingestId: newIngestId(), items }))
    loaded += items.length
    if (underWay.length < AT_ONCE) continue
    await Promise.all(underWay)
    underWay = []
    if (loaded % (shape.series * 10) < BATCH * AT_ONCE) process.stderr.write(`loaded ${loaded.toLocaleString('en-US')} points\n`)
  }
  await Promise.all(underWay)
  const seconds = (performance.now() - startedAt) / 1000
  return `loaded ${formatNumber(loaded / seconds)} points/s through the store's port`
}

interface Question {
  readonly name: string
  readonly ask: () => Promise<number>
}

function questions(stores: DuckDbStores, threads: PromqlThreads, { endS }: Shape): readonly Question[] {
  // As an installation with many series sets it.
  const settings = { ...DEFAULT_QUERY_SETTINGS, maxSeries: 200_000 }
  const { metrics } = stores
  const promql = new PromqlQuery({ metrics, clock, settings, threads })
  const series = new PromqlSeries({ metrics, clock, settings })
  const range = { startNs: BigInt(endS - HOUR_S) * S_NS, endNs: BigInt(endS + 1) * S_NS }
  const values =
    (label: string, ...selectors: readonly string[]) =>
    async () =>
      (await series.labels(NAMESPACE, { selectors, range }, label, NEVER)).values.length
  const steps = { startMs: (endS - HOUR_S) * 1_000, stepMs: SCRAPE_S * 1_000, count: HOUR_S / SCRAPE_S + 1 }
  const query = (text: string) => async () =>
    (await promql.answer(NAMESPACE, { query: text, steps, isRange: true }, NEVER)).length
  const counts = { order: 'series', limit: 10, withSavings: true, hourAgoNs: range.startNs, dayAgoNs: range.startNs } as const
  return [
    { name: 'values of a label, all series', ask: values('a') },
    { name: 'values of a label, one metric', ask: values('b', 'x') },
    { name: 'values of a label, a regex', ask: values('a', '{b=~"b1.*"}') },
    { name: 'topk(10, sum by (a) (rate(x[5m]))) over 1 h', ask: query('topk(10, sum by (a) (rate(x[5m])))') },
    { name: 'sum(rate(x{a="a1"}[5m])) over 1 h', ask: query('sum(rate(x{a="a1"}[5m]))') },
    { name: 'cardinality with savings', ask: async () => (await metrics.cardinality(NS_ID, counts, NEVER)).labels.length }
  ]
}

async function measure({ name, ask }: Question, repeats: number): Promise<Row> {
  const took: number[] = []
  let found = 0
  for (let turn = 0; turn <= repeats; turn++) {
    const startedAt = performance.now()
    found = await ask()
    took.push(performance.now() - startedAt)
  }
  const warm = took.slice(1).sort((a, b) => a - b)
  return { question: name, 'first ms': took[0]!, 'median ms': percentile(warm, 0.5), 'max ms': warm.at(-1)!, found }
}

async function measureIn(folder: string, options: BenchOptions): Promise<Report> {
  const dataDir = join(folder, 'telemetry')
  const dist = join(import.meta.dirname, '../../dist/src')
  const { series } = options
  const shape: Shape = {
    series,
    scrapes: Math.max(2, Math.round(options.rows / series)),
    endS: Math.floor(Date.now() / 1_000 / SCRAPE_S) * SCRAPE_S
  }
  const entry = join(dist, 'stores/duckdb/process/main.js')
  const stores = await openDuckDbStores({ dataDir, entry, clock, limits: { maxSeries: 2 * series } })
  const threads = new PromqlThreads({ count: 3, entry: join(dist, 'query/promql/thread/main.js') })
  try {
    const note = await load(stores, shape)
    await stores.client.call('sealAll', [])
    await waitUntilMerged(dataDir)
    const disk = diskUse(dataDir)
    const rows: Row[] = []
    for (const question of questions(stores, threads, shape)) rows.push(await measure(question, options.repeats))
    const points = series * shape.scrapes
    const { resident_bytes: resident = Number.NaN } = await stores.gauges()
    const notes = [
      note,
      `${formatNumber(disk.segmentBytes / points)} bytes a point in ${disk.segments} segments`,
      `memory: store process ${formatNumber(resident / MB)} MB, this one with its threads ${formatNumber(process.memoryUsage.rss() / MB)} MB`,
      `load of the machine: ${loadavg().map(formatNumber).join(' ')}`
    ]
    const title = `Series: ${series.toLocaleString('en-US')} x ${shape.scrapes} points at ${SCRAPE_S} s, at the ports`
    return { title, rows, notes }
  } finally {
    await threads.close()
    await stores.close()
  }
}

/** Label values and PromQL over many series. */
export function measureSeries(options: BenchOptions): Promise<Report> {
  if (options.dataDir !== null) return measureIn(options.dataDir, options)
  return withTemporaryFolder('alidade-bench', folder => measureIn(folder, options))
}
