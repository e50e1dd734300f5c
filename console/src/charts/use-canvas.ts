import { type RefObject, useEffect, useRef } from 'react'
import { useTheme } from '../app/theme.js'

/** What a picture is drawn with. Lengths are CSS pixels. */
export interface Canvas {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  /** The value of a colour: a custom property is read from the current theme. */
  readonly colour: (css: string) => string
}

/**
 * Draws on a canvas: when `draw` changes, when the canvas changes its size, and when the theme changes. `draw` must keep its
 * identity while nothing that it draws changes.
 */
export function useCanvas(draw: (canvas: Canvas) => void): RefObject<HTMLCanvasElement | null> {
  const ref = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const element = ref.current
    const context = element?.getContext('2d')
    if (!element || !context) return undefined
    const redraw = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      const ratio = globalThis.devicePixelRatio
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      const styles = getComputedStyle(element)
      const known = new Map<string, string>()
      const colour = (css: string): string => {
        const before = known.get(css)
        if (before !== undefined) return before
        const property = /^var\((--[\w-]+)\)$/.exec(css)?.[1]
        const value = property === undefined ? css : styles.getPropertyValue(property).trim()
        known.set(css, value)
        return value
      }
      draw({ context, width, height, colour })
    }
    const observer = new ResizeObserver(redraw)
    observer.observe(element)
    const unsubscribe = theme.subscribe(redraw)
    return () => {
      observer.disconnect()
      unsubscribe()
    }
  }, [draw, theme])
  return ref
}
