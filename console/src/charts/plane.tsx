import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatDurationMs } from '../format/number.js'
import type { AreaDrag } from './area-drag.js'
import { type DurationAxis, durationTicks, heightOf } from './duration-axis.js'
import styles from './plane.module.css'

/** A picture with time from left to right and durations, on a logarithmic axis, from the bottom to the top. */
export interface PlaneProps {
  /** Accessible name of the figure. */
  readonly label: string
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly fromMs: number
  readonly toMs: number
  readonly durations: DurationAxis
  readonly drag: AreaDrag
  /** What moves over the picture by keys: its name, its position, what it is at, and the keys. */
  readonly cursor: {
    readonly name: string
    readonly at: number
    readonly last: number
    readonly described: string
    readonly isShown: boolean
    readonly onKeyDown: (event: KeyboardEvent) => void
  }
  /** Marks over the picture. */
  readonly children?: ReactNode
}

const AXIS_SHARES = [0, 0.25, 0.5, 0.75]
const MOST_TICKS = 6
const AXIS_STEPS = 60

const percent = (share: number): string => `${share * 100}%`

/** The frame of the picture: axes, cursor, selection. */
export function Plane(props: PlaneProps): React.JSX.Element {
  const { label, canvas, fromMs, toMs, durations, drag, cursor, children } = props
  const format = useInstantFormat()
  const { area, handlers } = drag
  const times = format.axis(
    AXIS_SHARES.map(share => fromMs + share * (toMs - fromMs)),
    (toMs - fromMs) / AXIS_STEPS
  )
  return (
    <figure className={styles.figure} aria-label={label}>
      <div className={styles.durations} aria-hidden="true">
        {durationTicks(durations, MOST_TICKS).map(ms => (
          <span key={ms} style={{ top: percent(heightOf(durations, ms)) }}>
            {formatDurationMs(ms)}
          </span>
        ))}
      </div>
      <div
        className={styles.plane}
        role="slider"
        tabIndex={0}
        aria-label={cursor.name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, cursor.last)}
        aria-valuenow={cursor.at}
        aria-valuetext={cursor.described}
        onKeyDown={cursor.onKeyDown}
        {...handlers}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {children}
        {area && (
          <div
            className={styles.area}
            style={{
              ...{ left: percent(area.left), right: percent(1 - area.right) },
              ...{ top: percent(area.top), bottom: percent(1 - area.bottom) }
            }}
          />
        )}
        {cursor.isShown && (
          <span className={styles.described} aria-hidden="true">
            {cursor.described}
          </span>
        )}
      </div>
      <div className={styles.times} aria-hidden="true">
        {times.map((time, index) => (
          // eslint-disable-next-line react/no-array-index-key -- places of the axis
          <span key={index}>{time}</span>
        ))}
        <span className={styles.zone}>{format.zoneName}</span>
      </div>
    </figure>
  )
}
