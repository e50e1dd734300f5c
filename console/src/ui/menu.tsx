import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonClass, type ButtonKind } from './button.js'
import styles from './menu.module.css'

/** A button that opens a menu. `label` is its accessible name; `children` are the items. */
export interface MenuProps {
  readonly label: string
  readonly kind?: ButtonKind
  /** What the button shows; the label when absent. */
  readonly face?: ReactNode
  readonly onOpen?: () => void
  readonly children: ReactNode
}

/** A menu below its button. Not modal: Radix's modal menus insert a `<style>`, which the content security policy forbids. */
export function Menu({ label, kind = 'framed', face, onOpen, children }: MenuProps): React.JSX.Element {
  return (
    <DropdownMenu.Root modal={false} onOpenChange={isOpen => isOpen && onOpen?.()}>
      <DropdownMenu.Trigger className={buttonClass(kind)} aria-label={label}>
        {face ?? (
          <>
            {label} <span aria-hidden="true">▾</span>
          </>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} sideOffset={4} align="start">
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** An action of a menu. */
export function MenuItem(props: {
  readonly onSelect: () => void
  readonly disabled?: boolean
  readonly children: ReactNode
}): React.JSX.Element {
  return <DropdownMenu.Item className={styles.item} {...props} />
}

/** One of several values, of which one is chosen. */
export function MenuChoices(props: {
  readonly label: string
  readonly value: string
  readonly values: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}): React.JSX.Element {
  return (
    <DropdownMenu.RadioGroup aria-label={props.label} value={props.value} onValueChange={props.onChoose}>
      {props.values.map(([value, name]) => (
        <DropdownMenu.RadioItem key={value} value={value} className={styles.item}>
          <DropdownMenu.ItemIndicator className={styles.check} aria-hidden="true">
            ●
          </DropdownMenu.ItemIndicator>
          {name}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

/** A line between groups of items. */
export function MenuSeparator(): React.JSX.Element {
  return <DropdownMenu.Separator className={styles.separator} />
}

/** Text between items that cannot be chosen. */
export function MenuLabel({ children }: { readonly children: ReactNode }): React.JSX.Element {
  return <DropdownMenu.Label className={styles.label}>{children}</DropdownMenu.Label>
}

/** A value that is on or off; the menu stays open. */
export function MenuCheck(props: {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}): React.JSX.Element {
  return (
    <DropdownMenu.CheckboxItem
      className={styles.item}
      checked={props.isChecked}
      onCheckedChange={props.onChange}
      onSelect={event => event.preventDefault()}
    >
      <DropdownMenu.ItemIndicator className={styles.check} aria-hidden="true">
        ✓
      </DropdownMenu.ItemIndicator>
      {props.children}
    </DropdownMenu.CheckboxItem>
  )
}
