import { useId } from 'react'
import { CopyButton } from '../ui/copy-button.js'
import forms from '../ui/form.module.css'
import styles from './page.module.css'

/** A secret that is shown once, with a button that copies it. */
export function SecretField({ label, value }: { readonly label: string; readonly value: string }): React.JSX.Element {
  const id = useId()
  return (
    <div className={forms.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        readOnly
        value={value}
        spellCheck={false}
        autoComplete="off"
        onFocus={event => event.currentTarget.select()}
      />
      <div className={styles.row}>
        <CopyButton value={value} />
      </div>
      <p className={forms.warning}>It is shown only now. The service stores a hash of it.</p>
    </div>
  )
}
