import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useState } from 'react'

/** Least width of a panel, and what the rest of the page keeps, in pixels; the layouts have the same bounds. */
const LEAST_PX = 320
const REST_PX = 460
/** Pixels of one press of an arrow key. */
const STEP_PX = 24
const KEY = 'alidade.detail-width'
/** The layouts have this property in the width of the panel; it is absent until a person resizes one. */
const PROPERTY = '--detail-width'

/** The separator between a list and its panel. */
export interface PanelWidth {
  /** Width of the panel and its bounds in pixels; null before the panel has been laid out. */
  readonly size: { readonly now: number; readonly least: number; readonly most: number } | null
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onDoubleClick: () => void
  }
}

/** Applies the width that this browser has stored for panels to `root`. Any other value than pixels is ignored. */
export function restorePanelWidth(root: HTMLElement, storage: Pick<Storage, 'getItem'>): void {
  const stored = storage.getItem(KEY) ?? ''
  if (/^[1-9]\d{2,3}px$/.test(stored)) root.style.setProperty(PROPERTY, stored)
}

function storePanelWidth(width: string | null): void {
  const { style } = document.documentElement
  if (width === null) {
    localStorage.removeItem(KEY)
    style.removeProperty(PROPERTY)
  } else {
    localStorage.setItem(KEY, width)
    style.setProperty(PROPERTY, width)
  }
}

function sizeOf(panel: HTMLElement): NonNullable<PanelWidth['size']> {
  const most = Math.max(LEAST_PX, panel.parentElement!.clientWidth - REST_PX)
  return { now: Math.round(panel.offsetWidth), least: LEAST_PX, most }
}

/** Width that a key sets; null for keys that do not resize. */
function widthOf(key: string, { now, least, most }: NonNullable<PanelWidth['size']>): number | null {
  const to: Readonly<Record<string, number>> = { ArrowLeft: now + STEP_PX, ArrowRight: now - STEP_PX, Home: most, End: least }
  return Object.hasOwn(to, key) ? to[key]! : null
}

/**
 * Resizes the panel to the right of a list by dragging its left edge, by the arrow keys, Home and End; a double click
 * returns to the width of the page. All panels of this browser share the width.
 */
export function usePanelWidth(panel: RefObject<HTMLElement | null>): PanelWidth {
  const [size, setSize] = useState<PanelWidth['size']>(null)
  useLayoutEffect(() => {
    const element = panel.current!
    const measure = (): void => setSize(sizeOf(element))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(element.parentElement!)
    measure()
    return () => observer.disconnect()
  }, [panel])
  const resize = (px: number): void => {
    storePanelWidth(`${Math.round(Math.max(LEAST_PX, Math.min(sizeOf(panel.current!).most, px)))}px`)
  }
  return {
    size,
    handlers: {
      onPointerDown(event) {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove(event) {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          resize(panel.current!.getBoundingClientRect().right - event.clientX)
      },
      onKeyDown(event) {
        // Measured now: `size` is that of the frame before, and keys can come faster.
        const width = widthOf(event.key, sizeOf(panel.current!))
        if (width === null) return
        event.preventDefault()
        resize(width)
      },
      onDoubleClick: () => storePanelWidth(null)
    }
  }
}
