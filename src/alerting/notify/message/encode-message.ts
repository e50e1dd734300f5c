import type { ChannelContent, MessageType } from '../../../domain/alerts/channel.js'
import { type AlertMessage, MAX_BODY_BYTES, messageData, timeText } from './alertmanager-data.js'
import { alertmanagerBodies } from './alertmanager-post.js'
import { emailBody, emailTestBody } from './email-body.js'
import { slackBody, slackTestBody } from './slack-body.js'

/** What decides on the form of a body. */
type BodyForm = Pick<ChannelContent, 'kind' | 'format'>

/** The type of a message: what its active alerts report, or that all are resolved. */
export function messageType({ alerts }: Pick<AlertMessage, 'alerts'>): MessageType {
  const states = new Set(alerts.filter(({ endsAtMs }) => endsAtMs === null).map(({ state }) => state))
  if (states.size === 0) return 'alert.resolved'
  return states.has('firing') ? 'alert.firing' : states.has('nodata') ? 'alert.nodata' : 'alert.error'
}

/** `{type, timestamp, data}`. Source: Standard Webhooks 1.0.0, payload structure. */
function standardBody(type: MessageType, atMs: number, data: (bytes: number) => object): string {
  const head = { type, timestamp: timeText(atMs) }
  const around = Buffer.byteLength(JSON.stringify({ ...head, data: {} }))
  return JSON.stringify({ ...head, data: data(MAX_BODY_BYTES - around) })
}

/** The body of a message that people or programs read: the bytes that every attempt sends. */
function encodeMessage(form: BodyForm, message: AlertMessage): string {
  if (form.kind === 'slack') return slackBody(message)
  if (form.kind === 'email') return emailBody(message)
  if (form.format === 'alertmanager') return JSON.stringify(messageData(message, MAX_BODY_BYTES, false))
  return standardBody(messageType(message), message.atMs, bytes => messageData(message, bytes, true))
}

/** The bodies of a message to a channel, at least one; only an Alertmanager gets several. */
export function encodeMessages(form: BodyForm, message: AlertMessage): readonly string[] {
  return form.kind === 'alertmanager' ? alertmanagerBodies(message) : [encodeMessage(form, message)]
}

/** The body of a test of a channel. An Alertmanager gets no alert: a test must not page anyone there. */
export function encodeTest(form: BodyForm, test: Pick<AlertMessage, 'receiver' | 'namespace' | 'externalUrl' | 'atMs'>): string {
  const { receiver, namespace, externalUrl, atMs } = test
  if (form.kind === 'slack') return slackTestBody(receiver, namespace)
  if (form.kind === 'email') return emailTestBody(receiver, namespace)
  if (form.kind === 'alertmanager') return '[]'
  if (form.format === 'alertmanager') {
    const message = { ...test, groupKey: '', groupLabels: [], alerts: [], conditions: new Map() }
    return JSON.stringify({ ...messageData(message, MAX_BODY_BYTES, false), status: 'resolved' })
  }
  return standardBody('webhook.test', atMs, () => ({ receiver, namespace, externalURL: externalUrl }))
}
