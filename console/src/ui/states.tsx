import type { ReactNode } from 'react'
import { ApiError } from '../api/errors.js'
import { Button } from './button.js'
import styles from './states.module.css'

/** Shows that a panel loads; appears after 150 ms, so that fast responses do not flicker. */
export function Loading({ what }: { readonly what: string }): React.JSX.Element {
  return (
    <p className={styles.loading} role="status">
      Loading {what}…
    </p>
  )
}

/** Why a panel has no rows, and the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): React.JSX.Element {
  return (
    <section className={styles.state}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** The first letter in upper case, as a sentence of its own. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A failed panel: the sentence of the service, the request id, and a button that tries again. */
export function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): React.JSX.Element {
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div className={`${styles.state} ${styles.error}`} role="alert">
      <p>{sentence(message)}</p>
      {error instanceof ApiError && error.requestId !== null && <p className={styles.requestId}>Request {error.requestId}</p>}
      <Button onClick={onRetry}>Retry</Button>
    </div>
  )
}
