import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { itemFor, itemsOf, placeBelow } from './menu-items.js'
import styles from './menu.module.css'

/** Closes a menu; the focus returns to its button unless it has gone elsewhere. */
export type CloseMenu = (isFocusReturned: boolean) => void

/** Where the focus begins: at an end of the menu, or on the menu when the pointer opened it. */
export type MenuStart = 'first' | 'last' | 'menu'

/** An open menu. */
export interface MenuListProps {
  readonly label: string
  readonly button: RefObject<HTMLButtonElement | null>
  readonly start: MenuStart
  readonly onClose: CloseMenu
  readonly children: ReactNode
}

/** The items of an open menu, in front of everything else of the page. */
export function MenuList({ label, button, start, onClose, children }: MenuListProps): React.JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', atMs: 0 })
  useLayoutEffect(() => {
    list.current!.showPopover()
    const items = itemsOf(list.current!)
    ;(start === 'menu' ? list.current! : (items.at(start === 'first' ? 0 : -1) ?? list.current!)).focus()
  }, [start])
  useFollowedButton(list, button)
  useClosedOutside(list, button, onClose)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return onClose(true)
    const found = itemFor(event.nativeEvent, list.current!, typed.current)
    if (event.key !== 'Escape' && found === null) return
    event.preventDefault()
    if (event.key === 'Escape') onClose(true)
    else found?.focus()
  }
  return (
    <div
      ref={list}
      popover="manual"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={styles.menu}
      onKeyDown={onKeyDown}
      onPointerMove={event => {
        if (event.target instanceof Element) event.target.closest<HTMLElement>('[role^=menuitem]')?.focus({ preventScroll: true })
      }}
    >
      {children}
    </div>
  )
}

/** Keeps the menu at its button while items arrive and the page scrolls. */
function useFollowedButton(list: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const place = (): void => placeBelow(button.current!.getBoundingClientRect(), list.current!)
    const sizes = new ResizeObserver(place)
    sizes.observe(list.current!)
    addEventListener('resize', place)
    document.addEventListener('scroll', place, true)
    place()
    return () => {
      sizes.disconnect()
      removeEventListener('resize', place)
      document.removeEventListener('scroll', place, true)
    }
  }, [list, button])
}

/** Closes the menu when the pointer or the focus goes elsewhere. */
function useClosedOutside(list: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>, close: CloseMenu): void {
  const current = useRef(close)
  useEffect(() => {
    current.current = close
  })
  useEffect(() => {
    const onEvent = ({ target }: Event): void => {
      const isInside = target instanceof Node && (list.current!.contains(target) || button.current!.contains(target))
      if (!isInside) current.current(false)
    }
    document.addEventListener('pointerdown', onEvent, true)
    document.addEventListener('focusin', onEvent, true)
    return () => {
      document.removeEventListener('pointerdown', onEvent, true)
      document.removeEventListener('focusin', onEvent, true)
    }
  }, [list, button])
}
