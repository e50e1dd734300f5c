import { formatCount, formatDurationMs } from '../format/number.js'
import { BarAxis, BarSlider } from './bar-slider.js'
import { type DurationBar, type DurationCounts, durationBars, positionOf } from './duration-buckets.js'
import styles from './duration-histogram.module.css'
import { useBucketSelection } from './use-bucket-selection.js'

/** Counts by duration, with percentiles in milliseconds. */
export interface DurationHistogramProps {
  readonly counts: DurationCounts
  readonly percentiles: readonly { readonly name: string; readonly ms: number }[]
  /** What is counted, in the plural. */
  readonly noun: string
  /** Called with the range of durations that a person selects. */
  readonly onSelect: (fromMs: number, toMs: number) => void
}

const AXIS_SHARES = [0, 0.25, 0.5, 0.75]
/** Labels of lines further right are on the left of their line. */
const FLIPPED_FROM = 0.7

function durationAt(bars: readonly DurationBar[], share: number): number {
  const start = Math.log(bars[0]!.fromMs)
  return Math.exp(start + share * (Math.log(bars.at(-1)!.toMs) - start))
}

/** Bars on a logarithmic axis. Drag, or the arrow keys with Shift and Enter, selects a range of durations. */
export function DurationHistogram({ counts, percentiles, noun, onSelect }: DurationHistogramProps): React.JSX.Element | null {
  const bars = durationBars(counts)
  const selection = useBucketSelection(bars.length, (first, last) => onSelect(bars[first]!.fromMs, bars[last]!.toMs))
  if (bars.length === 0) return null
  const max = Math.max(...bars.map(({ count }) => count))
  const { range } = selection
  const selected = bars.slice(range.first, range.last + 1)
  const count = selected.reduce((sum, bar) => sum + bar.count, 0)
  const extent = `${formatDurationMs(selected[0]!.fromMs)} to ${formatDurationMs(selected.at(-1)!.toMs)}`
  const described = `${extent}: ${formatCount(count)} ${noun}`
  const width = 1 / bars.length
  return (
    <>
      <BarSlider
        label="Duration cursor"
        length={bars.length}
        selection={selection}
        described={described}
        max={max}
        bars={bars.map((bar, index) => (
          <rect
            key={bar.fromMs}
            className={styles.bar}
            x={(index + 0.08) * width}
            y={1 - bar.count / max}
            width={width * 0.84}
            height={bar.count / max}
          />
        ))}
      >
        {percentiles.map(({ name, ms }, row) => (
          <PercentileLine key={name} name={name} ms={ms} row={row} share={positionOf(bars, ms)} />
        ))}
      </BarSlider>
      <BarAxis labels={AXIS_SHARES.map(share => formatDurationMs(Number(durationAt(bars, share).toPrecision(2))))} />
    </>
  )
}

interface PercentileLineProps {
  readonly name: string
  readonly ms: number
  /** Labels are below each other, so that close lines stay readable. */
  readonly row: number
  readonly share: number
}

function PercentileLine({ name, ms, row, share }: PercentileLineProps): React.JSX.Element {
  return (
    <span className={styles.line} style={{ left: `${share * 100}%` }}>
      <span className={styles.label} data-flipped={share > FLIPPED_FROM || undefined} style={{ top: row * 14 }}>
        {name} {formatDurationMs(ms)}
      </span>
    </span>
  )
}
