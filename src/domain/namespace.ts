import type { NamespaceId } from './ids.js'
import type { StoragePlan } from './storage-plan.js'

/** `personal`: of one user, made with the account. `team`: made by request. */
export type NamespaceKind = 'personal' | 'team'
/** active > suspended > deleting > deleted. A `deleting` namespace refuses reads and writes while its data is removed. */
export type NamespaceState = 'active' | 'suspended' | 'deleting' | 'deleted'

/** Signals that have a retention of their own. */
export const RETAINED_SIGNALS = ['logs', 'traces', 'metrics', 'rum', 'errors', 'rejected'] as const
/** One of `RETAINED_SIGNALS`. */
export type RetainedSignal = (typeof RETAINED_SIGNALS)[number]
/** Milliseconds that data is kept per signal; null is `forever`. */
export type Retention = Readonly<Record<RetainedSignal, number | null>>

const DAY_MS = 86_400_000

/** How long the name of a deleted namespace stays reserved, counted from the deletion and from each later write to that name. */
export const NAME_HELD_MS = 90 * DAY_MS

/** "Vocabulary" in docs/conventions.md. */
export const DEFAULT_RETENTION: Retention = {
  logs: 14 * DAY_MS,
  traces: 7 * DAY_MS,
  metrics: 30 * DAY_MS,
  rum: 30 * DAY_MS,
  errors: 30 * DAY_MS,
  rejected: 3 * DAY_MS
}

/** The tenant isolation boundary. */
export interface Namespace {
  readonly id: NamespaceId
  readonly name: string
  readonly kind: NamespaceKind
  readonly state: NamespaceState
  readonly retention: Retention
  readonly storage: StoragePlan
  /** Rules for its records, as the control store has them (`LogRules` in JSON, sealed); absent without any. */
  readonly logRules?: string
  readonly createdAtMs: number
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Whether a string may be a namespace's name. */
export function isNamespaceName(text: string): boolean {
  return NAME.test(text)
}

/** The oldest event time that the retention lets a reader see and a writer write, Unix nanoseconds; 0 for `forever`. */
export function retentionStartNs(retention: Retention, signal: RetainedSignal, nowNs: bigint): bigint {
  const keptMs = retention[signal]
  if (keptMs === null) return 0n
  const start = nowNs - BigInt(keptMs) * 1_000_000n
  return start > 0n ? start : 0n
}
