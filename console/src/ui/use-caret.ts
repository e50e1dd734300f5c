import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Moves the caret of a text box whose value is about to change. The caret is there once React has written the value and
 * before the next key: what is typed at once after a suggestion comes behind it.
 */
export function useCaret(box: RefObject<HTMLInputElement | HTMLTextAreaElement | null>): (position: number) => void {
  const next = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (next.current === null) return
    box.current?.setSelectionRange(next.current, next.current)
    next.current = null
  })
  return position => {
    next.current = position
  }
}
