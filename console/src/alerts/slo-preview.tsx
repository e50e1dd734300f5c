import { SloBacktestDocument, type SloBacktestQuery } from '../api/generated/Slos.js'
import { useRequest } from '../api/use-request.js'
import { Panel } from '../ui/panel.js'
import { useNamespace } from '../url/use-address.js'
import { IntervalLane, LaneAxis, PREVIEW, previewSpan } from './interval-lane.js'
import styles from './page.module.css'
import { alertsSentence } from './slo-alerts-sentence.js'
import { formatBurn } from './slo-budget.js'
import { SloBudget } from './slo-budget-view.js'

type Backtest = NonNullable<SloBacktestQuery['sloBacktest']>
type Alert = Backtest['alerts'][number]

/** What the alerts of an SLO would have done over the past week, and its error budget, counted as the service would have. */
export function SloPreview(props: { readonly document: Record<string, unknown> | null }): React.JSX.Element {
  const { document } = props
  const namespace = useNamespace()
  const variables = { document: document ?? {}, range: PREVIEW }
  const result = useRequest(SloBacktestDocument, variables, { namespace, enabled: document !== null })
  if (document === null)
    return <p className={styles.muted}>Enter a name, a service and what counts, to see what the SLO would have done.</p>
  return (
    <Panel
      title="Past 7 days"
      result={result}
      what="the past 7 days"
      completenessOf={({ sloBacktest }) => sloBacktest?.stats}
      minHeight={320}
    >
      {({ sloBacktest }) =>
        sloBacktest && (
          <>
            <Alerts alerts={sloBacktest.alerts} endMs={result.dataUpdatedAt} />
            <SloBudget report={sloBacktest.report} />
          </>
        )
      }
    </Panel>
  )
}

function Alerts({ alerts, endMs }: { readonly alerts: readonly Alert[]; readonly endMs: number }): React.JSX.Element {
  const span = previewSpan(endMs)
  return (
    <figure className={styles.preview} aria-label="Would have alerted">
      <figcaption>{alertsSentence(alerts)}</figcaption>
      <ul>
        {alerts.map(alert => (
          <IntervalLane
            key={alert.alert}
            name={nameOf(alert)}
            intervals={alert.instances.flatMap(({ intervals }) => intervals)}
            span={span}
          />
        ))}
      </ul>
      {alerts.length > 0 && <LaneAxis span={span} />}
    </figure>
  )
}

function nameOf({ kind, factor, window }: Alert): string {
  return `${kind === 'PAGE' ? 'Page' : 'Ticket'}: burn over ${formatBurn(factor)} in ${window}`
}
