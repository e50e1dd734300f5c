import { type PointerEvent, useState } from 'react'

/** A rectangle of a picture, as shares of its width from the left and of its height from the top. */
export interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A place in a picture, as `Area` has its sides. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** A drag over a picture, and the event handlers of the element that shows it. */
export interface AreaDrag {
  /** What is dragged over; null while nothing is. */
  readonly area: Area | null
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: (event: PointerEvent) => void
    readonly onPointerCancel: () => void
  }
}

/** A shorter drag, as a share of the picture, is a click. */
const CLICK_SHARE = 0.005

function between(a: Place, b: Place): Area {
  return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) }
}

function isClick({ left, right, top, bottom }: Area): boolean {
  return right - left < CLICK_SHARE && bottom - top < CLICK_SHARE
}

function placeOf(event: PointerEvent): Place {
  const box = event.currentTarget.getBoundingClientRect()
  const share = (offset: number, length: number): number => Math.max(0, Math.min(1, offset / length))
  return { x: share(event.clientX - box.left, box.width), y: share(event.clientY - box.top, box.height) }
}

/** What a drag and a click do, and what the pointer is over. */
export interface AreaActions {
  readonly onSelect: (area: Area) => void
  readonly onClick?: (place: Place) => void
  readonly onMove?: (place: Place) => void
}

/** Selects a rectangle of a picture by dragging over it. */
export function useAreaDrag({ onSelect, onClick, onMove }: AreaActions): AreaDrag {
  const [drag, setDrag] = useState<{ readonly from: Place; readonly to: Place } | null>(null)
  const area = drag && between(drag.from, drag.to)
  const handlers = {
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ from: placeOf(event), to: placeOf(event) })
    },
    onPointerMove(event: PointerEvent) {
      if (drag) setDrag({ from: drag.from, to: placeOf(event) })
      onMove?.(placeOf(event))
    },
    onPointerUp(event: PointerEvent) {
      setDrag(null)
      if (!drag) return
      const selected = between(drag.from, placeOf(event))
      if (isClick(selected)) onClick?.(drag.from)
      else onSelect(selected)
    },
    onPointerCancel: () => setDrag(null)
  }
  return { area: area && !isClick(area) ? area : null, handlers }
}
