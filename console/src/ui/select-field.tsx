import { useId } from 'react'
import styles from './select-field.module.css'

/** One of several values in a native list, with its label in front. */
export function SelectField(props: {
  readonly label: string
  readonly value: string
  readonly values: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}): React.JSX.Element {
  const id = useId()
  const { label, value, values, onChoose } = props
  return (
    <label className={styles.field} htmlFor={id}>
      {label}
      <select id={id} value={value} onChange={event => onChoose(event.currentTarget.value)}>
        {values.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
