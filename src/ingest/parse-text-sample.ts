import type { MetricFacts, MetricKind } from '../domain/metric-facts.js'
import type { Label, MetricPoint, MetricType } from '../domain/metric-point.js'
import type { TextSample } from '../wire/exposition/samples.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { growsByName } from './grows-by-name.js'
import { checkedMetricName, toLabels, uniqueLabels } from './parse-metric.js'

/** Parts of a family that only grow, by its kind. */
const GROWING: ReadonlyMap<MetricKind, RegExp> = new Map([
  ['counter', /^(?!.*_created$)/],
  ['histogram', /_(?:bucket|count|sum)$/],
  ['summary', /_(?:count|sum)$/]
])

function typeOf({ name, family }: TextSample): MetricType {
  const isGrowing = family === null || family.kind === 'unknown' ? growsByName(name) : GROWING.get(family.kind)?.test(name)
  return isGrowing === true ? 'counter' : 'gauge'
}

/** The sample's labels; those that the whole request gives go before its own (the path of a push). */
function labelsOf(sample: TextSample, given: readonly Label[]): Label[] {
  const own = sample.labels.filter(({ name, value }) => value !== '' && !given.some(label => label.name === name))
  return [...own, ...given.filter(({ value }) => value !== '')]
}

/** A sample of a string, checked and normalized; what is refused names its line. */
export function parseTextSample(raw: unknown, check: ItemCheck): MetricPoint | RefusedItem {
  const sample = raw as TextSample
  const { shared, nowNs } = check.context
  const name = checkedMetricName(check, sample.name)
  const labels = uniqueLabels(check, toLabels(check, labelsOf(sample, shared.labels)))
  const timestampNs = sample.timestampNs === null ? nowNs : check.inWindow(sample.timestampNs, 'timestamp')
  if (check.fault !== null) return { ...check.fault, detail: `line ${sample.line}: ${check.fault.detail}` }
  if (sample.exemplar !== null) noteExemplar(sample.exemplar, { name, labels, timestampNs }, check)
  return { index: check.index, name, type: typeOf(sample), labels, timestampNs, value: sample.value }
}

function noteExemplar(
  exemplar: NonNullable<TextSample['exemplar']>,
  { name, labels, timestampNs }: Pick<MetricPoint, 'name' | 'labels' | 'timestampNs'>,
  check: ItemCheck
): void {
  const ownLabels = toLabels(
    check,
    exemplar.labels.filter(label => label.value !== '')
  )
  check.notes.note({ name, labels, ownLabels, timestampNs: exemplar.timestampNs ?? timestampNs, value: exemplar.value }, check)
}

/** The metadata of a family in a string. */
export function noteFacts(raw: unknown, check: ItemCheck): void {
  check.notes.describe(raw as MetricFacts, check.limits.metricNameBytes)
}
