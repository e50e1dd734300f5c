import { type ReactNode, useEffect, useRef } from 'react'
import styles from './dialog.module.css'

/** A modal dialog while it is mounted. Esc and a click next to it close it; the focus returns to where it was. */
export function Dialog(props: {
  readonly label: string
  readonly onClose: () => void
  /** Room for a form and what it would do side by side. */
  readonly isWide?: boolean
  readonly children: ReactNode
}): React.JSX.Element {
  const { label, onClose, isWide = false, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current!
    element.showModal()
    // Closing gives the focus back; an element that is removed while open does not.
    return () => element.close()
  }, [])
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Esc is the key
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={isWide || undefined}
      aria-label={label}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.content}>{children}</div>
    </dialog>
  )
}
