import type { BacktestResult } from '../../alerting/evaluate/backtest/backtest-result.js'
import type { BacktestReport } from '../../alerting/rules/alert-backtests.js'
import type { AlertGroupRules } from '../../alerting/rules/alert-rule-service.js'
import { eventCursor } from '../../alerting/rules/event-cursor.js'
import type { RuleStatus } from '../../alerting/rules/rule-status.js'
import { ruleJson } from '../../alerting/evaluate/parse-rule/rule-json.js'
import type { AlertRule } from '../../domain/alerts/alert-rule.js'
import type { AlertEvent, AlertInstance } from '../../domain/alerts/alert-state.js'
import { bareObject } from '../../domain/bare-object.js'
import { formatDurationMs } from '../../domain/duration.js'
import type { Label } from '../../domain/metric-point.js'
import { factsJson } from './facts-json.js'
import type { EventReply } from '../routes/alert-events-schemas.js'
import type { GroupReply, InstanceReply, RuleReply, StatusReply } from '../routes/alerts-schemas.js'

/** A time of alerts in RFC 3339, from Unix milliseconds. */
export const timeJson = (ms: number): string => new Date(ms).toISOString()
/** As `timeJson`; null stays null. */
export const optionalTime = (ms: number | null): string | null => (ms === null ? null : timeJson(ms))

/** Labels as an object without a prototype: names come from tenants. */
export function labelsJson(labels: readonly Label[]): Readonly<Record<string, string>> {
  const object = bareObject<string>()
  for (const { name, value } of labels) object[name] = value
  return object
}

/** JSON has no NaN and no infinities. */
function numberJson(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}

export function groupJson({ group, rules }: AlertGroupRules): GroupReply {
  const { id, name, intervalMs, limit, queryOffsetMs } = group
  const offset = queryOffsetMs === null ? null : formatDurationMs(queryOffsetMs)
  return { id, name, interval: formatDurationMs(intervalMs), limit, query_offset: offset, rules: rules.length }
}

/** A version of a rule. */
export function versionJson(rule: AlertRule): RuleReply {
  const { id, groupId, version, updatedBy, updatedAtMs, enabled } = rule
  const own = { id, group_id: groupId, version, updated_by: updatedBy, updated_at: timeJson(updatedAtMs) }
  return { ...ruleJson(rule), ...own, enabled }
}

/** An alert. */
export function instanceJson(instance: AlertInstance): InstanceReply {
  const { fingerprint, labels, annotations, state, activeAtMs, firedAtMs, resolvedAtMs, value } = instance
  return {
    fingerprint,
    labels: labelsJson(labels),
    annotations: labelsJson(annotations),
    state,
    active_at: timeJson(activeAtMs),
    fired_at: optionalTime(firedAtMs),
    resolved_at: optionalTime(resolvedAtMs),
    value: numberJson(value)
  }
}

/** A rule with its state. */
export function statusJson({ rule, group, state, sinceMs, lastEvalMs, error, instances }: RuleStatus): StatusReply {
  return {
    ...versionJson(rule),
    group: group.name,
    state,
    state_since: optionalTime(sinceMs),
    last_evaluated_at: optionalTime(lastEvalMs),
    last_error: error,
    instances: instances.map(instanceJson)
  }
}

/** A transition of an alert. */
export function eventJson(event: AlertEvent): EventReply {
  const { ruleId, ruleVersion, fingerprint, from, to, atMs, startsAtMs, isLate, value, labels, annotations } = event
  return {
    id: eventCursor(event),
    at: timeJson(atMs),
    rule_id: ruleId,
    rule_version: ruleVersion,
    fingerprint,
    ...{ from, to, starts_at: timeJson(startsAtMs), late: isLate, value: numberJson(value) },
    labels: labelsJson(labels),
    annotations: labelsJson(annotations)
  }
}

/** What an alert would have done. */
export function backtestResultJson(result: BacktestResult) {
  const { instances, notifications, perWeek, flaps, suggestions, evaluations } = result
  return {
    instances: instances.map(({ labels, intervals }) => ({
      labels: labelsJson(labels),
      intervals: intervals.map(({ state, fromMs, toMs, peak }) => {
        return { state, from: timeJson(fromMs), to: timeJson(toMs), peak: numberJson(peak) }
      })
    })),
    ...{ notifications, per_week: perWeek, flaps, evaluations },
    suggestions: suggestions.map(({ forMs, perWeek: ofOne }) => ({ for: formatDurationMs(forMs), per_week: ofOne }))
  }
}

/** What a rule would have done. */
export function backtestJson(report: BacktestReport) {
  return { ...backtestResultJson(report), ...factsJson(report) }
}
