import { expect, it } from '@jest/globals'
import { alertsSentence } from '../../../console/src/alerts/slo-alerts-sentence.js'

const page = { kind: 'PAGE', notifications: 0, evaluations: 100 } as const
const ticket = { kind: 'TICKET', notifications: 1, evaluations: 100 } as const

it.each([
  [[], 'This SLO has no alerts.'],
  [[page], 'Would not have alerted.'],
  [[page, ticket], 'Would have sent 0 pages and 1 ticket.'],
  [[{ ...page, evaluations: 0 }], 'Not all alerts could be evaluated.'],
  [[page, { ...page, evaluations: 60 }], 'Not all alerts could be evaluated.'],
  [[page, { ...ticket, evaluations: 60 }], 'Would have sent 0 pages and 1 ticket. Not all alerts could be evaluated.']
])('alerts %j: %s', (alerts, sentence) => {
  expect(alertsSentence(alerts)).toBe(sentence)
})
