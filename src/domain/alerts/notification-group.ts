import type { Label } from '../metric-point.js'

/** Why an alert notifies: it fires, its rule has no data, or its rule fails. */
export type NotifiedState = 'firing' | 'nodata' | 'error'

/** An alert as its groups keep it: the present state of one instance of a rule. */
export interface NotifiedAlert {
  readonly ruleId: string
  readonly fingerprint: string
  /** Sorted by name. */
  readonly labels: readonly Label[]
  readonly annotations: readonly Label[]
  readonly state: NotifiedState
  readonly startsAtMs: number
  /** When it resolved; null while it is active. */
  readonly endsAtMs: number | null
  readonly value: number | null
  /** Whether it was evaluated more than an interval after its time. */
  readonly isLate: boolean
}

/** What a group last sent to a channel. */
export interface SentToChannel {
  /** Null when the group was without alerts since: the next message waits for no interval. */
  readonly atMs: number | null
  /** The state that was last sent of each alert whose resolution is still to be sent, by key. */
  readonly owed: ReadonlyMap<string, NotifiedState>
  /** Resolved alerts of the last message; they are sent again if a newer message replaces it. */
  readonly resolved: readonly NotifiedAlert[]
  /** Keys of resolved alerts that were sent and are still in the group, since another channel waits for its interval. */
  readonly done: readonly string[]
}

/** Alerts of one route with equal group labels, which are notified together. */
export interface NotificationGroup {
  /** Route and labels: `{}/{severity="critical"}:{alertname="Down"}`. */
  readonly key: string
  readonly labels: readonly Label[]
  /** Key of its route; null after the routing no longer has it: then the group only sends resolutions that it owes. */
  readonly routeKey: string | null
  /** By `alertKey`. */
  readonly alerts: ReadonlyMap<string, NotifiedAlert>
  /** Null without alerts. */
  readonly nextFlushMs: number | null
  /** Number of flushes that sent something. */
  readonly flushes: number
  /** By id of the channel. */
  readonly sent: ReadonlyMap<string, SentToChannel>
  /** Whether a user acknowledged its present alerts: no repetitions until they change. */
  readonly isAcked: boolean
}

/** Identifies an alert in a namespace: its rule and its labels. */
export function alertKey({ ruleId, fingerprint }: Pick<NotifiedAlert, 'ruleId' | 'fingerprint'>): string {
  return `${ruleId}/${fingerprint}`
}
