import { bareObject } from '../../../domain/bare-object.js'
import type { AlertCondition } from '../../../domain/alerts/alert-rule.js'
import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import type { Label } from '../../../domain/metric-point.js'
import { type Evidence, evidenceOf, ruleUrl } from './evidence.js'

/** Bytes of a body. Larger ones are cut by whole alerts, which are counted. */
export const MAX_BODY_BYTES = 20 * 1024

/** End of an alert that fires, as Alertmanager writes it: the zero time of Go. */
const NOT_ENDED = '0001-01-01T00:00:00Z'

/** A message before it is encoded. */
export interface AlertMessage {
  readonly groupKey: string
  readonly groupLabels: readonly Label[]
  /** Name of the channel. */
  readonly receiver: string
  readonly namespace: string
  /** Public address of the service, without a slash at its end; empty when it is not configured. */
  readonly externalUrl: string
  /** Active alerts, then resolved ones. */
  readonly alerts: readonly NotifiedAlert[]
  /** Conditions of the rules of its alerts, by id; rules that were deleted, and those beyond a bound, are missing. */
  readonly conditions: ReadonlyMap<string, AlertCondition>
  readonly atMs: number
}

type Strings = Readonly<Record<string, string>>

/** An alert of a message. `value` and `evidence` are ours. */
interface AlertData {
  readonly status: 'firing' | 'resolved'
  readonly labels: Strings
  readonly annotations: Strings
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL: string
  readonly fingerprint: string
  readonly value?: number | string | null
  /** Pages of the console with the data behind the alert. */
  readonly evidence?: readonly Evidence[]
}

/** Data of a message. Source: Alertmanager, configuration, `<webhook_config>`, version 4. `namespace` is ours. */
export interface MessageData {
  readonly version: '4'
  readonly groupKey: string
  readonly truncatedAlerts: number
  readonly status: 'firing' | 'resolved'
  readonly receiver: string
  readonly groupLabels: Strings
  readonly commonLabels: Strings
  readonly commonAnnotations: Strings
  readonly externalURL: string
  readonly alerts: readonly AlertData[]
  readonly namespace?: string
}

/** Labels as an object. Their names come from senders. */
export function labelObject(labels: readonly Label[]): Strings {
  const object = bareObject<string>()
  for (const { name, value } of labels) object[name] = value
  return object
}

/** RFC 3339 of Unix milliseconds. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

/** The page of the data behind an alert of a message; null where it has none. */
export function evidenceIn(message: AlertMessage, { ruleId, labels, startsAtMs, endsAtMs }: NotifiedAlert): Evidence | null {
  const condition = message.conditions.get(ruleId)
  return condition === undefined ? null : evidenceOf(message, { labels, startsAtMs, endsAtMs, condition, atMs: message.atMs })
}

/** JSON has no NaN and no infinities. */
function jsonValue(value: number | null): number | string | null {
  if (value === null || Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

function ownMembers(alert: NotifiedAlert, message: AlertMessage): Pick<AlertData, 'value' | 'evidence'> {
  const evidence = evidenceIn(message, alert)
  return { value: jsonValue(alert.value), evidence: evidence === null ? [] : [evidence] }
}

function alertData(alert: NotifiedAlert, message: AlertMessage, isExtended: boolean): AlertData {
  return {
    status: alert.endsAtMs === null ? 'firing' : 'resolved',
    labels: labelObject(alert.labels),
    annotations: labelObject(alert.annotations),
    startsAt: timeText(alert.startsAtMs),
    endsAt: alert.endsAtMs === null ? NOT_ENDED : timeText(alert.endsAtMs),
    generatorURL: ruleUrl(message, alert.ruleId),
    fingerprint: alert.fingerprint,
    ...(isExtended && ownMembers(alert, message))
  }
}

function commonOf(lists: readonly (readonly Label[])[]): readonly Label[] {
  const [first = [], ...others] = lists
  const objects = others.map(labelObject)
  return first.filter(({ name, value }) => objects.every(object => object[name] === value))
}

/** The data of a message with its first `count` alerts. `isExtended`: with our members. */
function dataWith(message: AlertMessage, count: number, isExtended: boolean): MessageData {
  const { groupKey, groupLabels, receiver, namespace, externalUrl, alerts } = message
  return {
    version: '4',
    groupKey,
    truncatedAlerts: alerts.length - count,
    status: alerts.some(({ endsAtMs }) => endsAtMs === null) ? 'firing' : 'resolved',
    receiver,
    groupLabels: labelObject(groupLabels),
    commonLabels: labelObject(commonOf(alerts.map(({ labels }) => labels))),
    commonAnnotations: labelObject(commonOf(alerts.map(({ annotations }) => annotations))),
    externalURL: externalUrl,
    alerts: alerts.slice(0, count).map(alert => alertData(alert, message, isExtended)),
    ...(isExtended && { namespace })
  }
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** How many alerts fit in `bytes`, each with a comma behind it. */
function fitting(alerts: readonly AlertData[], bytes: number): number {
  let left = bytes
  const over = alerts.findIndex(alert => (left -= sizeOf(alert) + 1) < 0)
  return over < 0 ? alerts.length : over
}

/** Alerts of a message that are encoded at most: more never fit. */
const MAX_ENCODED_ALERTS = 200

/**
 * The data of a message in at most `bytes`: alerts that do not fit are left out and counted in `truncatedAlerts`. Common
 * annotations and labels that alone are too large are left out before.
 */
export function messageData(message: AlertMessage, bytes: number, isExtended: boolean): MessageData {
  const most = dataWith(message, Math.min(message.alerts.length, MAX_ENCODED_ALERTS), isExtended)
  const longest = { ...most, alerts: [], truncatedAlerts: message.alerts.length }
  const heads = [longest, { ...longest, commonAnnotations: {} }, { ...longest, commonAnnotations: {}, commonLabels: {} }]
  const smallest = { ...longest, commonAnnotations: {}, commonLabels: {}, groupLabels: {}, groupKey: cutKey(message.groupKey) }
  const head = heads.find(one => sizeOf(one) <= bytes / 2) ?? smallest
  const alerts = most.alerts.slice(0, fitting(most.alerts, bytes - sizeOf(head)))
  return { ...head, alerts, truncatedAlerts: message.alerts.length - alerts.length }
}

const MAX_KEY_CHARS = 1_024

function cutKey(key: string): string {
  return key.length <= MAX_KEY_CHARS ? key : `${key.slice(0, MAX_KEY_CHARS)}…`
}
