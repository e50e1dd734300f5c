import type { AlertBacktestQuery } from '../api/generated/AlertBacktest.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { toMs } from '../format/instant.js'
import { formatDurationMs } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { formatValue } from './format-value.js'
import styles from './page.module.css'

/** A time in which an alert had one state. */
type Interval = NonNullable<AlertBacktestQuery['alertBacktest']>['instances'][number]['intervals'][number]

/** The past week: what a new rule would have sent is judged by a full week of working days and nights. */
export const PREVIEW = { from: 'now-7d', to: 'now' } as const
const DAY_MS = 86_400_000
const PREVIEW_MS = 7 * DAY_MS

/** Bounds of the picture, Unix milliseconds. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The span of a preview that ends at this time. */
export function previewSpan(endMs: number): Span {
  return { fromMs: endMs - PREVIEW_MS, toMs: endMs }
}

/** A line of the picture: the states of an alert as bars, each with its times and its peak. */
export function IntervalLane(props: {
  readonly name: string
  readonly intervals: readonly Interval[]
  readonly span: Span
}): React.JSX.Element {
  const { intervals, span } = props
  const name = visibleText(props.name)
  return (
    <li className={styles.lane}>
      <span title={name}>{name}</span>
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

/** The days below lanes. */
export function LaneAxis({ span: { fromMs, toMs: endMs } }: { readonly span: Span }): React.JSX.Element {
  const format = useInstantFormat()
  return (
    <p className={styles.axis} aria-hidden="true">
      {format.axis([fromMs, (fromMs + endMs) / 2, endMs], DAY_MS).map(label => (
        <span key={label}>{label}</span>
      ))}
    </p>
  )
}
