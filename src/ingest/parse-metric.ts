import type { Label, MetricPoint, MetricType } from '../domain/metric-point.js'
import { OVERFLOW_LABEL } from '../domain/overflow.js'
import { type ItemCheck, type RefusedItem } from './item-check.js'
import { isLonger } from './string-size.js'
import { isRawObject, type RawObject } from './raw-object.js'

const SPECIAL_VALUES: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['+Inf', Number.POSITIVE_INFINITY],
  ['Inf', Number.POSITIVE_INFINITY],
  ['-Inf', Number.NEGATIVE_INFINITY]
])
// The form in which integers beyond 2^53 come out of the parser.
const DIGITS = /^-?\d{16,400}$/
const NO_LABELS: readonly Label[] = Object.freeze([])

const MEMBERS: ReadonlySet<string> = new Set(['namespace', 'name', 'type', 'labels', 'timestamp_ns', 'timestamp', 'value'])

/** The name of the matcher for the metric's own name. */
export const RESERVED_LABEL = '__name__'

const OVERFLOW_RESERVED = `the label ${OVERFLOW_LABEL} is reserved for overflow series`

function byName(a: Label, b: Label): number {
  return a.name < b.name ? -1 : 1
}

/** A metric's name: not empty, within its limit. */
export function checkedMetricName(check: ItemCheck, value: unknown): string {
  const name = check.requiredText(value, 'name')
  const limit = check.limits.metricNameBytes
  if (isLonger(name, limit)) check.refuse('record_too_large', 'name', `a metric name must not exceed ${limit} bytes`)
  return name
}

/** An IEEE 754 double; `"NaN"`, `"+Inf"` and `"-Inf"` represent values that JSON has no number for. */
export function metricValue(check: ItemCheck, value: unknown): number {
  if (typeof value === 'number') return value
  const special = SPECIAL_VALUES.get(value)
  if (special !== undefined) return special
  if (typeof value === 'string' && DIGITS.test(value)) return Number(value)
  if (value === undefined || value === null) check.refuse('missing_field', 'value', 'value is required')
  else check.refuse('invalid_field', 'value', 'value must be a number, "NaN", "+Inf" or "-Inf"')
  return 0
}

/** `timestamp_ns`: whole nanoseconds, never through a double; `timestamp` as for logs; else arrival. */
export function metricTime(check: ItemCheck, raw: RawObject): bigint {
  const value = raw['timestamp_ns']
  if (value === undefined || value === null) return check.time(raw['timestamp'], 'timestamp')
  return check.timeNs(value, 'timestamp_ns')
}

/** Notes every error of one label. */
function checkLabel(check: ItemCheck, label: Label): void {
  const { labelNameBytes, labelValueBytes } = check.limits
  const field = `labels.${label.name}`
  if (label.name === '' || label.name === RESERVED_LABEL)
    check.refuse('invalid_field', 'labels', `"${label.name}" cannot name a label`)
  else if (label.name === OVERFLOW_LABEL) check.refuse('invalid_field', field, OVERFLOW_RESERVED)
  else if (isLonger(label.name, labelNameBytes))
    check.refuse('label_limit', 'labels', `a label name must not exceed ${labelNameBytes} bytes`)
  else if (isLonger(label.value, labelValueBytes))
    check.refuse('label_limit', field, `a label value must not exceed ${labelValueBytes} bytes`)
}

/** The labels in their order; one with an empty value is the same as none. More than the limit is a fault. */
export function toLabels(check: ItemCheck, labels: Label[]): readonly Label[] {
  if (labels.length > check.limits.labels) {
    check.refuse('label_limit', 'labels', `a point must not have more than ${check.limits.labels} labels`)
    return NO_LABELS
  }
  const { labelsChars } = check.limits
  let chars = 0
  for (const label of labels) {
    checkLabel(check, label)
    chars += label.name.length + label.value.length
  }
  if (chars > labelsChars)
    check.refuse('label_limit', 'labels', `the labels of a point must not exceed ${labelsChars} characters in total`)
  return labels.sort(byName)
}

/** The sorted labels; a name that comes twice is a fault. */
export function uniqueLabels(check: ItemCheck, labels: readonly Label[]): readonly Label[] {
  const twice = labels.find((label, i) => label.name === labels[i + 1]?.name)
  if (twice !== undefined) check.refuse('invalid_field', 'labels', `the label ${twice.name} is repeated`)
  return labels
}

function parseLabels(check: ItemCheck, value: unknown): readonly Label[] {
  if (value === undefined || value === null) return NO_LABELS
  if (!isRawObject(value)) {
    check.refuse('invalid_field', 'labels', 'labels must be an object of strings')
    return NO_LABELS
  }
  const labels: Label[] = []
  for (const name in value) {
    const text = value[name]
    if (typeof text !== 'string') check.refuse('invalid_field', `labels.${name}`, 'the value of a label must be a string')
    else if (text !== '') labels.push({ name, value: text })
    if (labels.length > check.limits.labels) break
  }
  return toLabels(check, labels)
}

function parseType(check: ItemCheck, value: unknown): MetricType {
  if (value === undefined || value === null || value === 'gauge') return 'gauge'
  if (value === 'counter') return 'counter'
  check.refuse('invalid_field', 'type', 'type must be gauge or counter')
  return 'gauge'
}

/** The point without its unknown members, which are noted; or its fault. */
export function checkedPoint(
  check: ItemCheck,
  { raw, point, known }: { readonly raw: RawObject; readonly point: MetricPoint; readonly known: ReadonlySet<string> }
): MetricPoint | RefusedItem {
  if (check.fault !== null) return check.fault
  for (const member in raw) if (!known.has(member)) check.notes.passOver(member)
  return point
}

/** A metric point as sent ("Limits" and "Time" in docs/conventions.md), checked and normalized. Unknown members are ignored, and noted. */
export function parseMetric(raw: unknown, check: ItemCheck): MetricPoint | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  check.ownNamespace(raw['namespace'])
  const point: MetricPoint = {
    index: check.index,
    name: checkedMetricName(check, raw['name']),
    type: parseType(check, raw['type']),
    labels: parseLabels(check, raw['labels']),
    timestampNs: metricTime(check, raw),
    value: metricValue(check, raw['value'])
  }
  return checkedPoint(check, { raw, point, known: MEMBERS })
}
