import { useInstantFormat } from '../app/use-instant-format.js'
import { toMs } from '../format/instant.js'
import { formatCount } from '../format/number.js'
import type { TimeWindow } from '../url/time-window.js'
import { BarAxis, BarSlider } from './bar-slider.js'
import { type BarSeries, stackBars } from './bars.js'
import { instantOf, type Samples, type TimeGrid } from './chart-data.js'
import styles from './time-bars.module.css'
import { useBucketSelection } from './use-bucket-selection.js'

/** Counts over time as stacked bars. */
export interface TimeBarsProps {
  readonly grid: TimeGrid
  /** From the bottom of the stack. */
  readonly series: readonly BarSeries[]
  /** What a series is called in the description of a bucket. */
  readonly nameOf: (key: string | null) => string
  /** A CSS colour. */
  readonly colourOf: (key: string | null) => string
  /** The window of the page; a selection does not leave it. */
  readonly window: TimeWindow
  readonly onZoom: (window: TimeWindow) => void
  /** Sums of a compared window, one per bucket of the grid. */
  readonly compared?: Samples | undefined
  /** Parts of the window whose records are not all counted. */
  readonly cuts?: readonly TimeWindow[]
}

const AXIS_SHARES = [0, 0.25, 0.5, 0.75]

/** The absolute times of some buckets, inside `window`: buckets can begin before it and end after it. */
export function windowOfBuckets(grid: TimeGrid, window: TimeWindow, first: number, last: number): TimeWindow {
  const startMs = toMs(grid.start)
  const at = (bucket: number): number => startMs + bucket * grid.stepMs
  return {
    from: at(first) < toMs(window.from) ? window.from : instantOf(at(first)),
    to: at(last + 1) > toMs(window.to) ? window.to : instantOf(at(last + 1))
  }
}

/** Drag, or the arrow keys and Enter, selects a narrower window. */
export function TimeBars(props: TimeBarsProps): React.JSX.Element {
  const { grid, series, nameOf, colourOf, window, onZoom, compared, cuts = [] } = props
  const format = useInstantFormat()
  const selection = useBucketSelection(grid.length, (first, last) => onZoom(windowOfBuckets(grid, window, first, last)))
  const { at } = selection
  const { bars, max } = stackBars(series, grid.length, Math.max(0, ...(compared ?? []).map(value => value ?? 0)))
  const startMs = toMs(grid.start)
  const counts = series.filter(one => one.counts[at]! > 0).map(one => `${formatCount(one.counts[at]!)} ${nameOf(one.key)}`)
  const before = compared?.[at] == null ? '' : `; compared window ${formatCount(compared[at])}`
  const described = `${format.time(instantOf(startMs + at * grid.stepMs))}: ${counts.join(', ') || 'nothing'}${before}`
  return (
    <>
      <BarSlider
        label="Time cursor"
        length={grid.length}
        selection={selection}
        described={described}
        max={max}
        bars={
          <>
            {bars.map(({ key, bucket, ...box }) => (
              <rect key={`${bucket} ${key}`} {...box} fill={colourOf(key)} />
            ))}
            {compared && max > 0 && <polyline className={styles.compared} points={linePoints(compared, grid.length, max)} />}
          </>
        }
      >
        {cuts.map(cut => (
          <Hatching key={cut.from} cut={cut} grid={grid} />
        ))}
      </BarSlider>
      <BarAxis
        labels={format.axis(
          AXIS_SHARES.map(share => startMs + share * grid.length * grid.stepMs),
          grid.stepMs
        )}
        zone={format.zoneName}
      />
    </>
  )
}

/** Points of a line through the middles of the buckets, in a box of 1 by 1. */
function linePoints(samples: Samples, length: number, max: number): string {
  return samples.map((value, index) => `${(index + 0.5) / length},${1 - (value ?? 0) / max}`).join(' ')
}

/** Marks a part of the time axis as not completely counted. */
function Hatching({ cut, grid }: { readonly cut: TimeWindow; readonly grid: TimeGrid }): React.JSX.Element | null {
  const share = (instant: string): number =>
    Math.max(0, Math.min(1, (toMs(instant) - toMs(grid.start)) / (grid.length * grid.stepMs)))
  const [from, to] = [share(cut.from), share(cut.to)]
  return <span className={styles.cut} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} title="not complete" />
}
