import type { AlertGroup, AlertRule } from '../../domain/alerts/alert-rule.js'
import type { AlertInstance, AlertState, RuleState } from '../../domain/alerts/alert-state.js'

/** States by gravity; a rule has the gravest of its instances. */
const GRAVEST_FIRST: readonly AlertState[] = ['firing', 'error', 'nodata', 'unknown', 'pending', 'resolved', 'inactive']

/** A rule with what its last evaluation left. Times are Unix milliseconds. */
export interface RuleStatus {
  readonly rule: AlertRule
  readonly group: AlertGroup
  readonly state: AlertState
  /** Since when it has this state; null for `inactive`, and for a rule that was not evaluated yet. */
  readonly sinceMs: number | null
  /** Null before the first evaluation. */
  readonly lastEvalMs: number | null
  /** Why the last evaluation failed; null when it did not. */
  readonly error: string | null
  /** By fingerprint. */
  readonly instances: readonly AlertInstance[]
}

/** When an instance reached its state. */
export function sinceOf({ state, activeAtMs, firedAtMs, resolvedAtMs }: AlertInstance): number {
  if (state === 'firing') return firedAtMs ?? activeAtMs
  return state === 'resolved' ? (resolvedAtMs ?? activeAtMs) : activeAtMs
}

/** The status of a rule. An enabled rule that was never evaluated is `unknown`, a disabled one `inactive`. */
export function statusOf(rule: AlertRule, group: AlertGroup, { lastEvalMs, error, instances }: RuleState): RuleStatus {
  const all = [...instances.values()]
  const first = rule.enabled && lastEvalMs === null ? 'unknown' : 'inactive'
  const state = GRAVEST_FIRST.find(one => all.some(instance => instance.state === one)) ?? first
  const since = all.filter(instance => instance.state === state).map(sinceOf)
  return { rule, group, state, sinceMs: since.length === 0 ? null : Math.min(...since), lastEvalMs, error, instances: all }
}
