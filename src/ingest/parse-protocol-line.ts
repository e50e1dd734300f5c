import type { Label, MetricPoint } from '../domain/metric-point.js'
import type { ProtocolLine } from '../wire/line-protocol/lines.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { checkedMetricName, toLabels, uniqueLabels } from './parse-metric.js'

const INVALID_IN_NAME = /[^a-zA-Z0-9_:]/g
const INVALID_IN_LABEL = /[^a-zA-Z0-9_]/g
const COUNTER = /_total$/
/** Measurement under which Telegraf passes on what it scraped: its fields are the names of the metrics. */
const SCRAPED = 'prometheus'

/** A name that PromQL takes without quotes, as Telegraf's Prometheus output makes it. */
function sanitized(text: string, invalid: RegExp): string {
  const name = text.replaceAll(invalid, '_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

/** `measurement_field`, as VictoriaMetrics and Telegraf name it. */
function nameOf(measurement: string, field: string): string {
  return sanitized(measurement === SCRAPED ? field : `${measurement}_${field}`, INVALID_IN_NAME)
}

function labelsOf({ tags }: ProtocolLine): Label[] {
  return tags.map(({ name, value }) => ({ name: sanitized(name, INVALID_IN_LABEL), value }))
}

/** The samples of a line, one for each field that is a number; what is refused names its line. */
export function parseProtocolLine(raw: unknown, check: ItemCheck): readonly MetricPoint[] | RefusedItem {
  const line = raw as ProtocolLine
  const { shared, nowNs } = check.context
  const timestampNs = line.time === null ? nowNs : check.inWindow(line.time * shared.timeUnitNs, 'timestamp')
  const labels = uniqueLabels(check, toLabels(check, labelsOf(line)))
  const points = line.fields.map(({ key, value }): MetricPoint => {
    const name = checkedMetricName(check, nameOf(line.measurement, key))
    return { index: check.index, name, type: COUNTER.test(name) ? 'counter' : 'gauge', labels, timestampNs, value }
  })
  if (new Set(points.map(({ name }) => name)).size < points.length)
    check.refuse('invalid_field', 'fields', 'two fields give the same name of a metric')
  if (check.fault !== null) return { ...check.fault, detail: `line ${line.line}: ${check.fault.detail}` }
  check.notes.ignoredValues += line.strings
  return points
}
