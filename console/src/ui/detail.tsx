import { type ReactNode, useEffect, useRef } from 'react'
import { useShortcuts } from '../app/use-shortcuts.js'
import { Button } from './button.js'
import styles from './detail.module.css'
import { usePanelWidth } from './use-panel-width.js'

/** What a person opened from a list, next to it. */
export interface DetailProps {
  /** Accessible name of the panel. */
  readonly label: string
  /** What the heading shows; the label when absent. */
  readonly title?: string
  readonly onClose: () => void
  /** Its place in the layout of the page. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/**
 * A panel with a heading and a button that closes it, as Esc does. Closing gives the focus that was in it back to where it
 * was. Its left edge resizes it.
 */
export function Detail({ label, title = label, onClose, className = '', children }: DetailProps): React.JSX.Element {
  useShortcuts({ Escape: onClose })
  const panel = useRef<HTMLElement>(null)
  const { size, handlers } = usePanelWidth(panel)
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    opener.current = document.activeElement
    return () => {
      // The focus is nowhere when it was in the panel. A person who types the next query keeps it.
      if (document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus()
    }
  }, [])
  return (
    <aside ref={panel} className={`${styles.detail} ${className}`} aria-label={label}>
      <div
        className={styles.edge}
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${label}`}
        aria-valuenow={size?.now}
        aria-valuemin={size?.least}
        aria-valuemax={size?.most}
        tabIndex={0}
        title="Drag, or press the arrow keys, to resize; double-click to reset"
        {...handlers}
      />
      <div className={styles.content}>
        <div className={styles.head}>
          <h2>{title}</h2>
          <Button kind="icon" aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        </div>
        {children}
      </div>
    </aside>
  )
}
