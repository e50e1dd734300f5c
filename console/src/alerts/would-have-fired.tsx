import { type AlertBacktestQuery, AlertBacktestDocument } from '../api/generated/AlertBacktest.js'
import type { AlertRuleInput } from '../api/generated/AlertRule.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatDurationMs, plural } from '../format/number.js'
import { toMs } from '../format/instant.js'
import { visibleText } from '../format/visible-text.js'
import { Panel } from '../ui/panel.js'
import { useNamespace } from '../url/use-address.js'
import { formatValue } from './format-value.js'
import styles from './page.module.css'

type Backtest = NonNullable<AlertBacktestQuery['alertBacktest']>
type Instance = Backtest['instances'][number]
type Interval = Instance['intervals'][number]

/** The past week: what a new rule would have sent is judged by a full week of working days and nights. */
const PREVIEW = { from: 'now-7d', to: 'now' } as const
const DAY_MS = 86_400_000
const PREVIEW_MS = 7 * DAY_MS

const MOST_LANES = 20

/** Bounds of the picture, Unix milliseconds. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

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
  const format = useInstantFormat()
  const span = { fromMs: endMs - PREVIEW_MS, toMs: endMs }
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
          <Lane key={JSON.stringify(instance.labels)} instance={instance} span={span} />
        ))}
      </ul>
      {backtest.instances.length > MOST_LANES && (
        <p className={styles.muted}>{plural(backtest.instances.length - MOST_LANES, 'more alert')} not shown.</p>
      )}
      {lanes.length > 0 && (
        <p className={styles.axis} aria-hidden="true">
          {format.axis([span.fromMs, (span.fromMs + span.toMs) / 2, span.toMs], DAY_MS).map(label => (
            <span key={label}>{label}</span>
          ))}
        </p>
      )}
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

function Lane({ instance, span }: { readonly instance: Instance; readonly span: Span }): React.JSX.Element {
  const { labels, intervals } = instance
  const name = labels
    .filter(label => label.name !== 'alertname' && label.name !== 'severity')
    .map(label => `${label.name}=${label.value}`)
    .join(' ')
  return (
    <li className={styles.lane}>
      <span title={visibleText(name)}>{visibleText(name) || 'no labels'}</span>
      <span className={styles.track}>
        {intervals.map(interval => (
          <Bar key={`${interval.from} ${interval.state}`} interval={interval} span={span} />
        ))}
      </span>
    </li>
  )
}

const percent = (share: number): string => `${Math.min(1, Math.max(0, share)) * 100}%`

function Bar({ interval, span }: { readonly interval: Interval; readonly span: Span }): React.JSX.Element {
  const format = useInstantFormat()
  const { state, from, to, peak } = interval
  const length = span.toMs - span.fromMs
  const [start, end] = [toMs(from), toMs(to)]
  const title = `${state.toLowerCase()} from ${format.full(from)} for ${formatDurationMs(end - start)}, peak ${formatValue(peak)}`
  return (
    <span
      className={styles.interval}
      data-state={state.toLowerCase()}
      title={title}
      style={{ left: percent((start - span.fromMs) / length), width: percent((end - start) / length) }}
    >
      <span className="visually-hidden">{title}. </span>
    </span>
  )
}
