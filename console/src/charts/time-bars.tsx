import { useInstantFormat } from '../app/use-instant-format.js'
import { toMs as msOf } from '../format/instant.js'
import { andOthers, formatCount } from '../format/number.js'
import type { TimeWindow } from '../url/time-window.js'
import { BarAxis, BarSlider } from './bar-slider.js'
import { type BarSeries, stackBars } from './bars.js'
import { instantOf, type Samples, type TimeGrid } from './chart-data.js'
import type { TimeBand } from './time-bands.js'
import type { TimeMark } from './time-marks.js'
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
  readonly bands?: readonly TimeBand[]
  readonly marks?: readonly TimeMark[]
}

/** Alerts and deployments in the description of a bucket. */
const DESCRIBED = 5
const AXIS_SHARES = [0, 0.25, 0.5, 0.75]

/** The absolute times of some buckets, inside `window`: buckets can begin before it and end after it. */
export function windowOfBuckets(grid: TimeGrid, window: TimeWindow, first: number, last: number): TimeWindow {
  const startMs = msOf(grid.start)
  const at = (bucket: number): number => startMs + bucket * grid.stepMs
  return {
    from: at(first) < msOf(window.from) ? window.from : instantOf(at(first)),
    to: at(last + 1) > msOf(window.to) ? window.to : instantOf(at(last + 1))
  }
}

/** Drag, or the arrow keys and Enter, selects a narrower window. */
export function TimeBars(props: TimeBarsProps): React.JSX.Element {
  const { grid, series, nameOf, colourOf, window, onZoom, compared, cuts = [], bands = [], marks = [] } = props
  const format = useInstantFormat()
  const selection = useBucketSelection(grid.length, (first, last) => onZoom(windowOfBuckets(grid, window, first, last)))
  const { at } = selection
  const { bars, max } = stackBars(series, grid.length, Math.max(0, ...(compared ?? []).map(value => value ?? 0)))
  const startMs = msOf(grid.start)
  const counts = series.filter(one => one.counts[at]! > 0).map(one => `${formatCount(one.counts[at]!)} ${nameOf(one.key)}`)
  const before = compared?.[at] == null ? '' : `; compared window ${formatCount(compared[at])}`
  const [fromMs, toMs] = [startMs + at * grid.stepMs, startMs + (at + 1) * grid.stepMs]
  const named = new Set([
    ...bands.filter(band => band.fromMs < toMs && band.toMs > fromMs).map(({ name }) => `${name} fires`),
    ...marks.filter(({ ms }) => ms >= fromMs && ms < toMs).map(({ name }) => `${name} was deployed`)
  ])
  const drawn = named.size === 0 ? '' : `; ${[...named].slice(0, DESCRIBED).join(', ')}${andOthers(named.size, DESCRIBED)}`
  const described = `${format.time(instantOf(fromMs))}: ${counts.join(', ') || 'nothing'}${before}${drawn}`
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
        {distinct(bands).map(([key, { name, ...band }]) => (
          <Part key={key} {...band} grid={grid} className={styles.band!} title={name} />
        ))}
        {distinct(marks).map(([key, { name, ms }]) => (
          <Part key={key} fromMs={ms} toMs={ms} grid={grid} className={styles.mark!} title={name} />
        ))}
        {cuts.map(({ from, to }) => (
          <Part key={from} fromMs={msOf(from)} toMs={msOf(to)} grid={grid} className={styles.cut!} title="not complete" />
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

/** Elements by what is drawn of them: alerts of one rule often fire at the same time. */
function distinct<Element extends object>(elements: readonly Element[]): readonly (readonly [string, Element])[] {
  return [...new Map(elements.map(element => [JSON.stringify(element), element] as const))]
}

/** Points of a line through the middles of the buckets, in a box of 1 by 1. */
function linePoints(samples: Samples, length: number, max: number): string {
  return samples.map((value, index) => `${(index + 0.5) / length},${1 - (value ?? 0) / max}`).join(' ')
}

/** Marks a part of the time axis: as not completely counted, or as the time of an alert or a deployment. */
function Part(props: {
  readonly fromMs: number
  readonly toMs: number
  readonly grid: TimeGrid
  readonly className: string
  readonly title: string
}): React.JSX.Element {
  const { fromMs, toMs, grid, className, title } = props
  const share = (ms: number): number => Math.max(0, Math.min(1, (ms - msOf(grid.start)) / (grid.length * grid.stepMs)))
  const [from, to] = [share(fromMs), share(toMs)]
  return <span className={className} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} title={title} />
}
