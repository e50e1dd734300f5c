import type { AlertInstance, RuleState } from '../../domain/alerts/alert-state.js'
import { isSameInstance } from '../evaluate/instances.js'

/** How a state differs from the stored one. */
export interface StateDiff {
  readonly changed: readonly AlertInstance[]
  readonly removed: readonly string[]
  /** Whether it must be stored at once: other differences are times, values and counts, which a repetition computes again. */
  readonly isUrgent: boolean
}

/** What is to be stored of `state` where `stored` is. */
export function diffStates(stored: RuleState, state: RuleState): StateDiff {
  const changed: AlertInstance[] = []
  let isUrgent = stored.error !== state.error || stored.lastEvalMs === null
  for (const instance of state.instances.values()) {
    const before = stored.instances.get(instance.fingerprint)
    if (before !== undefined && isSameInstance(before, instance)) continue
    changed.push(instance)
    isUrgent ||= before?.state !== instance.state
  }
  const removed = [...stored.instances.keys()].filter(fingerprint => !state.instances.has(fingerprint))
  return { changed, removed, isUrgent: isUrgent || removed.length > 0 }
}
