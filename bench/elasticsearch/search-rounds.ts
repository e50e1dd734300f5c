import { NEEDLE as NEEDLE_TEXT, NEEDLE_EVERY } from '../generate/logs.js'
import { fill } from '../load/fill.js'
import { percentile } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Row } from '../report.js'
import { Session } from '../service/session.js'
import { type LogsResult, type MsRange, NEEDLE, PAGE, PAGE_ROWS, rawPage, type RawResult, variables } from './queries.js'
import { type DedicatedNamespace, makeDedicated, type SearchSite, sendSearchable } from './search-site.js'

const HOUR_MS = 3_600_000
const NS_PER_MS = 1_000_000n
const BATCH = 2_000
const CONNECTIONS = 6
const PROGRESS_EVERY = 500_000
const WARM_UPS = 5
const REPEATS = 25
/** Five letters that no other line of the generator holds. */
const RARE = NEEDLE_TEXT.slice(5, 10)
/** Five letters of the lines that wait in a queue: every seventh or so. */
const FREQUENT = 'queue'
const GOAL_NEEDLE_MS = 60
const MERGE_WAIT_MS = 120_000
const MERGE_POLL_MS = 1_000

/** The logs that are searched. */
interface Loaded {
  readonly namespace: DedicatedNamespace
  readonly range: MsRange
  readonly rows: number
  readonly note: string
}

async function load(site: SearchSite, { rows, seed }: BenchOptions): Promise<Loaded> {
  const namespace = await makeDedicated(site, 'searched', 'exact')
  // A day that is over: neither the log that created the index nor the time of the run is in it.
  const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  const range = { fromMs: toMs - 24 * HOUR_MS, toMs }
  let reported = 0
  const filled = await fill({
    target: { host: '127.0.0.1', port: site.service.port, apiKey: namespace.ingestKey },
    ...{ rows, seed, batch: BATCH, connections: CONNECTIONS },
    startNs: BigInt(range.fromMs) * NS_PER_MS,
    endNs: BigInt(toMs) * NS_PER_MS,
    onProgress: sent => {
      if (sent - reported < PROGRESS_EVERY) return
      reported = sent
      process.stderr.write(`loaded ${sent.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')}\n`)
    }
  })
  await sendSearchable(site, namespace.ingestKey, 'the last')
  const restS = await untilMerged(site, namespace)
  const note = `${rows.toLocaleString('en-US')} logs of a day loaded at ${formatNumber(rows / filled.seconds)}/s; merges went on for ${formatNumber(restS)} s`
  return { namespace, range, rows, note }
}

/** Waits until the engine has no merges in progress, which would compete with the searches; returns seconds. */
async function untilMerged({ engine }: SearchSite, { index }: DedicatedNamespace): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < MERGE_WAIT_MS) {
    const path = `/${index.index}/_stats/merge`
    const query = { filter_path: '_all.total.merges.current' }
    const { body } = await engine.request({ method: 'GET', path, query, timeoutMs: MERGE_WAIT_MS })
    if ((body as { _all: { total: { merges: { current: number } } } })._all.total.merges.current === 0) break
    await new Promise(resolve => setTimeout(resolve, MERGE_POLL_MS))
  }
  return (performance.now() - startedMs) / 1000
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function mustBe(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`)
}

/** Every part of the result must describe the same logs. */
function check({ data: { logs } }: LogsResult, expected: number): void {
  mustBe('total', logs.total.value, expected)
  mustBe('rows', logs.nodes.length, Math.min(PAGE_ROWS, expected))
  mustBe('histogram', sum(logs.histogram.series.flatMap(({ counts }) => counts)), expected)
  for (const { buckets, other } of logs.facets ?? []) mustBe('facet', sum(buckets.map(({ count }) => count)) + other, expected)
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const startedMs = performance.now()
  const response = await work()
  return { ms: performance.now() - startedMs, result: response }
}

/** Times of calls after some that warm up, sorted. Each requests a range of its own, so that none is served from a cache. */
async function repeated(range: MsRange, run: (range: MsRange) => Promise<readonly number[]>): Promise<readonly number[][]> {
  const times: number[][] = []
  for (let i = 0; i < WARM_UPS + REPEATS; i++) {
    const requested = await run({ fromMs: range.fromMs - i, toMs: range.toMs + i })
    if (i >= WARM_UPS) requested.forEach((ms, side) => (times[side] ??= []).push(ms))
  }
  return times.map(side => side.toSorted((a, b) => a - b))
}

function graphql(session: Session, query: string, given: object): Promise<LogsResult> {
  return session.call<LogsResult>('POST', '/graphql', { query, variables: given })
}

async function needleRow(session: Session, { range, rows }: Loaded, text: string): Promise<Row> {
  let found = 0
  const [times] = await repeated(range, async requested => {
    const { ms, result: response } = await timed(() => graphql(session, NEEDLE, variables(requested, text)))
    found = response.data.logs.total.value
    check(response, text === RARE ? Math.floor(rows / NEEDLE_EVERY) : found)
    return [ms]
  })
  const step = `ms: needle "${text}" in ${found.toLocaleString('en-US')} logs, newest ${PAGE_ROWS}, total, histogram`
  return { step, gateway: percentile(times!, 0.5), goal: `${GOAL_NEEDLE_MS} ms` }
}

async function pageRow(site: SearchSite, session: Session, { namespace, range, rows }: Loaded): Promise<Row> {
  const url = `${site.engineUrl}/${namespace.index.index}/_search`
  const raw = async (requested: MsRange): Promise<RawResult> => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(rawPage(requested)) })
    if (!reply.ok) throw new Error(`raw search: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as RawResult
  }
  const [gateway, direct] = await repeated(range, async requested => {
    const own = await timed(() => graphql(session, PAGE, variables(requested)))
    const other = await timed(() => raw(requested))
    check(own.result, rows)
    mustBe('raw total', other.result.hits.total.value, rows)
    return [own.ms, other.ms]
  })
  const [ownMs, otherMs] = [percentile(gateway!, 0.5), percentile(direct!, 0.5)]
  const goal = `1.3 x + 5 ms = ${formatNumber(1.3 * otherMs + 5)} ms`
  return {
    step: 'ms: page of logs, total, histogram, three facets',
    gateway: ownMs,
    direct: otherMs,
    ratio: ownMs / otherMs,
    goal
  }
}

/** Queries over `--rows` logs of one namespace through GraphQL, the page of logs against the same search by the engine itself. */
export async function searchRows(
  site: SearchSite,
  options: BenchOptions
): Promise<{ readonly rows: readonly Row[]; readonly note: string }> {
  const loaded = await load(site, options)
  const key = await site.operator.makeKey('searches', 'query', [loaded.namespace.id])
  const session = Session.withKey(site.service.url, key)
  const rows = [
    await needleRow(session, loaded, RARE),
    await needleRow(session, loaded, FREQUENT),
    await pageRow(site, session, loaded)
  ]
  return { rows, note: loaded.note }
}
