import { type KeyboardEvent, type PointerEvent, useCallback, useRef, useState } from 'react'
import { type Canvas, useCanvas } from '../charts/use-canvas.js'
import { formatDurationMs } from '../format/number.js'
import { Button } from '../ui/button.js'
import styles from './minimap.module.css'
import { moved, type View, viewBetween, WHOLE } from './sections.js'
import type { TreeSpan } from './span-tree.js'

/** All spans of a trace, and the part of it that the waterfall shows. */
export interface MinimapProps {
  readonly tree: readonly TreeSpan[]
  readonly durationMs: number
  readonly colours: ReadonlyMap<string, string>
  readonly view: View
  readonly onView: (view: View) => void
}

const MIN_BAR_PX = 1
const STEP = 0.01
const LARGE_STEP = 0.1
/** A shorter drag is a click. */
const CLICK_SHARE = 0.003

/** Draws each span as a line: time from left to right, the order of the tree from top to bottom. */
function drawSpans(canvas: Canvas, { tree, durationMs, colours }: Pick<MinimapProps, 'tree' | 'durationMs' | 'colours'>): void {
  const { context, width, height, colour } = canvas
  context.clearRect(0, 0, width, height)
  const rowHeight = height / Math.max(1, tree.length)
  const barHeight = Math.min(4, Math.max(MIN_BAR_PX, rowHeight * 0.8))
  const perMs = width / (durationMs > 0 ? durationMs : 1)
  const draw = (span: TreeSpan): void => {
    const length = Math.max(MIN_BAR_PX, span.durationMs * perMs)
    context.fillRect(Math.min(width - MIN_BAR_PX, span.startMs * perMs), span.index * rowHeight, length, barHeight)
  }
  for (const span of tree) {
    if (span.isError) continue
    context.fillStyle = colour(colours.get(span.service) ?? 'var(--muted)')
    draw(span)
  }
  // Errors last, so that no other span hides them.
  context.fillStyle = colour('var(--level-error)')
  for (const span of tree) if (span.isError) draw(span)
}

type Drag =
  | { readonly kind: 'select'; readonly from: number }
  | { readonly kind: 'move'; readonly from: number; readonly view: View }
  | { readonly kind: 'edge'; readonly fixed: number }

/** Drag over the map selects a part of the trace, its edges and its inside can be dragged; arrow keys move the edges. */
export function Minimap({ tree, durationMs, colours, view, onView }: MinimapProps): React.JSX.Element {
  const draw = useCallback((canvas: Canvas) => drawSpans(canvas, { tree, durationMs, colours }), [tree, durationMs, colours])
  const canvas = useCanvas(draw)
  const area = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const isWhole = view.from === 0 && view.to === 1
  const shareAt = (event: PointerEvent): number => {
    const { left, width } = area.current!.getBoundingClientRect()
    return Math.max(0, Math.min(1, (event.clientX - left) / width))
  }
  const start = (event: PointerEvent, begun: Drag): void => {
    event.stopPropagation()
    area.current!.setPointerCapture(event.pointerId)
    setDrag(begun)
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (!drag) return
    const at = shareAt(event)
    if (drag.kind === 'move') onView(moved(drag.view, at - drag.from))
    else if (drag.kind === 'edge') onView(viewBetween(drag.fixed, at))
    else if (Math.abs(at - drag.from) > CLICK_SHARE) onView(viewBetween(drag.from, at))
  }
  const onKeyDown = (event: KeyboardEvent, edge: 'from' | 'to'): void => {
    const step = event.shiftKey ? LARGE_STEP : STEP
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -step, ArrowRight: step, Home: -1, End: 1 }
    if (!Object.hasOwn(steps, event.key)) return
    event.preventDefault()
    const at = Math.max(0, Math.min(1, view[edge] + steps[event.key]!))
    // An edge does not pass the other one.
    if (edge === 'from') onView(viewBetween(Math.min(at, view.to), view.to))
    else onView(viewBetween(view.from, Math.max(at, view.from)))
  }
  const edge = (which: 'from' | 'to', name: string): React.JSX.Element => (
    <div
      className={styles.edge}
      style={{ left: `${view[which] * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(view[which] * 100)}
      aria-valuetext={formatDurationMs(view[which] * durationMs)}
      onKeyDown={event => onKeyDown(event, which)}
      onPointerDown={event => start(event, { kind: 'edge', fixed: which === 'from' ? view.to : view.from })}
    />
  )
  return (
    <div className={styles.minimap} role="group" aria-label="Minimap">
      <div
        ref={area}
        className={styles.area}
        onPointerDown={event => start(event, { kind: 'select', from: shareAt(event) })}
        onPointerMove={onPointerMove}
        onPointerUp={() => setDrag(null)}
        onPointerCancel={() => setDrag(null)}
        onDoubleClick={() => onView(WHOLE)}
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
        <div className={styles.outside} style={{ left: 0, width: `${view.from * 100}%` }} />
        <div className={styles.outside} style={{ left: `${view.to * 100}%`, right: 0 }} />
        {!isWhole && (
          <div
            className={styles.inside}
            style={{ left: `${view.from * 100}%`, width: `${(view.to - view.from) * 100}%` }}
            onPointerDown={event => start(event, { kind: 'move', from: shareAt(event), view })}
          />
        )}
        {edge('from', 'Start of the visible part')}
        {edge('to', 'End of the visible part')}
      </div>
      {!isWhole && <Button onClick={() => onView(WHOLE)}>Show the whole trace</Button>}
    </div>
  )
}
