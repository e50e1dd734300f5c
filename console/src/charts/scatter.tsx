import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { useInstantFormat } from '../app/use-instant-format.js'
import { instantOf } from './chart-data.js'
import { formatDurationMs } from '../format/number.js'
import { type Area, useAreaDrag } from './area-drag.js'
import { durationAt, durationAxis } from './duration-axis.js'
import type { PlaneRange } from './heat-map.js'
import { Plane } from './plane.js'
import styles from './plane.module.css'
import { nearestPoint, placeOf, type Point, type PointScale } from './points.js'
import { type Canvas, useCanvas } from './use-canvas.js'

/** Points by time and duration. */
export interface ScatterProps {
  /** Accessible name of the figure. */
  readonly label: string
  /** In the order of their times; keep stable between renderings. */
  readonly points: readonly Point[]
  /** Ends of the time axis. */
  readonly fromMs: number
  readonly toMs: number
  readonly onOpen: (id: string) => void
  readonly onSelect: (range: PlaneRange) => void
}

const RADIUS_PX = 3

/** Circles, and crosses for what failed: colour is not the only sign. */
function drawPoints({ context, width, height, colour }: Canvas, points: readonly Point[], scale: PointScale): void {
  context.clearRect(0, 0, width, height)
  context.globalAlpha = 0.55
  context.fillStyle = colour('var(--accent)')
  for (const point of points) {
    if (point.isError) continue
    const { x, y } = placeOf(point, scale)
    context.beginPath()
    context.arc(x * width, y * height, RADIUS_PX, 0, 2 * Math.PI)
    context.fill()
  }
  context.globalAlpha = 1
  context.strokeStyle = colour('var(--level-error)')
  context.lineWidth = 2
  for (const point of points) {
    if (!point.isError) continue
    const { x, y } = placeOf(point, scale)
    const [left, top] = [x * width - RADIUS_PX, y * height - RADIUS_PX]
    context.beginPath()
    context.moveTo(left, top)
    context.lineTo(left + 2 * RADIUS_PX, top + 2 * RADIUS_PX)
    context.moveTo(left, top + 2 * RADIUS_PX)
    context.lineTo(left + 2 * RADIUS_PX, top)
    context.stroke()
  }
}

/** A click or Enter opens a point, the arrow keys go from one to the next in time, a drag selects times and durations. */
export function Scatter({ label, points, fromMs, toMs, onOpen, onSelect }: ScatterProps): React.JSX.Element {
  const format = useInstantFormat()
  const [active, setActive] = useState<number | null>(null)
  const scale = useMemo(
    () => ({ fromMs, toMs, durations: durationAxis(points.map(({ durationMs }) => durationMs)) }),
    [points, fromMs, toMs]
  )
  const draw = useCallback((canvas: Canvas) => drawPoints(canvas, points, scale), [points, scale])
  const canvas = useCanvas(draw)
  const instantAt = (share: number): string => instantOf(fromMs + share * (toMs - fromMs))
  const drag = useAreaDrag({
    onSelect: ({ left, right, top, bottom }: Area) =>
      onSelect({
        ...{ from: instantAt(left), to: instantAt(right) },
        ...{ minMs: durationAt(scale.durations, bottom), maxMs: durationAt(scale.durations, top) }
      }),
    onClick: place => {
      const index = nearestPoint(points, scale, place)
      if (index !== null) onOpen(points[index]!.id)
    },
    onMove: place => setActive(nearestPoint(points, scale, place))
  })
  const last = Math.max(0, points.length - 1)
  const at = Math.min(active ?? last, last)
  const point = points[at]
  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }
    if (event.key === 'Enter' && point) onOpen(point.id)
    else if (Object.hasOwn(to, event.key)) setActive(Math.max(0, Math.min(last, to[event.key]!)))
    else return
    event.preventDefault()
  }
  const described = point
    ? `${format.time(instantOf(point.startMs))}, ${formatDurationMs(point.durationMs)}${point.isError ? ', error' : ''}`
    : ''
  const place = active !== null && point ? placeOf(point, scale) : null
  return (
    <Plane
      label={label}
      canvas={canvas}
      fromMs={fromMs}
      toMs={toMs}
      durations={scale.durations}
      drag={drag}
      cursor={{ name: 'Trace cursor', at, last, described, isShown: active !== null, onKeyDown }}
    >
      {place && <span className={styles.mark} style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }} />}
    </Plane>
  )
}
