import styles from './host-state.module.css'

/** What the states of a host and of what listens on it mean. */
export const HOST_STATES = {
  ACTIVE: 'Reported by its agent within three intervals; without an agent, a log, span or sample in the last 5 minutes',
  STALE: 'Nothing for longer',
  GONE: 'Nothing for more than 24 hours, or closed'
} as const

/** The state of a host as a word. */
export function HostStateMark({ state }: { readonly state: keyof typeof HOST_STATES }): React.JSX.Element {
  return (
    <span className={styles.state} data-state={state.toLowerCase()} title={HOST_STATES[state]}>
      {state.toLowerCase()}
    </span>
  )
}
