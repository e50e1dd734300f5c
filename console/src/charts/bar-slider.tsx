import type { ReactNode } from 'react'
import { formatCompact } from '../format/number.js'
import styles from './bar-slider.module.css'
import type { BucketSelection } from './use-bucket-selection.js'

/** Bars with a cursor over them. */
export interface BarSliderProps {
  /** Accessible name of the cursor. */
  readonly label: string
  /** Number of bars, at least 1. */
  readonly length: number
  readonly selection: BucketSelection
  /** What is selected, in words. */
  readonly described: string
  /** Value at the upper edge. */
  readonly max: number
  /** Shapes in a box of 1 by 1, above the cursor. */
  readonly bars: ReactNode
  /** Labels over the bars. */
  readonly children?: ReactNode
}

/** A focusable slider over bars of equal width: a drag, or the arrow keys with Shift and Enter, selects a range. */
export function BarSlider({ label, length, selection, described, max, bars, children }: BarSliderProps): React.JSX.Element {
  const { at, isShown, range, handlers } = selection
  return (
    <div
      className={styles.bars}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={length - 1}
      aria-valuenow={at}
      aria-valuetext={described}
      title={isShown ? described : undefined}
      {...handlers}
    >
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {isShown && (
          <rect
            className={styles.cursor}
            x={range.first / length}
            y={0}
            width={(range.last - range.first + 1) / length}
            height={1}
          />
        )}
        {bars}
      </svg>
      {children}
      <span className={styles.max} aria-hidden="true">
        {formatCompact(max)}
      </span>
    </div>
  )
}

/** Labels below the bars, each at the start of its quarter. */
export function BarAxis({ labels, zone }: { readonly labels: readonly string[]; readonly zone?: string }): React.JSX.Element {
  return (
    <div className={styles.axis} aria-hidden="true">
      {labels.map((label, index) => (
        // eslint-disable-next-line react/no-array-index-key -- places of the axis
        <span key={index}>{label}</span>
      ))}
      {zone !== undefined && <span className={styles.zone}>{zone}</span>}
    </div>
  )
}
