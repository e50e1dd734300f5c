import { visibleText } from '../format/visible-text.js'
import styles from './page.module.css'

/** Labels as `name=value`; of an alert without the name of its rule, which its page has. */
export function LabelList(props: {
  readonly labels: readonly { readonly name: string; readonly value: string }[]
}): React.JSX.Element {
  const shown = props.labels.filter(({ name }) => name !== 'alertname')
  if (shown.length === 0) return <span className={styles.muted}>no labels</span>
  return (
    <span className={styles.labels}>
      {shown.map(({ name, value }) => (
        <code key={name}>{visibleText(`${name}=${value}`)}</code>
      ))}
    </span>
  )
}
