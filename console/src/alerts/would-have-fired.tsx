import { type AlertBacktestQuery, AlertBacktestDocument } from '../api/generated/AlertBacktest.js'
import type { AlertRuleInput } from '../api/generated/AlertRule.js'
import { useRequest } from '../api/use-request.js'
import { plural } from '../format/number.js'
import { Panel } from '../ui/panel.js'
import { useNamespace } from '../url/use-address.js'
import { formatValue } from './format-value.js'
import { IntervalLane, LaneAxis, PREVIEW, previewSpan } from './interval-lane.js'
import styles from './page.module.css'

type Backtest = NonNullable<AlertBacktestQuery['alertBacktest']>
type Instance = Backtest['instances'][number]

const MOST_LANES = 20

/** What the rule would have done over the past week, evaluated as the service would have. */
export function WouldHaveFired({ rule }: { readonly rule: AlertRuleInput | null }): React.JSX.Element {
  const namespace = useNamespace()
  const variables = { rule: rule ?? {}, range: PREVIEW }
  const result = useRequest(AlertBacktestDocument, variables, { namespace, enabled: rule !== null })
  if (rule === null) return <p className={styles.muted}>Enter a condition to see what the rule would have done.</p>
  return (
    <Panel
      title="Past 7 days"
      result={result}
      what="the past 7 days"
      source={{ request: { document: AlertBacktestDocument, variables } }}
      completenessOf={({ alertBacktest }) => alertBacktest?.stats}
      minHeight={160}
    >
      {({ alertBacktest }) => alertBacktest && <Figure backtest={alertBacktest} endMs={result.dataUpdatedAt} />}
    </Panel>
  )
}

function firingCount({ instances }: Backtest): number {
  return instances.flatMap(({ intervals }) => intervals).filter(({ state }) => state === 'FIRING').length
}

function Figure({ backtest, endMs }: { readonly backtest: Backtest; readonly endMs: number }): React.JSX.Element {
  const span = previewSpan(endMs)
  const fired = firingCount(backtest)
  const lanes = backtest.instances.slice(0, MOST_LANES)
  return (
    <figure className={styles.preview} aria-label="Would have fired">
      <figcaption>
        {fired === 0
          ? 'Would not have fired.'
          : `Would have fired ${plural(fired, 'time')}, ${plural(backtest.notifications, 'notification')}.`}
        {backtest.flaps > 0 && ` ${plural(backtest.flaps, 'flap')}: a longer duration avoids them.`}
      </figcaption>
      <ul>
        {lanes.map(instance => (
          <IntervalLane
            key={JSON.stringify(instance.labels)}
            name={nameOf(instance) || 'no labels'}
            intervals={instance.intervals}
            span={span}
          />
        ))}
      </ul>
      {backtest.instances.length > MOST_LANES && (
        <p className={styles.muted}>{plural(backtest.instances.length - MOST_LANES, 'more alert')} not shown.</p>
      )}
      {lanes.length > 0 && <LaneAxis span={span} />}
      <Suggestions suggestions={backtest.suggestions} />
    </figure>
  )
}

function Suggestions({ suggestions }: { readonly suggestions: Backtest['suggestions'] }): React.JSX.Element | null {
  if (suggestions.length === 0) return null
  return (
    <ul aria-label="Suggestions">
      {suggestions.map(({ for: duration, perWeek }) => (
        <li key={duration} className={styles.muted}>
          For {duration}: {formatValue(perWeek)} notifications a week.
        </li>
      ))}
    </ul>
  )
}

function nameOf({ labels }: Instance): string {
  return labels
    .filter(label => label.name !== 'alertname' && label.name !== 'severity')
    .map(label => `${label.name}=${label.value}`)
    .join(' ')
}
