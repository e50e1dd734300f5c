import { isGatewayError } from '../../domain/errors.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import { isOverflow } from '../../domain/overflow.js'
import { metricNames, type SavedMeasure } from '../../domain/saved-measure.js'
import { seriesKey } from '../../domain/series-key.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { RecordedSample } from '../schedule/recording.js'

/** Bounds of one read of what a measure wrote: 30 steps with 100 groups of 23 series each are fewer. */
const BOUNDS = { maxSeries: 100_000, maxSamples: 1_000_000 }
const MS_NS = 1_000_000n

/** Samples that a measure wrote in a time before the end of a step, and at it. */
export interface WrittenRequest {
  readonly measure: SavedMeasure
  readonly atMs: number
  readonly lookBackMs: number
}

/** Samples that are stored; null when there are too many to be read. Rejects with other errors of the store. */
export async function writtenSamples(
  metrics: Pick<MetricStore, 'select'>,
  { measure, atMs, lookBackMs }: WrittenRequest,
  signal: AbortSignal
): Promise<readonly RecordedSample[] | null> {
  const range = { startNs: BigInt(atMs - lookBackMs) * MS_NS + 1n, endNs: BigInt(atMs) * MS_NS + 1n }
  const written: SeriesSamples[] = []
  try {
    for (const value of metricNames(measure)) {
      const matchers = [{ name: '__name__', op: 'eq' as const, value }]
      written.push(...(await metrics.select(measure.namespaceId, { matchers, range, ...BOUNDS }, signal)))
    }
  } catch (error) {
    if (isGatewayError(error) && error.code === 'query_unsupported') return null
    throw error
  }
  // Overflow series of the namespace are not written by name.
  return written.filter(({ labels }) => !isOverflow(labels)).map(lastOf)
}

function lastOf({ name, labels, timestampsNs, values }: SeriesSamples): RecordedSample {
  return { name, labels, value: values.at(-1)!, atMs: Number(timestampsNs.at(-1)! / MS_NS) }
}

/** The same for all orders of labels, and with and without empty ones. */
function keyOf({ name, labels }: RecordedSample): string {
  const present = labels.filter(({ value }) => value !== '')
  return seriesKey({ name, labels: present.toSorted((a, b) => (a.name < b.name ? -1 : 1)) })
}

/**
 * Zeros at the end of a step for series whose records are now counted in others, or have ended: those with another value at this
 * time or last before it, which are not among the samples of the step.
 */
export function zerosOfReplaced(
  known: readonly RecordedSample[],
  samples: readonly RecordedSample[],
  atMs: number
): readonly RecordedSample[] {
  const latest = new Map<string, RecordedSample>()
  for (const sample of known) {
    const key = keyOf(sample)
    if (sample.atMs >= (latest.get(key)?.atMs ?? -Infinity)) latest.set(key, sample)
  }
  for (const sample of samples) latest.delete(keyOf(sample))
  return [...latest.values()].filter(({ value }) => value !== 0).map(sample => ({ ...sample, value: 0, atMs }))
}
