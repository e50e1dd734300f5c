import type { NamespaceId } from '../../src/domain/ids.js'
import type { Label, MetricPoint } from '../../src/domain/metric-point.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { newIngestId } from '../contract/fresh-ids.js'

/** The time of the run. */
export const NOW_NS = BigInt(Date.now()) * 1_000_000n
export const MINUTE_NS = 60_000_000_000n
export const HOUR_NS = 60n * MINUTE_NS
/** All times. */
export const EVER: TimeRange = { startNs: -(1n << 63n), endNs: (1n << 63n) - 1n }
/** A signal that never aborts. */
export const { signal: NEVER } = new AbortController()

function labelsOf(labels: Readonly<Record<string, string>>): readonly Label[] {
  return Object.keys(labels)
    .sort()
    .map(name => ({ name, value: labels[name]! }))
}

/** A sample of now whose value is its index, unless the rest replaces it. */
export function point(index: number, labels: Readonly<Record<string, string>>, rest: Partial<MetricPoint> = {}): MetricPoint {
  return { index, name: 'cpu', type: 'gauge', labels: labelsOf(labels), timestampNs: NOW_NS, value: index, ...rest }
}

/** Appends them as one batch. */
export function append(metrics: MetricStore, ns: NamespaceId, items: readonly MetricPoint[]) {
  return metrics.append(ns, { ingestId: newIngestId(), items })
}

/** All samples of a namespace, or those of a range and matchers. */
export function select(metrics: MetricStore, ns: NamespaceId, range = EVER, matchers: Parameters<MetricStore['series']>[1] = []) {
  return metrics.select(ns, { matchers, range, maxSeries: 1_000, maxSamples: 1_000_000 }, NEVER)
}
