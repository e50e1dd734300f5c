import type { AlertInstance } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'
import { goNumber } from '../../query/promql/go-number.js'
import { goQuoted } from '../../query/promql/go-quote.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import type { SeriesName } from './series-notation.js'
import type { AlertTest } from './test-file.js'

/** A sample of a result. */
export interface ShownSeries extends SeriesName {
  readonly value: number
}

/** Labels as Prometheus prints them. */
function shownLabels(labels: readonly Label[]): string {
  return `{${labels.map(({ name, value }) => `${name}=${goQuoted(value)}`).join(', ')}}`
}

function labelsOf(map: ReadonlyMap<string, string>): readonly Label[] {
  const kept = [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return kept.map(([name, value]) => ({ name, value }))
}

interface ShownAlert {
  readonly labels: string
  readonly annotations: string
}

function sortedAlerts(alerts: readonly ShownAlert[]): readonly ShownAlert[] {
  return alerts.toSorted((a, b) => (a.labels + a.annotations < b.labels + b.annotations ? -1 : 1))
}

function listOf(alerts: readonly ShownAlert[]): string {
  if (alerts.length === 0) return '[]'
  const indent = '                '
  const shown = alerts.map(({ labels, annotations }, i) => {
    return `${indent}${i}:\n${indent}  Labels:${labels}\n${indent}  Annotations:${annotations}`
  })
  return `[\n${shown.join(',\n')}\n            ]`
}

/** Differences between the alerts that fire and those that a test expects. */
export function compareAlerts(testName: string, test: AlertTest, firing: readonly AlertInstance[]): readonly string[] {
  const got = sortedAlerts(
    firing.map(({ labels, annotations }) => ({ labels: shownLabels(labels), annotations: shownLabels(annotations) }))
  )
  const expected = sortedAlerts(
    test.expected.map(({ labels, annotations }) => {
      const named = new Map([...labels, ['alertname', test.alertName] as const].filter(([, value]) => value !== ''))
      return { labels: shownLabels(labelsOf(named)), annotations: shownLabels(labelsOf(annotations)) }
    })
  )
  if (JSON.stringify(got) === JSON.stringify(expected)) return []
  const name = testName === '' ? '' : `    name: ${testName},\n`
  const where = `${name}    alertname: ${test.alertName}, time: ${formatDuration(test.evalMs)},`
  return [`${where}\n        exp:${listOf(expected)},\n        got:${listOf(got)}`]
}

const scratch = new DataView(new ArrayBuffer(8))

function bitsOf(value: number): bigint {
  scratch.setFloat64(0, value)
  return scratch.getBigInt64(0)
}

/** Whether two numbers are equal, or with `isFuzzy` neighbours. */
function isSameValue(a: number, b: number, isFuzzy: boolean): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true
  if (!isFuzzy || Math.sign(a) !== Math.sign(b)) return false
  const distance = bitsOf(a) - bitsOf(b)
  return distance === 1n || distance === -1n
}

function shownSample({ name, labels, value }: ShownSeries): string {
  const set = labels.length === 0 && name !== '' ? '' : shownLabels(labels)
  return `${name}${set} ${goNumber(value)}`
}

function keyOf({ name, labels }: ShownSeries): string {
  return JSON.stringify([name, labels])
}

function shownSamples(samples: readonly ShownSeries[]): string {
  return samples.length === 0 ? 'nil' : samples.map(shownSample).join(', ')
}

/** Differences between the samples of a result and those that a test expects. */
export function compareSamples(
  where: string,
  expected: readonly ShownSeries[],
  got: readonly ShownSeries[],
  isFuzzy: boolean
): readonly string[] {
  const sorted = (samples: readonly ShownSeries[]) => samples.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const [a, b] = [sorted(expected), sorted(got)]
  const isSame =
    a.length === b.length && a.every((one, i) => keyOf(one) === keyOf(b[i]!) && isSameValue(one.value, b[i]!.value, isFuzzy))
  return isSame ? [] : [`${where}\n        exp: ${shownSamples(a)}\n        got: ${shownSamples(b)}`]
}
