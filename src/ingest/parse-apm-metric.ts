import type { Label, MetricPoint } from '../domain/metric-point.js'
import { type ItemCheck, type RefusedItem } from './item-check.js'
import { checkedPoint, checkedMetricName, metricTime, metricValue, toLabels } from './parse-metric.js'
import { isRawObject } from './raw-object.js'

const SERVICE = 'service'
const MEMBERS: ReadonlySet<string> = new Set(['namespace', SERVICE, 'name', 'type', 'tags', 'timestamp_ns', 'timestamp', 'value'])

function notScalar(check: ItemCheck, name: string): string {
  check.refuse('invalid_field', `tags.${name}`, 'a tag of a metric must be a string, number or boolean')
  return ''
}

/** Tags as labels; numbers and booleans become their text. */
function labelsOf(check: ItemCheck, service: string, tags: unknown): readonly Label[] {
  const labels: Label[] = [{ name: SERVICE, value: service }]
  if (tags === undefined || tags === null) return toLabels(check, labels)
  if (!isRawObject(tags)) {
    check.refuse('invalid_field', 'tags', 'tags must be an object')
    return labels
  }
  for (const name in tags) {
    const value = tags[name]
    if (value === undefined || value === null || value === '') continue
    const text = typeof value === 'object' ? notScalar(check, name) : `${value as string | number | boolean}`
    if (name !== SERVICE) labels.push({ name, value: text })
    else if (text !== service) check.refuse('invalid_field', 'tags.service', 'tags.service and service disagree')
    if (labels.length > check.limits.labels) break
  }
  return toLabels(check, labels)
}

/** An APM service metric: a gauge point whose labels are `service` and the tags. */
export function parseApmMetric(raw: unknown, check: ItemCheck): MetricPoint | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  check.ownNamespace(raw['namespace'])
  const point: MetricPoint = {
    index: check.index,
    name: checkedMetricName(check, raw['name']),
    type: raw['type'] === 'counter' ? 'counter' : 'gauge',
    labels: labelsOf(check, check.requiredText(raw[SERVICE], SERVICE), raw['tags']),
    timestampNs: metricTime(check, raw),
    value: metricValue(check, raw['value'])
  }
  return checkedPoint(check, { raw, point, known: MEMBERS })
}
