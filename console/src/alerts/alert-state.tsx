import type { AlertState } from '../api/generated/AlertRules.js'
import styles from './alert-state.module.css'

/** What the state of a rule or of one of its alerts means. */
export const ALERT_STATES: Readonly<Record<AlertState, string>> = {
  FIRING: 'The condition has been met for the whole duration',
  PENDING: 'The condition is met, but not for the whole duration yet',
  NODATA: 'The condition has no data',
  ERROR: 'Three evaluations in a row failed',
  UNKNOWN: 'Not evaluated yet, or evaluations were skipped; the next one decides',
  RESOLVED: 'Was firing within the last 15 minutes',
  INACTIVE: 'The condition is not met'
}

/** The state of a rule or of an alert as a word. */
export function AlertStateMark({ state }: { readonly state: AlertState }): React.JSX.Element {
  return (
    <span className={styles.state} data-state={state.toLowerCase()} title={ALERT_STATES[state]}>
      {state === 'NODATA' ? 'no data' : state.toLowerCase()}
    </span>
  )
}
