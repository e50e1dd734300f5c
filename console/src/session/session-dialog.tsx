import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.js'
import { useSession } from './context.js'
import { SignInForm } from './sign-in-form.js'
import styles from './sign-in-form.module.css'

/** Signs the same user in again, over the page, which stays as it is. */
export function SessionDialog({ email }: { readonly email: string }): React.JSX.Element {
  const session = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={styles.card} aria-label="Sign in" onCancel={event => event.preventDefault()}>
      <h2>Your session has ended</h2>
      <p>Sign in to continue where you are.</p>
      <SignInForm submitLabel="Sign in" email={email} onSubmit={({ password }) => session.signIn({ email, password })} />
      <Button kind="plain" onClick={() => session.forget()}>
        Sign in as another user
      </Button>
    </dialog>
  )
}
