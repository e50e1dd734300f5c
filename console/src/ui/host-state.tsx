import styles from './host-state.module.css'

/** What the age of the latest log, span or sample means. */
export const HOST_STATES = {
  ACTIVE: 'A log, span or sample in the last 5 minutes',
  STALE: 'Nothing for more than 5 minutes',
  GONE: 'Nothing for more than 24 hours'
} as const

/** The state of a host as a word. */
export function HostStateMark({ state }: { readonly state: keyof typeof HOST_STATES }): React.JSX.Element {
  return (
    <span className={styles.state} data-state={state.toLowerCase()} title={HOST_STATES[state]}>
      {state.toLowerCase()}
    </span>
  )
}
