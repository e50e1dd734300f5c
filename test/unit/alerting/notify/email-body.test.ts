import { describe, expect, it } from '@jest/globals'
import { type AlertMessage, MAX_BODY_BYTES } from '../../../../src/alerting/notify/message/alertmanager-data.js'
import { emailBody, type EmailContent, emailTestBody } from '../../../../src/alerting/notify/message/email-body.js'
import type { NotifiedAlert } from '../../../../src/domain/alerts/notification-group.js'
import { labelsOf } from '../../../support/alert-rules.js'

const AT_MS = Date.parse('2026-11-24T12:00:00Z')

function alert(labels: Readonly<Record<string, string>>, changes: Partial<NotifiedAlert> = {}): NotifiedAlert {
  return {
    ...{ ruleId: 'r', fingerprint: 'f', labels: labelsOf(labels), annotations: labelsOf({ summary: 'it is down' }) },
    ...{ state: 'firing', startsAtMs: AT_MS - 60_000, endsAtMs: null, value: 1, isLate: false, ...changes }
  }
}

function contentOf(alerts: readonly NotifiedAlert[], changes: Partial<AlertMessage> = {}): EmailContent {
  const message: AlertMessage = {
    ...{ groupKey: '{}', groupLabels: labelsOf({ alertname: 'Down' }), receiver: 'mail', namespace: 'prod', alerts, atMs: AT_MS },
    ...{ externalUrl: 'https://alidade.example', conditions: new Map([['r', { kind: 'promql', expr: 'up < 1' }]]), ...changes }
  }
  const body = emailBody(message)
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES)
  return JSON.parse(body) as EmailContent
}

describe('an e-mail', () => {
  it('lists alerts with their summaries and links, as text and HTML', () => {
    const { subject, text, html } = contentOf([alert({ host: 'a' }), alert({ host: 'b' }, { endsAtMs: AT_MS })])
    expect(subject).toBe('[FIRING:1, RESOLVED:1] {alertname=Down} in prod')
    expect(text.split('\n\n')[1]!.split('\n')).toEqual([
      'firing: host=a (since 2026-11-24T11:59:00.000Z)',
      'it is down',
      'Rule: https://alidade.example/n/prod/alerts/r',
      expect.stringContaining('Data: https://alidade.example/n/prod/metrics?e=up+%3C+1&from=')
    ])
    expect(html).toContain('<b>resolved: host=b (2026-11-24T11:59:00.000Z to 2026-11-24T12:00:00.000Z)</b>')
    expect(html).toContain('<a href="https://alidade.example/n/prod/alerts/r">Rule</a>')
  })

  it('has nothing of labels as markup, and no line breaks in its subject', () => {
    const hostile = '"><img src=x>\r\nBcc: a@example.com'
    const { subject, html } = contentOf([alert({ host: hostile })], { groupLabels: labelsOf({ host: hostile }) })
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toContain('<img')
  })

  it('counts the alerts that do not fit', () => {
    const { text } = contentOf(Array.from({ length: 300 }, (_, at) => alert({ host: `${at} ${'x'.repeat(200)}` })))
    const listed = text.split('\n\n').filter(part => part.startsWith('firing')).length
    expect(listed).toBeGreaterThan(10)
    expect(text).toContain(`and ${300 - listed} more`)
  })

  it('of a test names the channel', () => {
    expect((JSON.parse(emailTestBody('ops', 'prod')) as EmailContent).text).toContain('the channel ops in prod')
  })
})
