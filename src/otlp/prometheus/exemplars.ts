import type { Label } from '../../domain/metric-point.js'
import type { OtlpExemplar } from '../model.js'
import { attributeLabels } from './series.js'

/** Labels of an exemplar: the ids that lead to its trace, and the attributes that the aggregation left out. */
export function exemplarLabels({ attributes, traceId, spanId }: OtlpExemplar): Label[] {
  const labels = new Map<string, string>()
  attributeLabels(attributes, labels)
  if (traceId !== '') labels.set('trace_id', traceId)
  if (spanId !== '') labels.set('span_id', spanId)
  return Array.from(labels, ([name, value]) => ({ name, value }))
}

/**
 * The series of a data point that an exemplar of this value belongs to: of a histogram the smallest bucket that counts it,
 * else the first (OpenTelemetry's compatibility page, "Exemplars").
 */
export function seriesOfExemplar<Sample extends { readonly labels: readonly Label[] }>(
  samples: readonly Sample[],
  value: number
): Sample | undefined {
  let best: Sample | undefined
  let bestBound = Infinity
  for (const sample of samples) {
    const le = sample.labels.find(({ name }) => name === 'le')?.value
    if (le === undefined) continue
    const bound = le === '+Inf' ? Infinity : Number(le)
    if (value <= bound && (best === undefined || bound < bestBound)) [best, bestBound] = [sample, bound]
  }
  return best ?? samples[0]
}
