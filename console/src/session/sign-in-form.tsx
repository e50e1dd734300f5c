import { type FormEvent, useId, useState } from 'react'
import { Button } from '../ui/button.js'
import styles from './sign-in-form.module.css'

/** Fields of the form that creates an account or signs in. */
export interface FormValues {
  readonly email: string
  readonly password: string
  readonly name: string
}

/** Labels and actions of a form. */
export interface SignInFormProps {
  readonly submitLabel: string
  readonly hasName?: boolean
  /** Fixed when a session expired: only the same user continues. */
  readonly email?: string
  /** Rejects with the error that the form shows. */
  readonly onSubmit: (values: FormValues) => Promise<void>
}

/** E-mail, password and, for a new account, a name. A refused attempt keeps what was typed and states why. */
export function SignInForm({ submitLabel, hasName = false, email, onSubmit }: SignInFormProps): React.JSX.Element {
  const id = useId()
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const value = (name: string): string => (form.get(name) as string | null) ?? ''
    setSending(true)
    setError(null)
    try {
      await onSubmit({ email: email ?? value('email'), password: value('password'), name: value('name') })
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    } finally {
      setSending(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      {hasName && (
        <label htmlFor={`${id}-name`} className={styles.field}>
          Name
          <input id={`${id}-name`} name="name" autoComplete="name" maxLength={128} />
        </label>
      )}
      <label htmlFor={`${id}-email`} className={styles.field}>
        E-mail
        <input
          id={`${id}-email`}
          name="email"
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          defaultValue={email}
        />
      </label>
      <label htmlFor={`${id}-password`} className={styles.field}>
        Password
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete={hasName ? 'new-password' : 'current-password'}
          required
        />
      </label>
      {error !== null && (
        <p className={styles.error} role="alert">
          {error.charAt(0).toUpperCase() + error.slice(1)}
        </p>
      )}
      <Button kind="primary" type="submit" disabled={isSending}>
        {submitLabel}
      </Button>
    </form>
  )
}
