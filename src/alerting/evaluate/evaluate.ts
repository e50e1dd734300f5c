import type { AlertInstance, ConditionResult, RuleState } from '../../domain/alerts/alert-state.js'
import { unreachable } from '../../domain/errors.js'
import type { EvaluationChange } from '../../ports/alert-states.js'
import { absent, firstSuspended, type FoundAlert, isRunning, isSuspended, present, suspended } from './advance.js'
import { duplicateOf, isSameInstance, transitionsBetween } from './instances.js'
import { ERRORS_BEFORE_ALERT, MAX_ABSENCE_MS } from './limits.js'
import type { PreparedRule } from './prepared-rule.js'

/** A rule after an evaluation, and what the evaluation changed; all lists are sorted by fingerprint. */
export interface Evaluation extends Pick<EvaluationChange, 'changed' | 'removed' | 'transitions'> {
  readonly state: RuleState
}

type Instances = ReadonlyMap<string, AlertInstance>

/**
 * The state of a rule after the result of its condition at `atMs`: a pure function, so that an evaluation that is repeated,
 * late, or made in a backtest has the same outcome (docs/adr/0063). Source: Prometheus, `AlertingRule.Eval` in
 * rules/alerting.go, with these differences:
 *
 * - an evaluation that fails keeps all instances, also one that exceeds the limit;
 * - a condition without data does not resolve instances unless `no_data` is `ok`: by default they become `nodata`, and without
 *   any, the rule as a whole does;
 * - after `ERRORS_BEFORE_ALERT` failures in a row the rule as a whole is an instance in the state `error`;
 * - instances of steps that were skipped are `unknown` until the next evaluation.
 *
 * An instance that was firing before `nodata` or `unknown` is firing again when its element is back, and resolved when the
 * condition has data without it; the time of `for` begins again.
 */
export function evaluate(rule: PreparedRule, state: RuleState, result: ConditionResult, atMs: number): Evaluation {
  switch (result.kind) {
    case 'error':
      return failed(rule, state, result.message, atMs)
    case 'skipped':
      return succeeded(state, unknown(state.instances), atMs)
    case 'vector': {
      if (!result.hasData && result.elements.length === 0) return withoutData(rule, state, atMs)
      return withAlerts(rule, state, [...rule.alertsOf(result.elements, atMs), ...forgotten(rule, state, result, atMs)], atMs)
    }
    default:
      return unreachable(result)
  }
}

function outcome(before: RuleState, state: RuleState, atMs: number): Evaluation {
  const changed: AlertInstance[] = []
  for (const instance of state.instances.values()) {
    const old = before.instances.get(instance.fingerprint)
    if (old === undefined || !isSameInstance(old, instance)) changed.push(instance)
  }
  const removed = [...before.instances.keys()].filter(fingerprint => !state.instances.has(fingerprint))
  return {
    state,
    changed: changed.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)),
    removed: removed.sort(),
    transitions: transitionsBetween(before.instances, state.instances, atMs)
  }
}

function succeeded(before: RuleState, instances: Instances, atMs: number): Evaluation {
  return outcome(before, { lastEvalMs: atMs, instances, error: null, errorsInRow: 0 }, atMs)
}

/**
 * Instances of an absence whose source is not known any more, because it was silent longer than sources are remembered: they
 * stay until the source is back, for a day at most.
 */
function forgotten(
  rule: PreparedRule,
  state: RuleState,
  { elements, present: there }: Extract<ConditionResult, { kind: 'vector' }>,
  atMs: number
): readonly FoundAlert[] {
  if (there === undefined) return []
  const known = new Set(rule.alertsOf([...elements, ...there], atMs).map(({ fingerprint }) => fingerprint))
  return [...state.instances.values()].filter(instance => {
    return isRunning(instance) && !known.has(instance.fingerprint) && atMs - instance.activeAtMs <= MAX_ABSENCE_MS
  })
}

/** The ordinary step: these alerts are there, all others are not. */
function withAlerts(rule: PreparedRule, state: RuleState, alerts: readonly FoundAlert[], atMs: number): Evaluation {
  const duplicate = duplicateOf(alerts)
  if (duplicate !== null) return failed(rule, state, duplicate, atMs)
  const instances = new Map<string, AlertInstance>()
  for (const alert of alerts)
    instances.set(alert.fingerprint, present(state.instances.get(alert.fingerprint), alert, rule.content, atMs))
  for (const before of state.instances.values()) {
    if (instances.has(before.fingerprint)) continue
    const after = absent(before, rule.content, atMs)
    if (after !== null) instances.set(after.fingerprint, after)
  }
  const running = [...instances.values()].filter(isRunning).length
  if (running <= rule.limit) return succeeded(state, instances, atMs)
  const detail = `too_many_instances: the rule has ${running} instances, more than its limit of ${rule.limit}`
  return failed(rule, state, `${detail}; aggregate the condition, or raise the limit of the group`, atMs)
}

function byFingerprint(instances: readonly AlertInstance[]): Map<string, AlertInstance> {
  return new Map(instances.map(each => [each.fingerprint, each] as const))
}

/** Whether the instance is of an element that is there, or of which nothing is known. */
function isOpen(instance: AlertInstance): boolean {
  return isRunning(instance) || instance.state === 'nodata' || instance.state === 'unknown'
}

function withoutData(rule: PreparedRule, state: RuleState, atMs: number): Evaluation {
  switch (rule.content.noData) {
    case 'ok':
      return withAlerts(rule, state, [], atMs)
    case 'keep':
      return succeeded(state, state.instances, atMs)
    case 'nodata':
      return succeeded(state, missing(rule, state.instances, atMs), atMs)
    case 'firing': {
      const open = [...state.instances.values()].filter(isOpen)
      return withAlerts(rule, state, open.length > 0 ? open : [rule.wholeAlert('nodata', atMs)], atMs)
    }
    default:
      return unreachable(rule.content.noData)
  }
}

function unknown(before: Instances): Instances {
  return byFingerprint(
    [...before.values()].map(each => (isRunning(each) || isSuspended(each) ? suspended(each, 'unknown') : each))
  )
}

function missing(rule: PreparedRule, before: Instances, atMs: number): Instances {
  const after = (each: AlertInstance): AlertInstance | null =>
    isOpen(each) ? suspended(each, 'nodata') : absent(each, rule.content, atMs)
  const instances = byFingerprint([...before.values()].map(after).filter(each => each !== null))
  if ([...instances.values()].some(({ state }) => state === 'nodata')) return instances
  const whole = rule.wholeAlert('nodata', atMs)
  return instances.set(whole.fingerprint, firstSuspended(whole, 'nodata', atMs))
}

function failed(rule: PreparedRule, before: RuleState, error: string, atMs: number): Evaluation {
  const errorsInRow = before.errorsInRow + 1
  const instances = afterError(rule, before.instances, errorsInRow, atMs)
  return outcome(before, { lastEvalMs: atMs, instances, error, errorsInRow }, atMs)
}

function afterError(rule: PreparedRule, before: Instances, errorsInRow: number, atMs: number): Instances {
  const { onError } = rule.content
  if (onError === 'keep' || (onError === 'error' && errorsInRow < ERRORS_BEFORE_ALERT)) return before
  const whole = rule.wholeAlert('error', atMs)
  const known = before.get(whole.fingerprint)
  if (onError === 'error' && known?.state === 'error') return before
  const instance = onError === 'firing' ? present(known, whole, rule.content, atMs) : firstSuspended(whole, 'error', atMs)
  return new Map(before).set(whole.fingerprint, instance)
}
