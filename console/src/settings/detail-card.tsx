import type { ReactNode } from 'react'
import { Detail } from '../ui/detail.js'
import styles from './page.module.css'

/** The row that is open, as a card next to its grid. */
export function DetailCard(props: {
  readonly label: string
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}): React.JSX.Element {
  return (
    <Detail {...props} className={styles.detail}>
      <div className={styles.card}>{props.children}</div>
    </Detail>
  )
}
