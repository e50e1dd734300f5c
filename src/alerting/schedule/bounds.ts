/** How far back missed steps are evaluated; older ones are skipped. */
export const CATCH_UP_MS = 3_600_000
/** Evaluations at once, of all namespaces and of one. */
export const EVALUATIONS_AT_ONCE = 8
export const EVALUATIONS_OF_ONE = 2
/** Alerts of all rules of a namespace, those that resolved in the last 15 minutes included. */
export const MAX_NAMESPACE_INSTANCES = 20_000
/** The longest that an evaluation takes; an interval that is shorter shortens it. */
export const MAX_EVALUATION_MS = 10_000
/** What changed without an event is written once in so long, of all rules together. */
export const FLUSH_EVERY_MS = 5_000
/** The longest sleep: a wall clock that jumps is noticed within it. */
export const MAX_SLEEP_MS = 1_000
/** How long a shard is held without a renewal, and how often it is renewed. */
export const LEASE_MS = 12_000
export const RENEW_EVERY_MS = 4_000
/** After a failure of the control store, a rule waits so long for its next evaluation. */
export const RETRY_AFTER_MS = 1_000
