import { randomBytes } from 'node:crypto'
import type { Label, MetricPoint } from '../../src/domain/metric-point.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { MetricStore } from '../../src/ports/metric-store.js'

/** Series: `METRICS` names, each with `GROUPS` values of `a` and `series / METRICS / GROUPS` of `b`. */
const METRICS = 10
const GROUPS = 100
/** Between two points of a series. */
export const SCRAPE_S = 60
const S_NS = 1_000_000_000n
const BATCH = 10_000
const AT_ONCE = 4

/** How much there is to load. */
export interface Shape {
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

/** Loads through the store's port; returns points a second. */
export async function loadSeries(metrics: Pick<MetricStore, 'append'>, ns: NamespaceId, shape: Shape): Promise<number> {
  const newIngestId = createUlidSource(() => Date.now(), randomBytes)
  const startedAt = performance.now()
  let loaded = 0
  let inFlight: Promise<unknown>[] = []
  for (const items of scrapes(shape)) {
    inFlight.push(metrics.append(ns, { ingestId: newIngestId(), items }))
    loaded += items.length
    if (inFlight.length < AT_ONCE) continue
    await Promise.all(inFlight)
    inFlight = []
    if (loaded % (shape.series * 10) < BATCH * AT_ONCE) process.stderr.write(`loaded ${loaded.toLocaleString('en-US')} points\n`)
  }
  await Promise.all(inFlight)
  return (loaded * 1_000) / (performance.now() - startedAt)
}
