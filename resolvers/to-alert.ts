import type { AlertGroupInput, AlertRuleInput, LabelInput } from '../schema/alert.input.js'
import type {
  AlertEventConnectionType,
  AlertEventType,
  AlertGroupType,
  AlertInstanceType,
  AlertRuleType,
  ReadRules
} from '../schema/alert.type.js'
import type { EventPage } from '../src/alerting/rules/alert-report.js'
import { eventCursor } from '../src/alerting/rules/event-cursor.js'
import type { AlertGroupContent } from '../src/alerting/rules/parse-group.js'
import { DEFAULT_GROUP } from '../src/alerting/rules/rule-limits.js'
import type { RuleStatus } from '../src/alerting/rules/rule-status.js'
import { conditionMembers } from '../src/alerting/evaluate/parse-rule/rule-json.js'
import type { AlertGroup } from '../src/domain/alerts/alert-rule.js'
import type { AlertEvent, AlertInstance } from '../src/domain/alerts/alert-state.js'
import { bareObject } from '../src/domain/bare-object.js'
import { formatDurationMs } from '../src/domain/duration.js'
import { GatewayError } from '../src/domain/errors.js'
import type { Context } from './context.js'
import { nsOfMs, optionalNs } from './to-access.js'

/** Reads all rules of the namespace at the first call alone. */
export function rulesOnce({ use, namespace }: Pick<Context, 'use' | 'namespace'>): ReadRules {
  let read: ReturnType<ReadRules> | undefined
  return () => (read ??= namespace().then(ns => use.alertReport.rules(ns)))
}

/** Floats of GraphQL are JSON numbers. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}

/** A group as GraphQL has it. */
export function toAlertGroup(group: AlertGroup, allRules: ReadRules): AlertGroupType {
  const { id, name, intervalMs, limit, queryOffsetMs } = group
  return { id, name, interval: intervalMs, limit, queryOffset: queryOffsetMs, allRules }
}

/** An alert as GraphQL has it. */
export function toAlertInstance(instance: AlertInstance): AlertInstanceType {
  const { fingerprint, labels, annotations, state, activeAtMs, firedAtMs, resolvedAtMs, value } = instance
  const times = { activeAt: nsOfMs(activeAtMs), firedAt: optionalNs(firedAtMs), resolvedAt: optionalNs(resolvedAtMs) }
  return { fingerprint, labels, annotations, state, ...times, value: finite(value), instance }
}

/** A rule with its state as GraphQL has it. */
export function toAlertRule(status: RuleStatus, allRules: ReadRules): AlertRuleType {
  const { rule, group, state, sinceMs, lastEvalMs, error } = status
  const { kind, name, threshold } = rule
  const { expr = null, condition = null } = conditionMembers(rule.condition) as {
    readonly expr?: string
    readonly condition?: object
  }
  return {
    id: rule.id,
    group: toAlertGroup(group, allRules),
    alert: kind === 'alert' ? name : null,
    record: kind === 'record' ? name : null,
    ...{ expr, condition, op: threshold?.op ?? null, threshold: threshold?.value ?? null, upper: threshold?.upper ?? null },
    ...{ for: rule.forMs, keepFiringFor: rule.keepFiringForMs, forNOfM: rule.forNOfM },
    ...{ noData: rule.noData, onError: rule.onError, labels: rule.labels, annotations: rule.annotations },
    ...{ severity: rule.severity, enabled: rule.enabled, runbookUrl: rule.runbookUrl },
    ...{ version: rule.version, updatedAt: nsOfMs(rule.updatedAtMs) },
    ...{ state, stateSince: optionalNs(sinceMs), lastEvaluatedAt: optionalNs(lastEvalMs), lastError: error },
    status
  }
}

/** An event as GraphQL has it. */
function toAlertEvent(event: AlertEvent, allRules: ReadRules): AlertEventType {
  const { ruleId, fingerprint, from, to, atMs, startsAtMs, isLate, value, labels, annotations } = event
  const times = { at: nsOfMs(atMs), startsAt: nsOfMs(startsAtMs), late: isLate }
  return { id: eventCursor(event), ruleId, fingerprint, from, to, ...times, value: finite(value), labels, annotations, allRules }
}

/** A page of events as GraphQL has it. */
export function toAlertEvents({ events, hasMore }: EventPage, isFirst: boolean, allRules: ReadRules): AlertEventConnectionType {
  const nodes = events.map(event => toAlertEvent(event, allRules))
  const edges = nodes.map(node => ({ cursor: node.id, node }))
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: !isFirst,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null
    }
  }
}

/** A group that was sent. */
export function groupOf({ name, interval, limit, queryOffset }: AlertGroupInput): AlertGroupContent {
  return { name, intervalMs: interval ?? DEFAULT_GROUP.intervalMs, limit: limit ?? null, queryOffsetMs: queryOffset ?? null }
}

function labelsOf(labels: readonly LabelInput[] | null | undefined, field: string): object | undefined {
  if (labels == null) return undefined
  const object = bareObject<string>()
  for (const { name, value } of labels) {
    if (Object.hasOwn(object, name))
      throw new GatewayError('invalid_field', `${field} has the name ${JSON.stringify(name)} twice`, { field })
    object[name] = value
  }
  return object
}

function durationOf(ms: number | null | undefined): string | undefined {
  return ms == null ? undefined : formatDurationMs(ms)
}

/** A rule that was sent, as REST has it: `AlertRuleService.parse` reads it. */
export function ruleOf(input: AlertRuleInput): object {
  const { groupId: _groupId, keepFiringFor, forNOfM, noData, onError, labels, annotations, runbookUrl, ...same } = input
  const members = {
    ...same,
    for: durationOf(input.for),
    keep_firing_for: durationOf(keepFiringFor),
    for_n_of_m: forNOfM,
    no_data: noData,
    on_error: onError,
    labels: labelsOf(labels, 'labels'),
    annotations: labelsOf(annotations, 'annotations'),
    runbook_url: runbookUrl
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null))
}
