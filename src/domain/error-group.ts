/** What people decide about a group of errors; a group about which nothing is decided is open. */
export const ERROR_GROUP_DECISIONS = ['open', 'resolved', 'ignored'] as const
/** One of `ERROR_GROUP_DECISIONS`. */
export type ErrorGroupDecision = (typeof ERROR_GROUP_DECISIONS)[number]

/** open > resolved > regressed, ignored ("Vocabulary" in docs/conventions.md). `regressed`: an error of the group happened after it was resolved. */
export const ERROR_GROUP_STATES = ['open', 'resolved', 'regressed', 'ignored'] as const
/** One of `ERROR_GROUP_STATES`. */
export type ErrorGroupState = (typeof ERROR_GROUP_STATES)[number]

const NS_PER_MS = 1_000_000n

/** The state that follows from the last decision and the time of the group's newest error. */
export function errorGroupState(
  decision: { readonly state: ErrorGroupDecision; readonly atMs: number } | undefined,
  lastSeenNs: bigint
): ErrorGroupState {
  if (decision === undefined) return 'open'
  const isBack = decision.state === 'resolved' && lastSeenNs > BigInt(decision.atMs) * NS_PER_MS
  return isBack ? 'regressed' : decision.state
}
