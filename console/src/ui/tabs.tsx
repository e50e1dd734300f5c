import { Tabs as RadixTabs } from 'radix-ui'
import type { ReactNode } from 'react'
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

/** Arrow keys move between the tabs and choose them. */
export function Tabs({ label, value, tabs, onChoose, tools, children }: TabsProps): React.JSX.Element {
  return (
    <RadixTabs.Root className={styles.root} value={value} onValueChange={onChoose}>
      <div className={styles.bar}>
        <RadixTabs.List className={styles.list} aria-label={label}>
          {tabs.map(tab => (
            <RadixTabs.Trigger key={tab.value} value={tab.value} className={styles.tab}>
              {tab.name}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        <div className={styles.tools}>{tools}</div>
      </div>
      <RadixTabs.Content className={styles.panel} value={value} tabIndex={-1}>
        {children}
      </RadixTabs.Content>
    </RadixTabs.Root>
  )
}
