import type { FixedSeries } from '../support/fixed-metrics.js'

// The series over which the recorded responses of Prometheus were given: an hour of three hosts, always the same.

const INTERVAL_MS = 15_000
const SAMPLES = 241
/** The last sample's time. */
export const END_MS = 1_700_000_000_000
const START_MS = END_MS - (SAMPLES - 1) * INTERVAL_MS
const BOUNDS = ['0.1', '0.5', '1', '2.5', '+Inf']

/** Numbers in [0, 1) that are always the same. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Sample = readonly [timeMs: number, value: number | 'stale']

function host(index: number): FixedSeries[] {
  const random = randomNumbers(index * 1_000 + 1)
  const series = new Map<string, { labels: Record<string, string>; samples: Sample[] }>()
  const add = (name: string, labels: Record<string, string>, ms: number, value: number | 'stale'): void => {
    const key = name + JSON.stringify(labels)
    const one = series.get(key) ?? {
      labels: { __name__: name, host: `h${index}`, zone: index < 2 ? 'a' : 'b', ...labels },
      samples: []
    }
    series.set(key, one)
    one.samples.push([ms, value])
  }
  const counts: Record<string, number> = { '200': 0, '500': 0 }
  const buckets = BOUNDS.map(() => 0)
  let heat = 20 * (index + 1)
  for (let i = 0; i < SAMPLES; i++) {
    const ms = START_MS + i * INTERVAL_MS + index * 137
    // The second host restarts every twenty minutes.
    if (index === 1 && i % 80 === 40) for (const code of Object.keys(counts)) counts[code] = 0
    for (const code of Object.keys(counts)) {
      counts[code]! += Math.floor(random() * (code === '200' ? 40 : 3))
      add('requests_total', { code }, ms, counts[code]!)
    }
    heat += Math.round((random() - 0.5) * 8) / 4
    add('heat', {}, ms, heat)
    add('heat', { side: 'back' }, ms, -heat / 2)
    add('odd', {}, ms, i % 11 === 3 ? Number.NaN : i % 13 === 5 ? Infinity : i % 17 === 7 ? -Infinity : (i % 5) - 2)
    const isOn = Math.floor(i / 8) % 2 === 0
    if (isOn) add('flicker', {}, ms, i)
    else if (i % 8 === 0) add('flicker', {}, ms, 'stale')
    // A gap longer than the lookback, without a mark.
    if (i < 100 || i > 140) add('gap', {}, ms, i)
    for (const [j] of BOUNDS.entries()) buckets[j]! += j === 0 ? Math.floor(random() * 4) : 0
    let total = 0
    for (const [j, le] of BOUNDS.entries()) {
      buckets[j]! += Math.floor(random() * 3)
      total += buckets[j]!
      add('latency_bucket', { le }, ms, total)
    }
    add('build', { version: index === 0 ? '1' : '2' }, ms, 1)
  }
  return [...series.values()]
}

/** All series, as a store gives them: sorted by name and labels. */
export function oracleWorld(): FixedSeries[] {
  const key = ({ labels: { __name__: name = '', ...others } }: FixedSeries): string =>
    name + JSON.stringify(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)))
  return [0, 1, 2].flatMap(host).sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
