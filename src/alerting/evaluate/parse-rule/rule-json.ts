import type { AlertCondition, AlertRuleContent } from '../../../domain/alerts/alert-rule.js'
import type { Label } from '../../../domain/metric-point.js'
import { formatDuration } from '../../../query/promql/syntax/duration.js'

/** Labels as a JSON object without a prototype: their names are those of tenants. */
export function labelsObject(labels: readonly Label[]): Readonly<Record<string, string>> {
  const named = Object.create(null) as Record<string, string>
  for (const { name, value } of labels) named[name] = value
  return named
}

function conditionJson(condition: Exclude<AlertCondition, { kind: 'promql' }>): Readonly<Record<string, unknown>> {
  if (condition.kind === 'logs' || condition.kind === 'spans') {
    const { kind, query, groupBy, agg, field, windowMs } = condition
    return { [kind]: { query, group_by: groupBy, agg, ...(field !== null && { field }), window: formatDuration(windowMs) } }
  }
  if (condition.kind === 'traces') {
    const { service, operation, agg, windowMs } = condition
    return {
      traces: {
        ...(service !== null && { service }),
        ...(operation !== null && { operation }),
        agg,
        window: formatDuration(windowMs)
      }
    }
  }
  if (condition.kind === 'event') {
    const { type, service, environment, windowMs } = condition
    const named = { ...(service !== null && { service }), ...(environment !== null && { environment }) }
    return { event: { type, ...named, window: formatDuration(windowMs) } }
  }
  const { of, forMs } = condition
  const name = of.kind === 'host' ? of.host : of.kind === 'service' ? of.service : null
  const query = of.kind === 'metric' || of.kind === 'logs' ? of.query : null
  return {
    absence: { of: of.kind, ...(name !== null && { name }), ...(query !== null && { query }), for: formatDuration(forMs) }
  }
}

/** The condition as REST has it: `expr`, or `condition`. */
export function conditionMembers(condition: AlertCondition): Readonly<Record<string, unknown>> {
  return condition.kind === 'promql' ? { expr: condition.expr } : { condition: conditionJson(condition) }
}

/** A rule as REST has it: `parseRule` reads it again. Members that have their default are left out. */
export function ruleJson(content: AlertRuleContent): Readonly<Record<string, unknown>> {
  const { kind, name, condition, threshold, forMs, keepFiringForMs, forNOfM, noData, onError, labels, annotations } = content
  const { severity, enabled, runbookUrl } = content
  return {
    [kind]: name,
    ...conditionMembers(condition),
    ...(threshold && { op: threshold.op, threshold: threshold.value }),
    ...(threshold && threshold.upper !== null && { upper: threshold.upper }),
    ...(forMs > 0 && { for: formatDuration(forMs) }),
    ...(keepFiringForMs > 0 && { keep_firing_for: formatDuration(keepFiringForMs) }),
    ...(forNOfM && { for_n_of_m: forNOfM }),
    ...(noData !== 'nodata' && { no_data: noData }),
    ...(onError !== 'error' && { on_error: onError }),
    ...(labels.length > 0 && { labels: labelsObject(labels) }),
    ...(annotations.length > 0 && { annotations: labelsObject(annotations) }),
    ...(severity !== null && { severity }),
    ...(!enabled && { enabled }),
    ...(runbookUrl !== null && { runbook_url: runbookUrl })
  }
}
