import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { AlertInstance, AlertState } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'
import { RESOLVED_RETENTION_MS } from './limits.js'

/** An alert that an evaluation found, before anything is known of its past. */
export interface FoundAlert {
  readonly fingerprint: string
  readonly labels: readonly Label[]
  readonly annotations: readonly Label[]
  readonly value: number | null
}

/** What of a rule decides about states. */
export type Timing = Pick<AlertRuleContent, 'forMs' | 'keepFiringForMs' | 'forNOfM'>

/** Evaluations of the last m that had the element. */
function seenCount(seen: number): number {
  let count = 0
  for (let bits = seen; bits !== 0; bits &= bits - 1) count++
  return count
}

function nextSeen(seen: number, isPresent: boolean, { forNOfM }: Timing): number {
  if (forNOfM === null) return 0
  const [, m] = forNOfM
  return ((seen << 1) | (isPresent ? 1 : 0)) & (2 ** m - 1)
}

/** Whether an instance has had its element long enough. */
function isDue({ activeAtMs, seen }: AlertInstance, { forMs, forNOfM }: Timing, atMs: number): boolean {
  return forNOfM === null ? atMs - activeAtMs >= forMs : seenCount(seen) >= forNOfM[0]
}

/** Pending fires when it is due; firing that is not due under a changed rule is pending again (Prometheus, rules/alerting.go). */
function withDueState(instance: AlertInstance, timing: Timing, atMs: number): AlertInstance {
  const due = isDue(instance, timing, atMs)
  if (instance.state === 'pending' && due) return { ...instance, state: 'firing', firedAtMs: atMs }
  if (instance.state === 'firing' && !due) return { ...instance, state: 'pending', firedAtMs: null, keepSinceMs: null }
  return instance
}

const RUNNING: ReadonlySet<AlertState> = new Set(['pending', 'firing'])
const SUSPENDED: ReadonlySet<AlertState> = new Set(['nodata', 'error', 'unknown'])

/** Whether the instance is pending or firing. */
export function isRunning({ state }: AlertInstance): boolean {
  return RUNNING.has(state)
}

/** Whether nothing is known of the element of the instance at present. */
export function isSuspended({ state }: AlertInstance): boolean {
  return SUSPENDED.has(state)
}

/** What an instance was before its data was missing; null when it had not fired: its run of evaluations is broken. */
function running(instance: AlertInstance): AlertInstance | null {
  if (isRunning(instance)) return instance
  return isSuspended(instance) && instance.firedAtMs !== null ? { ...instance, state: 'firing' } : null
}

function firstOf({ fingerprint, labels }: FoundAlert, atMs: number): AlertInstance {
  const times = { activeAtMs: atMs, firedAtMs: null, keepSinceMs: null, resolvedAtMs: null }
  return { fingerprint, labels, annotations: [], state: 'pending', ...times, value: null, seen: 0 }
}

function resolved(instance: AlertInstance, atMs: number): AlertInstance {
  return { ...instance, state: 'resolved', resolvedAtMs: atMs, keepSinceMs: null }
}

/** `keep_firing_for` begins at the first evaluation without the element. */
function firingWithout(instance: AlertInstance, timing: Timing, atMs: number): AlertInstance {
  if (timing.forNOfM !== null && isDue(instance, timing, atMs)) return { ...instance, keepSinceMs: null }
  const keepSinceMs = instance.keepSinceMs ?? atMs
  if (atMs - keepSinceMs >= timing.keepFiringForMs) return resolved(instance, atMs)
  return timing.forNOfM === null ? withDueState({ ...instance, keepSinceMs }, timing, atMs) : { ...instance, keepSinceMs }
}

/** An instance after an evaluation that had its element. */
export function present(before: AlertInstance | undefined, found: FoundAlert, timing: Timing, atMs: number): AlertInstance {
  const base = (before && running(before)) ?? firstOf(found, atMs)
  const { annotations, value } = found
  const instance = { ...base, annotations, value, seen: nextSeen(before?.seen ?? 0, true, timing) }
  // One of several required evaluations does not end the time that `keep_firing_for` counts.
  if (timing.forNOfM !== null && instance.state === 'firing') return firingWithout(instance, timing, atMs)
  return withDueState({ ...instance, keepSinceMs: null }, timing, atMs)
}

/** An instance after an evaluation that did not have its element; null when it ended. */
export function absent(before: AlertInstance, timing: Timing, atMs: number): AlertInstance | null {
  const seen = nextSeen(before.seen, false, timing)
  const shifted = seen === before.seen ? before : { ...before, seen }
  if (before.state === 'resolved') return atMs - before.resolvedAtMs! > RESOLVED_RETENTION_MS ? null : shifted
  const instance = running(shifted)
  if (instance?.state === 'firing') return firingWithout(instance, timing, atMs)
  if (instance !== null) return seen === 0 ? null : withDueState(instance, timing, atMs)
  // Nothing is known of the time that an unknown instance was pending; the others were reported and are resolved.
  return before.state === 'unknown' ? null : resolved(shifted, atMs)
}

/** An instance of whose element nothing is known. Its times stay, and such evaluations do not count for `for_n_of_m`. */
export function suspended(before: AlertInstance, state: 'nodata' | 'unknown'): AlertInstance {
  return { ...before, state }
}

/** An instance that begins without an element. */
export function firstSuspended(found: FoundAlert, state: 'nodata' | 'error', atMs: number): AlertInstance {
  return { ...firstOf(found, atMs), annotations: found.annotations, state }
}
