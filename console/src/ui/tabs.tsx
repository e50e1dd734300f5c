import { type KeyboardEvent, type ReactNode, useId } from 'react'
import styles from './tabs.module.css'

/** Tabs above their panels; only the chosen panel is in the page. */
export interface TabsProps {
  readonly label: string
  readonly value: string
  readonly tabs: readonly { readonly value: string; readonly name: ReactNode }[]
  readonly onChoose: (value: string) => void
  /** Controls at the end of the row of tabs. */
  readonly tools?: ReactNode
  /** The panel of the chosen tab. */
  readonly children: ReactNode
}

/** Arrow keys move between the tabs and choose them: the "tabs" pattern of the ARIA Authoring Practices Guide. */
export function Tabs({ label, value, tabs, onChoose, tools, children }: TabsProps): React.JSX.Element {
  const id = useId()
  const at = tabs.findIndex(tab => tab.value === value)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const to = targetOf(event.key, at, tabs.length)
    if (to === null) return
    event.preventDefault()
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
    onChoose(tabs[to]!.value)
  }
  return (
    <div className={styles.root}>
      <div className={styles.bar}>
        <div role="tablist" aria-label={label} className={styles.list}>
          {tabs.map(tab => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              className={styles.tab}
              onClick={() => onChoose(tab.value)}
              onKeyDown={onKeyDown}
            >
              {tab.name}
            </button>
          ))}
        </div>
        <div className={styles.tools}>{tools}</div>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} tabIndex={-1} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}

/** The tab that a key chooses, round the ends; null for other keys. */
function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
