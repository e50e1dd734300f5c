import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import { type AlertMessage, evidenceIn } from './alertmanager-data.js'
import { ruleUrl } from './evidence.js'
import { cut, headline, labelsText, stateWord, summaryOf, timesText } from './message-words.js'

/** Alerts that a message lists; the others are counted. */
const MAX_LISTED_ALERTS = 10
/** Characters of the text of a section. Source: Slack, Block Kit, section block. */
const MAX_SECTION_CHARS = 3_000
/** Characters of the labels of an alert, and of a link: a section is cut behind them, in the summary. */
const MAX_LABEL_CHARS = 1_000
const MAX_LINK_CHARS = 1_000
/** Escapes what Slack's mrkdwn reads as markup, so that a value cannot mention users or forge links. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function linksText(alert: NotifiedAlert, message: AlertMessage): string {
  const links = [
    [ruleUrl(message, alert.ruleId), 'rule'],
    [evidenceIn(message, alert)?.url ?? '', 'data']
  ] as const
  return links.map(([url, word]) => (url === '' || url.length > MAX_LINK_CHARS ? '' : ` <${escaped(url)}|${word}>`)).join('')
}

function alertLine(alert: NotifiedAlert, message: AlertMessage): string {
  const labels = cut(escaped(labelsText(alert.labels)), MAX_LABEL_CHARS)
  const summary = summaryOf(alert)
  const rest = summary === '' ? '' : `\n${escaped(summary)}`
  return `*${stateWord(alert)}* ${labels} (${timesText(alert)})${linksText(alert, message)}${rest}`
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
  const title = escaped(headline(message, MAX_SECTION_CHARS / 2))
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
