import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type UPlot from 'uplot'
import { useTheme } from '../app/theme.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { toMs } from '../format/instant.js'
import { Button } from '../ui/button.js'
import type { TimeWindow } from '../url/time-window.js'
import { gridTimes, instantOf, windowBetween } from './chart-data.js'
import { ChartLegend } from './chart-legend.js'
import { ChartTable } from './chart-table.js'
import type { TimeGrid } from './chart-data.js'
import styles from './time-chart.module.css'
import type { TimeBand } from './time-bands.js'
import type { TimeMark } from './time-marks.js'
import { type ChartSeries, openTimePlot, type PlotContent, type Threshold } from './time-plot.js'

/** Values over time as lines. Keep lists stable between renderings: a new list draws a new plot. */
export interface TimeChartProps {
  /** Accessible name of the figure. */
  readonly label: string
  readonly grid: TimeGrid
  readonly series: readonly ChartSeries[]
  readonly thresholds?: readonly Threshold[]
  readonly marks?: readonly TimeMark[]
  readonly bands?: readonly TimeBand[]
  /** The window of the page: the ends of the time axis. A selection does not leave it. */
  readonly window: TimeWindow
  readonly formatValue: (value: number) => string
  /** Height of the plot in pixels. */
  readonly height?: number
  /** False to fit the value axis to the samples instead of starting it at 0. */
  readonly isFromZero?: boolean
  /** Called with a narrower window, which a drag or the keyboard selected. */
  readonly onZoom?: (window: TimeWindow) => void
}

const HEIGHT_PX = 160
const NO_THRESHOLDS: readonly Threshold[] = []
const NO_MARKS: readonly TimeMark[] = []
const NO_BANDS: readonly TimeBand[] = []

/** The plot of `content` in the returned host: as wide as the host, in the colours of the theme. */
function usePlot(content: PlotContent, height: number, onCursor: (index: number | null) => void, onSelect: Select) {
  const theme = useTheme()
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const events = useRef({ onCursor, onSelect })
  useEffect(() => {
    events.current = { onCursor, onSelect }
  })
  const { grid, series, thresholds, marks, bands, window, isFromZero, format, formatValue } = content
  useEffect(() => {
    const opened = openTimePlot(
      host.current!,
      height,
      { grid, series, thresholds, marks, bands, window, isFromZero, format, formatValue },
      {
        onCursor: index => events.current.onCursor(index),
        onSelect: (fromMs, untilMs) => events.current.onSelect(fromMs, untilMs)
      }
    )
    plot.current = opened
    const resizing = new ResizeObserver(([entry]) => opened.setSize({ width: Math.max(1, entry!.contentRect.width), height }))
    resizing.observe(host.current!)
    const unsubscribe = theme.subscribe(() => opened.redraw(false))
    return () => {
      unsubscribe()
      resizing.disconnect()
      opened.destroy()
      plot.current = null
    }
  }, [grid, series, thresholds, marks, bands, window, isFromZero, format, formatValue, height, theme])
  return { host, plot }
}

type Select = (fromMs: number, untilMs: number) => void

/** Index that a key moves the cursor to; null for keys that do not move it. */
function moved(key: string, index: number, last: number): number | null {
  const to: Readonly<Record<string, number>> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }
  return Object.hasOwn(to, key) ? Math.max(0, Math.min(last, to[key]!)) : null
}

/**
 * A figure with a legend and the button "Show data", which shows the same as a table. Arrow keys move the time cursor, with
 * Shift from a mark; Enter zooms to what is in between, as a drag does.
 */
export function TimeChart(props: TimeChartProps): React.JSX.Element {
  const { label, grid, series, thresholds = NO_THRESHOLDS, marks = NO_MARKS, bands = NO_BANDS, window, formatValue } = props
  const { height = HEIGHT_PX, isFromZero = true } = props
  const format = useInstantFormat()
  const [cursor, setCursor] = useState<number | null>(null)
  const [mark, setMark] = useState<number | null>(null)
  const [hasTable, setHasTable] = useState(false)
  const content = { grid, series, thresholds, marks, bands, window, isFromZero, format, formatValue }
  const zoom = (fromMs: number, untilMs: number): void => {
    const zoomed = windowBetween(fromMs, untilMs, window)
    if (zoomed) props.onZoom?.(zoomed)
  }
  const { host, plot } = usePlot(content, height, setCursor, zoom)
  const last = Math.max(0, grid.length - 1)
  const at = Math.min(cursor ?? last, last)
  const timeOf = (index: number): number => toMs(grid.start) + index * grid.stepMs
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = moved(event.key, at, last)
    if (next !== null) {
      setMark(event.shiftKey ? (mark ?? at) : null)
      plot.current?.setCursor({ left: plot.current.valToPos(timeOf(next), 'x'), top: 0 })
      setCursor(next)
    } else if (event.key === 'Enter' && props.onZoom) {
      const [first, final] = [Math.min(at, mark ?? at), Math.max(at, mark ?? at)]
      zoom(timeOf(first), timeOf(final + 1))
    } else return
    event.preventDefault()
  }
  const valueAt = ({ samples }: ChartSeries): string => (samples[at] == null ? 'no sample' : formatValue(samples[at]))
  const described = series.slice(0, 8).map(one => `${one.name} ${valueAt(one)}`)
  const time = format.time(instantOf(timeOf(at)))
  return (
    <figure className={styles.figure} aria-label={label}>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label="Time cursor"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={`${mark === null ? '' : `from ${format.time(instantOf(timeOf(mark)))} to `}${time}: ${described.join(', ')}`}
        onKeyDown={onKeyDown}
      >
        <div ref={host} className={styles.host} style={{ height }} aria-hidden="true" />
      </div>
      <div className={styles.foot}>
        <ChartLegend series={series} at={cursor} time={cursor === null ? null : time} formatValue={formatValue} />
        <Button kind="plain" aria-expanded={hasTable} onClick={() => setHasTable(!hasTable)}>
          {hasTable ? 'Hide data' : 'Show data'}
        </Button>
      </div>
      {hasTable && <ChartTable label={label} times={gridTimes(grid)} series={series} formatValue={formatValue} />}
    </figure>
  )
}
