import type { FormEvent, ReactNode } from 'react'
import { isFaultOf } from '../api/errors.js'
import { Button } from './button.js'
import styles from './form.module.css'

/** Why the last attempt failed; nothing without an error. */
export function FormError({ error, id }: { readonly error: Error | null; readonly id?: string }): React.JSX.Element | null {
  if (!error) return null
  return (
    <p role="alert" id={id} className={styles.error}>
      {error.message.charAt(0).toUpperCase() + error.message.slice(1)}
    </p>
  )
}

/** Fields with a button that submits them. Rejections are shown above the buttons and keep what was entered. */
export interface FormProps {
  readonly submitLabel: string
  readonly error: Error | null
  readonly isSending: boolean
  /** Why the form cannot be submitted, for example a missing role; null when it can. */
  readonly refusal?: string | null
  /** Names of `FormField`s, which show their own rejections. */
  readonly fields?: readonly string[]
  readonly onSubmit: (values: FormData) => void
  /** Absent: a form of the page rather than of a dialog. */
  readonly onCancel?: () => void
  readonly children: ReactNode
}

/** A form that is sent by a script, never by the browser. */
export function Form(props: FormProps): React.JSX.Element {
  const { submitLabel, error, isSending, refusal = null, fields = [], onSubmit, onCancel, children } = props
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (refusal === null) onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      <FormError error={fields.some(field => isFaultOf(error, field)) ? null : error} />
      <div className={styles.actions}>
        {refusal !== null && <span className={styles.hint}>{refusal}</span>}
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" disabled={isSending || refusal !== null}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
