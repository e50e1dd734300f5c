import type { NativeHistogram } from '../../src/domain/native-histogram/native-histogram.js'
import { decodeHistogram } from '../../src/domain/native-histogram/encode.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { windowSamples } from '../../src/stores/metrics/window-samples.js'
import { type FixedSeries, fixedMetrics } from './fixed-metrics.js'

const NS_PER_MS = 1_000_000n

/** A store of arrays that counts its requests. */
export class PlainStore {
  readonly requested: string[] = []
  readonly #points = new Map<string, Map<string, Map<number, number | NativeHistogram>>>()
  isBroken = false

  append: MetricStore['append'] = async (ns, { items }) => {
    for (const { name, labels, timestampNs, value, histogram } of items) {
      const series = this.#points.get(ns) ?? new Map<string, Map<number, number | NativeHistogram>>()
      this.#points.set(ns, series)
      const key = JSON.stringify(Object.fromEntries([['__name__', name], ...labels.map(label => [label.name, label.value])]))
      const samples = series.get(key) ?? new Map<number, number | NativeHistogram>()
      series.set(key, samples)
      samples.set(Number(timestampNs / NS_PER_MS), histogram === undefined ? value : decodeHistogram(histogram))
    }
    if (this.isBroken) throw new Error('broken')
    return { accepted: items.length, deduplicated: 0, failures: [] }
  }

  select: MetricStore['select'] = async (ns, request, signal) => {
    this.requested.push(`${request.range.startNs / NS_PER_MS}-${request.range.endNs / NS_PER_MS}`)
    const series: FixedSeries[] = [...(this.#points.get(ns) ?? [])].map(([key, samples]) => ({
      labels: JSON.parse(key) as Record<string, string>,
      samples: [...samples].sort(([a], [b]) => a - b)
    }))
    const found = await fixedMetrics(series).select(ns, request, signal)
    const byName = (a: { readonly labels: readonly { readonly value: string }[] }) => a.labels[0]?.value ?? ''
    const { windows } = request
    return found
      .map(one => (windows === undefined || one.histograms !== undefined ? one : windowSamples(one, windows)))
      .filter(({ values }) => values.length > 0)
      .sort((a, b) => (byName(a) < byName(b) ? -1 : 1))
  }

  deleteBefore: MetricStore['deleteBefore'] = async (ns, timeNs) => {
    for (const samples of this.#points.get(ns)?.values() ?? []) {
      for (const ms of samples.keys()) if (BigInt(ms) * NS_PER_MS < timeNs) samples.delete(ms)
    }
  }

  dropNamespace: MetricStore['dropNamespace'] = async ns => void this.#points.delete(ns)
}
