import type { ExceptionState } from '../api/generated/ErrorGroups.js'
import styles from './exception-state.module.css'

/** What the state of a group of errors means. */
export const EXCEPTION_STATES: Readonly<Record<ExceptionState, string>> = {
  OPEN: 'New, or reopened',
  REGRESSED: 'Occurred again after it was marked as fixed',
  RESOLVED: 'Marked as fixed, without later errors',
  IGNORED: 'Marked as not actionable'
}

/** The state of a group of errors as a word. */
export function ExceptionStateMark({ state }: { readonly state: ExceptionState }): React.JSX.Element {
  return (
    <span className={styles.state} data-state={state.toLowerCase()} title={EXCEPTION_STATES[state]}>
      {state.toLowerCase()}
    </span>
  )
}
