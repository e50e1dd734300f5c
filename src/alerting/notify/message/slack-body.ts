import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import type { Label } from '../../../domain/metric-point.js'
import { type AlertMessage, evidenceIn, timeText } from './alertmanager-data.js'
import { ruleUrl } from './evidence.js'

/** Alerts that a message lists; the others are counted. */
const MAX_LISTED_ALERTS = 10
/** Characters of the text of a section. Source: Slack, Block Kit, section block. */
const MAX_SECTION_CHARS = 3_000
/** Characters of the labels of an alert, and of a link: a section is cut behind them, in the summary. */
const MAX_LABEL_CHARS = 1_000
const MAX_LINK_CHARS = 1_000
/** Characters of one value of a label or an annotation. */
const MAX_VALUE_CHARS = 300

/** Escapes what Slack's mrkdwn reads as markup, so that a value cannot mention users or forge links. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

function labelsText(labels: readonly Label[]): string {
  return labels.map(({ name, value }) => `${name}=${cut(value, MAX_VALUE_CHARS)}`).join(', ')
}

function annotationOf({ annotations }: NotifiedAlert): string {
  const found = ['summary', 'description'].map(name => annotations.find(annotation => annotation.name === name)?.value)
  return cut(found.find(value => value !== undefined) ?? '', MAX_VALUE_CHARS)
}

const STATE_WORDS = { firing: 'firing', nodata: 'no data', error: 'evaluation failed' } as const

function linksText(alert: NotifiedAlert, message: AlertMessage): string {
  const links = [
    [ruleUrl(message, alert.ruleId), 'rule'],
    [evidenceIn(message, alert)?.url ?? '', 'data']
  ] as const
  return links.map(([url, word]) => (url === '' || url.length > MAX_LINK_CHARS ? '' : ` <${escaped(url)}|${word}>`)).join('')
}

function alertLine(alert: NotifiedAlert, message: AlertMessage): string {
  const { endsAtMs, startsAtMs, state } = alert
  const word = endsAtMs === null ? STATE_WORDS[state] : 'resolved'
  const times = endsAtMs === null ? `since ${timeText(startsAtMs)}` : `${timeText(startsAtMs)} to ${timeText(endsAtMs)}`
  const summary = annotationOf(alert)
  return `*${word}* ${cut(escaped(labelsText(alert.labels)), MAX_LABEL_CHARS)} (${times})${linksText(alert, message)}${summary === '' ? '' : `\n${escaped(summary)}`}`
}

/** Headline: `[FIRING:2, RESOLVED:1] {alertname=Down} in prod`. */
function headline({ alerts, groupLabels, namespace }: AlertMessage): string {
  const firing = alerts.filter(({ endsAtMs }) => endsAtMs === null).length
  const counts = [
    ['FIRING', firing],
    ['RESOLVED', alerts.length - firing]
  ] as const
  const shown = counts.filter(([, count]) => count > 0).map(([word, count]) => `${word}:${count}`)
  return cut(`[${shown.join(', ')}] {${labelsText(groupLabels)}} in ${namespace}`, MAX_SECTION_CHARS / 2)
}

function section(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text: cut(text, MAX_SECTION_CHARS) } }
}

/**
 * Body of an incoming webhook of Slack, `{text, blocks}`. Mattermost and Rocket.Chat read `text`. It lists 10 alerts and
 * counts the others.
 */
export function slackBody(message: AlertMessage): string {
  const { alerts } = message
  const title = escaped(headline(message))
  const listed = alerts.slice(0, MAX_LISTED_ALERTS).map(alert => alertLine(alert, message))
  const left = alerts.length - listed.length
  const lines = left > 0 ? [...listed, `and ${left} more`] : listed
  return JSON.stringify({
    text: cut([title, ...lines].join('\n'), MAX_SECTION_CHARS),
    blocks: [`*${title}*`, ...lines].map(section)
  })
}

/** Body of a test. */
export function slackTestBody(channel: string, namespace: string): string {
  const text = escaped(`Test of the channel ${channel} in ${namespace}: notifications arrive here.`)
  return JSON.stringify({ text, blocks: [section(text)] })
}
