import type { ApmServicesQuery } from '../api/generated/ApmServices.js'
import { formatShare } from '../format/number.js'
import styles from './page.module.css'

type Service = NonNullable<ApmServicesQuery['services']>[number]

/** What the age of the latest span means. */
const STATES = {
  ACTIVE: 'A span in the last 5 minutes',
  STALE: 'No span for more than 5 minutes',
  GONE: 'No span for more than 24 hours'
} as const

/** The state of a service as a word. */
export function ServiceStateMark({ state }: { readonly state: Service['state'] }): React.JSX.Element {
  return (
    <span className={styles.state} data-state={state.toLowerCase()} title={STATES[state]}>
      {state.toLowerCase()}
    </span>
  )
}

/** The error rate, marked when requests failed. */
export function ErrorRate({ share }: { readonly share: number }): React.JSX.Element {
  return (
    <span data-failing={share > 0 || undefined} className={styles.errorRate}>
      {formatShare(share)}
    </span>
  )
}
