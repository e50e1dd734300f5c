import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { lastSample } from './chart-data.js'
import styles from './time-chart.module.css'
import type { ChartSeries } from './time-plot.js'

/** More series are in the table of the data. */
const MAX_NAMED = 20

/** A short line in the style of a series. */
export function SeriesMark({ colour, dash = [] }: Pick<ChartSeries, 'colour' | 'dash'>): React.JSX.Element {
  return (
    <svg className={styles.mark} width="18" height="8" aria-hidden="true">
      <line x1="0" x2="18" y1="4" y2="4" stroke={colour} strokeWidth="2" strokeDasharray={dash.join(' ') || undefined} />
    </svg>
  )
}

/** Names of the series with their values at the cursor; their last values without a cursor. */
export function ChartLegend(props: {
  readonly series: readonly ChartSeries[]
  readonly at: number | null
  /** Time of the cursor as text; null without a cursor. */
  readonly time: string | null
  readonly formatValue: (value: number) => string
}): React.JSX.Element {
  const { series, at, time, formatValue } = props
  const valueOf = ({ samples }: ChartSeries): string => {
    const value = at === null ? lastSample(samples) : samples[at]
    return value == null ? '–' : formatValue(value)
  }
  return (
    <ul className={styles.legend}>
      {series.slice(0, MAX_NAMED).map((one, index) => (
        // Two series can have the same name.
        // eslint-disable-next-line react/no-array-index-key
        <li key={index}>
          <SeriesMark colour={one.colour} dash={one.dash ?? []} /> {visibleText(one.name)} <b>{valueOf(one)}</b>
        </li>
      ))}
      {series.length > MAX_NAMED && <li>and {plural(series.length - MAX_NAMED, 'more', 'more')}</li>}
      <li className={styles.time}>{time === null ? 'latest' : time}</li>
    </ul>
  )
}
