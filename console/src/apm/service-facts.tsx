import type { ApmServicesQuery } from '../api/generated/ApmServices.js'
import { durationText } from '../format/duration-text.js'
import { formatCount, formatLatency, formatShare } from '../format/number.js'
import { TracesLink } from '../ui/traces-link.js'
import styles from './page.module.css'

type Service = NonNullable<ApmServicesQuery['serviceList']>['nodes'][number]

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

/** Whose requests a number counts. */
export interface RequestsOf {
  readonly service: string
  readonly operation?: string
  /** True in a grid. */
  readonly isInGrid?: boolean
}

/** A number of requests, which leads to their traces. */
export function RequestCount({ of, count }: { readonly of: RequestsOf; readonly count: number }): React.JSX.Element {
  return <Traces of={of}>{formatCount(count)}</Traces>
}

/** The share of requests that failed, which leads to the traces with errors. */
export function FailedShare({ of, share }: { readonly of: RequestsOf; readonly share: number }): React.JSX.Element {
  if (share === 0) return <ErrorRate share={share} />
  return (
    <Traces of={of} conditions={{ status: 'error' }}>
      <ErrorRate share={share} />
    </Traces>
  )
}

/** A percentile of the latency, which leads to the traces with a span that took at least as long. */
export function Percentile({ of, ms }: { readonly of: RequestsOf; readonly ms: number | null | undefined }): React.JSX.Element {
  if (ms == null) return <>{formatLatency(ms)}</>
  return (
    <Traces of={of} conditions={{ min: durationText(ms), scope: 'span', sort: 'duration' }}>
      {formatLatency(ms)}
    </Traces>
  )
}

function Traces(props: {
  readonly of: RequestsOf
  readonly conditions?: Readonly<Record<string, string>>
  readonly children: React.ReactNode
}): React.JSX.Element {
  const { service, operation = null, isInGrid = false } = props.of
  return (
    <TracesLink conditions={{ service, operation, ...props.conditions }} isInGrid={isInGrid}>
      {props.children}
    </TracesLink>
  )
}
