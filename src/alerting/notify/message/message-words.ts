import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import type { Label } from '../../../domain/metric-point.js'
import { type AlertMessage, timeText } from './alertmanager-data.js'

// How messages that people read name alerts.

/** Characters of one value of a label or an annotation. */
const MAX_VALUE_CHARS = 300
const STATE_WORDS = { firing: 'firing', nodata: 'no data', error: 'evaluation failed' } as const

/** The string, or its first characters with an ellipsis. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

/** `host=web-1, service=api`. */
export function labelsText(labels: readonly Label[]): string {
  return labels.map(({ name, value }) => `${name}=${cut(value, MAX_VALUE_CHARS)}`).join(', ')
}

/** The annotation `summary` or `description`; empty without one. */
export function summaryOf({ annotations }: NotifiedAlert): string {
  const found = ['summary', 'description'].map(name => annotations.find(annotation => annotation.name === name)?.value)
  return cut(found.find(value => value !== undefined) ?? '', MAX_VALUE_CHARS)
}

/** `firing`, `no data`, `evaluation failed` or `resolved`. */
export function stateWord({ endsAtMs, state }: NotifiedAlert): string {
  return endsAtMs === null ? STATE_WORDS[state] : 'resolved'
}

/** `since` its start, or from its start to its end. */
export function timesText({ startsAtMs, endsAtMs }: NotifiedAlert): string {
  return endsAtMs === null ? `since ${timeText(startsAtMs)}` : `${timeText(startsAtMs)} to ${timeText(endsAtMs)}`
}

/** `[FIRING:2, RESOLVED:1] {alertname=Down} in prod`, at most `max` characters. */
export function headline({ alerts, groupLabels, namespace }: AlertMessage, max: number): string {
  const firing = alerts.filter(({ endsAtMs }) => endsAtMs === null).length
  const counts = [
    ['FIRING', firing],
    ['RESOLVED', alerts.length - firing]
  ] as const
  const shown = counts.filter(([, count]) => count > 0).map(([word, count]) => `${word}:${count}`)
  return cut(`[${shown.join(', ')}] {${labelsText(groupLabels)}} in ${namespace}`, max)
}
