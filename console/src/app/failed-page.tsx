import type { ErrorComponentProps } from '@tanstack/react-router'
import { Failed } from '../ui/states.js'

/** A page whose rendering failed: a fault of the console, or a part of it that could not be loaded. */
export function FailedPage({ error, reset }: ErrorComponentProps): React.JSX.Element {
  return (
    <main id="content">
      <h1>This page failed</h1>
      <Failed error={error} onRetry={reset} />
    </main>
  )
}
