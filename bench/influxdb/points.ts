import type { MetricPoint } from '../../src/domain/metric-point.js'
import { HOSTS, SERVICES } from '../generate/vocabulary.js'
import { seededRandom } from '../generate/random.js'

/** The same points three times over: as the domain has them, as JSON for the gateway, as lines for InfluxDB. */
export interface PointBatches {
  readonly points: readonly (readonly MetricPoint[])[]
  readonly json: readonly Buffer[]
  readonly lines: readonly Buffer[]
}

const NAMES = [
  'http.server.requests',
  'http.server.active',
  'system.cpu.usage_percent',
  'system.memory.used_bytes',
  'queue.depth'
]
const STEP_NS = 1_000_000n

interface BenchSeries {
  readonly name: string
  readonly labels: MetricPoint['labels']
  readonly json: string
  readonly line: string
}

function benchSeries(): readonly BenchSeries[] {
  return NAMES.flatMap(name =>
    SERVICES.flatMap(service =>
      HOSTS.slice(0, 10).map(host => {
        const labels = Object.entries({ env: 'prod', host, service }).map(([label, value]) => ({ name: label, value }))
        return {
          ...{ name, labels, line: `${name},env=prod,host=${host},service=${service}` },
          json: `{"name":"${name}","type":"gauge","labels":${JSON.stringify({ env: 'prod', host, service })}`
        }
      })
    )
  )
}

/** `count` points over 1,000 series, one sweep over all of them per millisecond. */
export function pointBatches(
  count: number,
  { seed, startNs, jsonBatch, lineBatch }: { seed: number; startNs: bigint; jsonBatch: number; lineBatch: number }
): PointBatches {
  const series = benchSeries()
  const random = seededRandom(seed)
  const points: MetricPoint[] = Array.from({ length: count }, (_, i) => {
    const { name, labels } = series[i % series.length]!
    const timestampNs = startNs + BigInt(Math.floor(i / series.length)) * STEP_NS
    return { index: i % jsonBatch, name, type: 'gauge', labels, timestampNs, value: random.below(100_000) / 8 }
  })
  const text = (point: MetricPoint, i: number): string =>
    `${series[i % series.length]!.json},"value":${point.value},"timestamp_ns":${point.timestampNs}}`
  const line = (point: MetricPoint, i: number): string =>
    `${series[i % series.length]!.line} value=${point.value} ${point.timestampNs}\n`
  return {
    points: slices(points, jsonBatch),
    json: slices(points.map(text), jsonBatch).map(part => Buffer.from(`{"metrics":[${part.join(',')}]}`)),
    lines: slices(points.map(line), lineBatch).map(part => Buffer.from(part.join('')))
  }
}

function slices<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size))
  return parts
}
