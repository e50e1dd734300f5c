import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import { type AlertMessage, evidenceIn, MAX_BODY_BYTES } from './alertmanager-data.js'
import { ruleUrl } from './evidence.js'
import { cut, headline, labelsText, stateWord, summaryOf, timesText } from './message-words.js'

/** What a delivery by e-mail keeps as its body, in JSON. */
export interface EmailContent {
  /** Without line breaks and other control characters. */
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Characters of a subject. */
const MAX_SUBJECT_CHARS = 200
/** Characters of the labels of an alert. */
const MAX_LABEL_CHARS = 1_000
/** Space for what is not an alert. */
const HEAD_BYTES = 2 * 1024

/** An alert as lines, and its links by their words. */
interface AlertLines {
  readonly lines: readonly string[]
  readonly links: readonly (readonly [word: string, url: string])[]
}

function alertLines(alert: NotifiedAlert, message: AlertMessage): AlertLines {
  const labels = oneLine(cut(labelsText(alert.labels), MAX_LABEL_CHARS))
  const first = `${stateWord(alert)}: ${labels} (${timesText(alert)})`
  const links = [
    ['Rule', ruleUrl(message, alert.ruleId)],
    ['Data', evidenceIn(message, alert)?.url ?? '']
  ] as const
  return { lines: [first, summaryOf(alert)].filter(line => line !== ''), links: links.filter(([, url]) => url !== '') }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function textOf({ lines, links }: AlertLines): string {
  return [...lines, ...links.map(([word, url]) => `${word}: ${url}`)].join('\n')
}

function htmlOf({ lines, links }: AlertLines): string {
  const [first = '', ...others] = lines.map(escaped)
  const anchors = links.map(([word, url]) => `<a href="${escaped(url)}">${word}</a>`).join(' ')
  return `<p>${[`<b>${first}</b>`, ...others, anchors].filter(part => part !== '').join('<br>')}</p>`
}

/** Without line breaks, at which a header ends and a value could begin a line of its own, and other control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

function toBody(content: EmailContent): string {
  return JSON.stringify(content)
}

/** Body of an e-mail as JSON of `EmailContent`, within `MAX_BODY_BYTES`; alerts that do not fit are counted. */
export function emailBody(message: AlertMessage): string {
  const title = oneLine(headline(message, MAX_SUBJECT_CHARS))
  const plain: string[] = []
  const parts: string[] = []
  let left = MAX_BODY_BYTES - HEAD_BYTES
  for (const alert of message.alerts) {
    const lines = alertLines(alert, message)
    const [text, html] = [textOf(lines), htmlOf(lines)]
    left -= Buffer.byteLength(JSON.stringify([text, html]))
    if (left < 0) break
    plain.push(text)
    parts.push(html)
  }
  const more = message.alerts.length - plain.length
  const rest = more > 0 ? [`and ${more} more`] : []
  return toBody({
    subject: title,
    text: [title, ...plain, ...rest].join('\n\n'),
    html: [`<p>${escaped(title)}</p>`, ...parts, ...rest.map(line => `<p>${line}</p>`)].join('\n')
  })
}

/** Body of a test. */
export function emailTestBody(channel: string, namespace: string): string {
  const text = `Test of the channel ${channel} in ${namespace}: notifications arrive here.`
  return toBody({ subject: oneLine(cut(text, MAX_SUBJECT_CHARS)), text, html: `<p>${escaped(text)}</p>` })
}
