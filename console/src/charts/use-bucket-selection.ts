import { type KeyboardEvent, type PointerEvent, useState } from 'react'

interface Selection {
  /** Bucket under the pointer or the keyboard cursor; null before the first use. */
  readonly cursor: number | null
  /** Other end of the selected buckets; null when the selection is the cursor alone. */
  readonly anchor: number | null
  readonly isDragging: boolean
}

const NO_SELECTION: Selection = { cursor: null, anchor: null, isDragging: false }

/** A selection of buckets, and the event handlers of the element that shows them. */
export interface BucketSelection {
  /** Bucket of the cursor. */
  readonly at: number
  /** False before the first use. */
  readonly isShown: boolean
  readonly range: { readonly first: number; readonly last: number }
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: (event: PointerEvent) => void
    readonly onPointerCancel: () => void
  }
}

/**
 * Moves a cursor over `length` buckets of equal width and calls `select` with the first and the last bucket of a selection:
 * a drag, or Enter after the arrow keys. Shift with an arrow key extends the selection.
 */
export function useBucketSelection(length: number, select: (first: number, last: number) => void): BucketSelection {
  const [{ cursor, anchor, isDragging }, setSelection] = useState<Selection>(NO_SELECTION)
  const within = (bucket: number): number => Math.max(0, Math.min(length - 1, bucket))
  const bucketAt = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return within(Math.floor(((event.clientX - left) / width) * length))
  }
  const at = within(cursor ?? 0)
  const other = within(anchor ?? at)
  const range = { first: Math.min(other, at), last: Math.max(other, at) }
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      const moves: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: length - 1 }
      if (event.key === 'Enter') select(range.first, range.last)
      else if (Object.hasOwn(moves, event.key))
        setSelection({ cursor: within(moves[event.key]!), anchor: event.shiftKey ? other : null, isDragging: false })
      else return
      event.preventDefault()
    },
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId)
      setSelection({ cursor: bucketAt(event), anchor: bucketAt(event), isDragging: true })
    },
    onPointerMove: (event: PointerEvent) =>
      setSelection({ cursor: bucketAt(event), anchor: isDragging ? anchor : null, isDragging }),
    onPointerUp(event: PointerEvent) {
      const end = bucketAt(event)
      setSelection({ cursor: end, anchor: null, isDragging: false })
      if (isDragging) select(Math.min(other, end), Math.max(other, end))
    },
    onPointerCancel: () => setSelection(NO_SELECTION)
  }
  return { at, isShown: cursor !== null, range, handlers }
}
