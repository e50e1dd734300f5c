import { fill } from '../load/fill.js'
import { targetOf } from '../commands/with-service.js'
import type { BenchOptions } from '../options.js'
import type { ServiceProcess } from '../service/service-process.js'

const NS_PER_MS = 1_000_000n
const HOUR_MS = 3_600_000
const SPANS_PER_REQUEST = 2_500
const POINTS_PER_REQUEST = 10_000
const POINT_STEP_MS = 10_000

/** Spans of the large trace, and its id. */
export const TRACE_SPANS = 10_000
export const TRACE_ID = '0123456789abcdef0123456789abcdef'
/** The chart of many series: an expression shows 1,000 of them at most, so each has a shard of its own. */
export const CHART = { metric: 'bench.wide', series: 5_000, shards: 5, points: 300, minutes: 50 } as const

/** The expressions of the chart. */
export const CHART_EXPRESSIONS: readonly string[] = Array.from(
  { length: CHART.shards },
  (_, shard) => `{"${CHART.metric}",shard="${shard}"}`
)

/** Stores what the pages show: logs of an hour, one large trace, and many series. */
export async function loadConsoleData(service: ServiceProcess, options: BenchOptions): Promise<void> {
  const endMs = Date.now()
  await fill({
    target: targetOf(service),
    rows: options.rows,
    seed: options.seed,
    startNs: BigInt(endMs - HOUR_MS) * NS_PER_MS,
    endNs: BigInt(endMs) * NS_PER_MS,
    batch: 2_000,
    connections: 4
  })
  for (let first = 0; first < TRACE_SPANS; first += SPANS_PER_REQUEST) await sendSpans(service, endMs - 60_000, first)
  for (let point = 0; point < CHART.points; point++) await sendPoints(service, endMs - (CHART.points - point) * POINT_STEP_MS)
}

async function post(service: ServiceProcess, path: string, body: object): Promise<void> {
  const headers = { 'x-api-key': service.firstRun().apiKey, 'content-type': 'application/json' }
  const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** A tree in which each span has four children. */
async function sendSpans(service: ServiceProcess, startMs: number, first: number): Promise<void> {
  const id = (index: number): string => (index + 1).toString(16).padStart(16, '0')
  const spans = Array.from({ length: SPANS_PER_REQUEST }, (_, i) => {
    const index = first + i
    return {
      traceId: TRACE_ID,
      spanId: id(index),
      parentSpanId: index === 0 ? '' : id(Math.floor((index - 1) / 4)),
      name: `step ${index % 40}`,
      kind: 1,
      startTimeUnixNano: String(BigInt(startMs + index) * NS_PER_MS),
      endTimeUnixNano: String(BigInt(startMs + 2 * TRACE_SPANS - index) * NS_PER_MS)
    }
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'bench' } }] }
  await post(service, '/api/v1/otlp/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
}

/** One point of each series. */
async function sendPoints(service: ServiceProcess, atMs: number): Promise<void> {
  for (let first = 0; first < CHART.series; first += POINTS_PER_REQUEST) {
    const metrics = Array.from({ length: Math.min(POINTS_PER_REQUEST, CHART.series - first) }, (_, i) => ({
      name: CHART.metric,
      value: Math.sin(atMs / 600_000 + (first + i)) * 10 + (first + i) / 100,
      timestamp_ns: String(BigInt(atMs) * NS_PER_MS),
      labels: { instance: `host-${first + i}`, shard: String((first + i) % CHART.shards) }
    }))
    await post(service, '/api/v1/ingest/batch', { metrics })
  }
}
