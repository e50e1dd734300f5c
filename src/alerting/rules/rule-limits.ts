/** Rules of one namespace. */
export const MAX_RULES = 500
/** Groups of one namespace. */
export const MAX_RULE_GROUPS = 100
/** Intervals of groups. At most an hour, so that each restart within the hour that is caught up finds a step. */
export const MIN_INTERVAL_MS = 10_000
export const MAX_INTERVAL_MS = 3_600_000
/** Alerts of one rule that a group may allow. */
export const MAX_GROUP_LIMIT = 10_000
/** Offsets of reads. */
export const MAX_QUERY_OFFSET_MS = 86_400_000
/** The group of rules that name no other; made with the first of them. */
export const DEFAULT_GROUP = { name: 'default', intervalMs: 60_000, limit: null, queryOffsetMs: null } as const
/** How long events are kept, and how many of a namespace. */
export const EVENTS_KEPT_MS = 90 * 86_400_000
export const EVENTS_KEPT = 100_000
