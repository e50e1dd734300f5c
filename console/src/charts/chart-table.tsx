import { useInstantFormat } from '../app/use-instant-format.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import styles from './time-chart.module.css'
import { instantOf } from './chart-data.js'
import type { ChartSeries } from './time-plot.js'

/** A table is read, not searched: what exceeds this is counted below it. */
const MAX_ROWS = 500
const MAX_COLUMNS = 20

/** The samples of a chart as a table, one row per point of its grid. */
export function ChartTable(props: {
  readonly label: string
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly formatValue: (value: number) => string
}): React.JSX.Element {
  const { label, times, series, formatValue } = props
  const format = useInstantFormat()
  const columns = series.slice(0, MAX_COLUMNS)
  const hidden = [
    times.length > MAX_ROWS ? plural(times.length - MAX_ROWS, 'more row') : null,
    series.length > MAX_COLUMNS ? `${series.length - MAX_COLUMNS} more series` : null
  ].filter(text => text !== null)
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region takes the keyboard
    <section className={styles.table} aria-label={`Data of ${label}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time ({format.zoneName})</th>
            {columns.map(({ name }, index) => (
              // eslint-disable-next-line react/no-array-index-key -- two series can have the same name
              <th key={index} scope="col">
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.slice(0, MAX_ROWS).map((ms, row) => (
            <tr key={ms}>
              <th scope="row">{format.time(instantOf(ms))}</th>
              {columns.map(({ samples }, index) => (
                // eslint-disable-next-line react/no-array-index-key -- as the header
                <td key={index}>{samples[row] == null ? '–' : formatValue(samples[row])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden.length > 0 && <p>Not shown: {hidden.join(', ')}.</p>}
    </section>
  )
}
