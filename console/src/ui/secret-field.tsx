import { useId } from 'react'
import { CopyButton } from './copy-button.js'
import forms from './form.module.css'

/** A secret that is shown once, with a button that copies it. */
export function SecretField(props: {
  readonly label: string
  readonly value: string
  /** What the service keeps of it. */
  readonly kept?: string
}): React.JSX.Element {
  const { label, value, kept = 'The service stores a hash of it.' } = props
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
      <div className={forms.row}>
        <CopyButton value={value} />
      </div>
      <p className={forms.warning}>It is shown only now. {kept}</p>
    </div>
  )
}
