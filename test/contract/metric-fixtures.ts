import type { NamespaceId } from '../../src/domain/ids.js'
import type { EncodedHistogram } from '../../src/domain/native-histogram/encode.js'
import type { Label, MetricPoint, SeriesSamples } from '../../src/domain/metric-point.js'
import type { LabelMatcher, MetricStore, SelectRequest } from '../../src/ports/metric-store.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId } from './fresh-ids.js'

/** A point with what a test does not care about left out; `at` is nanoseconds after `BASE_NS`. */
export interface Sketch {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly at?: number
  readonly value?: number
  readonly histogram?: EncodedHistogram
  readonly type?: 'gauge' | 'counter'
}

export function toPoint(
  { name = 'cpu', labels = {}, at = 0, value = 1, type = 'gauge', histogram }: Sketch,
  index: number
): MetricPoint {
  const sorted: Label[] = Object.keys(labels)
    .sort()
    .map(label => ({ name: label, value: labels[label]! }))
  return { index, name, type, labels: sorted, timestampNs: BASE_NS + BigInt(at), value, ...(histogram && { histogram }) }
}

/** Appends points and settles. */
export async function store(metrics: MetricStore, ns: NamespaceId, sketches: readonly Sketch[], ingestId = newIngestId()) {
  const result = await metrics.append(ns, { ingestId, items: sketches.map(toPoint) })
  await metrics.settle(ns)
  return result
}

export const NAMED_CPU: readonly LabelMatcher[] = [{ name: '__name__', op: 'eq', value: 'cpu' }]

/** The samples of `cpu`, by default. */
export function select(
  metrics: MetricStore,
  ns: NamespaceId,
  request: Partial<SelectRequest> = {},
  signal = NEVER
): Promise<readonly SeriesSamples[]> {
  return metrics.select(ns, { matchers: NAMED_CPU, range: EVERY_TIME, maxSeries: 100, maxSamples: 10_000, ...request }, signal)
}

/** Per series its labels, times after `BASE_NS`, and values. */
export function briefly(series: readonly SeriesSamples[]): unknown {
  return series.map(({ labels, timestampsNs, values }) => [
    labels.map(({ name, value }) => `${name}=${value}`).join(),
    Array.from(timestampsNs, ts => Number(ts - BASE_NS)),
    [...values]
  ])
}
