import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { useInstantFormat } from '../app/use-instant-format.js'
import { toMs } from '../format/instant.js'
import { instantOf } from './chart-data.js'
import { formatCount, formatDurationMs } from '../format/number.js'
import type { TimeWindow } from '../url/time-window.js'
import { type Area, useAreaDrag } from './area-drag.js'
import { type HeatmapCounts, type HeatmapRows, occupiedRows } from './heat-map-rows.js'
import { Plane } from './plane.js'
import styles from './plane.module.css'
import { windowOfBuckets } from './time-bars.js'
import { type Canvas, useCanvas } from './use-canvas.js'

/** A range of times and durations. */
export interface PlaneRange extends TimeWindow {
  readonly minMs: number
  readonly maxMs: number
}

/** Counts by time and duration; more is darker. */
export interface HeatMapProps {
  readonly heatmap: HeatmapCounts
  /** What is counted, in the plural. */
  readonly noun: string
  /** The window of the page; a selection does not leave it. */
  readonly window: TimeWindow
  readonly onSelect: (range: PlaneRange) => void
}

/** The lightest cell, as a share of the colour of the darkest: one span must be visible. */
const LIGHTEST = 0.15

function drawCells({ context, width, height, colour }: Canvas, { counts, grid }: HeatmapCounts, rows: HeatmapRows): void {
  context.clearRect(0, 0, width, height)
  context.fillStyle = colour('var(--accent)')
  const columnWidth = width / grid.length
  const rowHeight = height / (rows.last - rows.first + 1)
  for (let row = rows.first; row <= rows.last; row++) {
    const top = (rows.last - row) * rowHeight
    counts[row]!.forEach((count, column) => {
      if (count === 0) return
      context.globalAlpha = LIGHTEST + (1 - LIGHTEST) * (Math.log1p(count) / Math.log1p(rows.max))
      context.fillRect(column * columnWidth, top, Math.max(1, columnWidth - 0.5), Math.max(1, rowHeight - 0.5))
    })
  }
  context.globalAlpha = 1
}

interface Cell {
  readonly row: number
  readonly column: number
}

/** Counts by time and duration. A drag selects times and durations; so do the arrow keys and Enter, one cell. */
export function HeatMap({ heatmap, noun, window, onSelect }: HeatMapProps): React.JSX.Element | null {
  const format = useInstantFormat()
  const rows = useMemo(() => occupiedRows(heatmap), [heatmap])
  const draw = useCallback((canvas: Canvas) => rows && drawCells(canvas, heatmap, rows), [heatmap, rows])
  const canvas = useCanvas(draw)
  const [cell, setCell] = useState<Cell | null>(null)
  const { grid, boundsMs, counts } = heatmap
  const { first = 0, last = 0 } = rows ?? {}
  const height = last - first + 1
  const bound = (row: number): number => boundsMs[row] ?? rows!.axis.toMs
  const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))
  const columnAt = (share: number): number => within(Math.floor(share * grid.length), 0, grid.length - 1)
  const rowAt = (share: number): number => within(last - Math.floor(share * height), first, last)
  const select = (a: Cell, b: Cell): void =>
    onSelect({
      ...windowOfBuckets(grid, window, Math.min(a.column, b.column), Math.max(a.column, b.column)),
      ...{ minMs: boundsMs[Math.min(a.row, b.row) - 1] ?? 0, maxMs: bound(Math.max(a.row, b.row)) }
    })
  const drag = useAreaDrag({
    onSelect: ({ left, right, top, bottom }: Area) =>
      select({ row: rowAt(top), column: columnAt(left) }, { row: rowAt(bottom), column: columnAt(right) }),
    onMove: ({ x, y }) => setCell({ row: rowAt(y), column: columnAt(x) })
  })
  if (!rows) return null
  const at = { row: within(cell?.row ?? first, first, last), column: within(cell?.column ?? 0, 0, grid.length - 1) }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, readonly [column: number, row: number]>> = {
      ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] },
      ...{ Home: [-grid.length, 0], End: [grid.length, 0] }
    }
    if (event.key === 'Enter') select(at, at)
    else if (Object.hasOwn(steps, event.key)) {
      const [columns, over] = steps[event.key]!
      setCell({ column: within(at.column + columns, 0, grid.length - 1), row: within(at.row + over, first, last) })
    } else return
    event.preventDefault()
  }
  const startMs = toMs(grid.start)
  const timeOf = (column: number): string => format.time(instantOf(startMs + column * grid.stepMs))
  const durations = `${formatDurationMs(boundsMs[at.row - 1] ?? 0)} to ${formatDurationMs(bound(at.row))}`
  const described = `${timeOf(at.column)}, ${durations}: ${formatCount(counts[at.row]![at.column]!)} ${noun}`
  return (
    <Plane
      label="Durations over time"
      canvas={canvas}
      fromMs={startMs}
      toMs={startMs + grid.length * grid.stepMs}
      durations={rows.axis}
      drag={drag}
      cursor={{ name: 'Time cursor', at: at.column, last: grid.length - 1, described, isShown: cell !== null, onKeyDown }}
    >
      {cell && (
        <div
          className={styles.area}
          style={{
            ...{ left: `${(at.column / grid.length) * 100}%`, width: `${100 / grid.length}%` },
            ...{ top: `${((last - at.row) / height) * 100}%`, height: `${100 / height}%` }
          }}
        />
      )}
    </Plane>
  )
}
