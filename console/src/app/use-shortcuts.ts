import { useEffect, useRef } from 'react'

/** Keys as `KeyboardEvent.key` names them, and what they do. */
export type Shortcuts = Readonly<Record<string, () => void>>

const EDITABLE = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
const SWITCH_KEY = 'alidade.single-keys'

/** Whether shortcuts of a single character are on in this browser; they are unless they were turned off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(SWITCH_KEY) !== 'off'
}

/** Turns shortcuts of a single character on or off. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SWITCH_KEY)
  else localStorage.setItem(SWITCH_KEY, 'off')
}

/** Whether an event is for the page, not for an input, a dialog or a menu in front of it. */
function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  if (document.querySelector('dialog[open], [role=menu]') !== null) return false
  if (event.key === 'Escape') return true
  const isTyping = event.target instanceof Element && event.target.closest(EDITABLE) !== null
  return !isTyping && areSingleKeysOn()
}

/** Calls `handle` for keys anywhere on the page while the component is mounted; true means that the key was used. */
export function usePageKeys(handle: (key: string) => boolean): void {
  const current = useRef(handle)
  useEffect(() => {
    current.current = handle
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isForPage(event) && current.current(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Handles some keys anywhere on the page while the component is mounted. Inputs keep their keys, except Escape. */
export function useShortcuts(shortcuts: Shortcuts): void {
  usePageKeys(key => {
    if (!Object.hasOwn(shortcuts, key)) return false
    shortcuts[key]!()
    return true
  })
}
