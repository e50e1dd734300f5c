import { createContext, type ReactNode, use, useRef, useState } from 'react'
import { buttonClass, type ButtonKind } from './button.js'
import { type CloseMenu, MenuList, type MenuStart } from './menu-list.js'
import styles from './menu.module.css'

/** Closes the menu around an item. */
const CloseContext = createContext<CloseMenu>(() => undefined)

/** A button that opens a menu. `label` is its accessible name; `children` are the items. */
export interface MenuProps {
  readonly label: string
  readonly kind?: ButtonKind
  /** What the button shows; the label when absent. */
  readonly face?: ReactNode
  readonly onOpen?: () => void
  readonly children: ReactNode
}

/** A menu below its button, with the keys of the "menu button" pattern of the ARIA Authoring Practices Guide. */
export function Menu({ label, kind = 'framed', face, onOpen, children }: MenuProps): React.JSX.Element {
  const button = useRef<HTMLButtonElement>(null)
  const [start, setStart] = useState<MenuStart | null>(null)
  const open = (from: MenuStart): void => {
    setStart(from)
    onOpen?.()
  }
  const close: CloseMenu = isFocusReturned => {
    setStart(null)
    if (isFocusReturned) button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={buttonClass(kind)}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={start !== null}
        // A click that a key made has no `detail`.
        onClick={event => (start === null ? open(event.detail === 0 ? 'first' : 'menu') : close(true))}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open(event.key === 'ArrowDown' ? 'first' : 'last')
        }}
      >
        {face ?? (
          <>
            {label} <span aria-hidden="true">▾</span>
          </>
        )}
      </button>
      {start !== null && (
        <CloseContext value={close}>
          <MenuList label={label} button={button} start={start} onClose={close}>
            {children}
          </MenuList>
        </CloseContext>
      )}
    </>
  )
}

/** An action of a menu, which closes it. */
export function MenuItem(props: {
  readonly onSelect: () => void
  readonly disabled?: boolean
  readonly children: ReactNode
}): React.JSX.Element {
  const close = use(CloseContext)
  const { onSelect, disabled = false, children } = props
  const select = (): void => {
    if (disabled) return
    close(true)
    onSelect()
  }
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles.item} aria-disabled={disabled} onClick={select}>
      {children}
    </button>
  )
}

/** One of several values, of which one is chosen. */
export function MenuChoices(props: {
  readonly label: string
  readonly value: string
  readonly values: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}): React.JSX.Element {
  const close = use(CloseContext)
  const choose = (value: string): void => {
    close(true)
    props.onChoose(value)
  }
  return (
    <div role="group" aria-label={props.label}>
      {props.values.map(([value, name]) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={value === props.value}
          className={styles.item}
          onClick={() => choose(value)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** A value that is on or off; the menu stays open. */
export function MenuCheck(props: {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}): React.JSX.Element {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      tabIndex={-1}
      aria-checked={props.isChecked}
      className={styles.item}
      onClick={() => props.onChange(!props.isChecked)}
    >
      {props.children}
    </button>
  )
}

/** A line between groups of items. */
export function MenuSeparator(): React.JSX.Element {
  return <hr className={styles.separator} />
}

/** Text between items that cannot be chosen. */
export function MenuLabel({ children }: { readonly children: ReactNode }): React.JSX.Element {
  return <div className={styles.label}>{children}</div>
}
