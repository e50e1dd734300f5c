import { plural } from '../format/number.js'

/** What a backtest counted of one burn-rate alert. */
export interface TriedAlert {
  readonly kind: 'PAGE' | 'TICKET'
  readonly notifications: number
  readonly evaluations: number
}

/** What the alerts of an SLO would have sent. Alerts that were evaluated less often than others did not fire in the rest. */
export function alertsSentence(alerts: readonly TriedAlert[]): string {
  if (alerts.length === 0) return 'This SLO has no alerts.'
  const count = (kind: TriedAlert['kind']): number =>
    alerts.filter(alert => alert.kind === kind).reduce((sum, { notifications }) => sum + notifications, 0)
  const [pages, tickets] = [count('PAGE'), count('TICKET')]
  const most = Math.max(...alerts.map(({ evaluations }) => evaluations))
  const isWhole = alerts.every(({ evaluations }) => evaluations > 0 && evaluations === most)
  const sent = `Would have sent ${plural(pages, 'page')} and ${plural(tickets, 'ticket')}.`
  if (isWhole) return pages + tickets === 0 ? 'Would not have alerted.' : sent
  const partly = 'Not all alerts could be evaluated.'
  return pages + tickets === 0 ? partly : `${sent} ${partly}`
}
