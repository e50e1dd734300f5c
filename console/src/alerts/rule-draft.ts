import type { AlertRuleQuery, AlertSeverity, AlertRuleInput, ThresholdOp } from '../api/generated/AlertRule.js'

type Rule = NonNullable<AlertRuleQuery['alertRule']>

/** What a rule evaluates. */
export const CONDITION_KINDS = { promql: 'PromQL', logs: 'Logs', spans: 'Spans', traces: 'Requests' } as const
export type ConditionKind = keyof typeof CONDITION_KINDS

/** A rule as the form has it: strings as they were typed. */
export interface RuleDraft {
  readonly name: string
  readonly kind: ConditionKind
  readonly expr: string
  readonly query: string
  readonly groupBy: string
  readonly service: string
  readonly operation: string
  readonly agg: string
  readonly field: string
  readonly window: string
  readonly op: ThresholdOp | ''
  readonly threshold: string
  /** Upper bound of a range. */
  readonly upper: string
  readonly for: string
  readonly keepFiringFor: string
  readonly severity: AlertSeverity | ''
  readonly noData: string
  readonly summary: string
  readonly labels: string
}

const NEW: RuleDraft = {
  name: '',
  kind: 'promql',
  expr: '',
  query: '',
  groupBy: '',
  service: '',
  operation: '',
  agg: 'count',
  field: '',
  window: '5m',
  op: 'GT',
  threshold: '0',
  upper: '',
  for: '5m',
  keepFiringFor: '0s',
  severity: 'WARNING',
  noData: 'nodata',
  summary: '',
  labels: ''
}

/** The form of a new rule; `e` and `q` of the address are the expression and the search that a page linked it from. */
export function newDraft(expr: string | null, query: string | null): RuleDraft {
  if (query !== null && expr === null) return { ...NEW, kind: 'logs', query }
  return { ...NEW, expr: expr ?? '' }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function list(value: unknown): string {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string').join(', ') : ''
}

function ofCondition(condition: Readonly<Record<string, unknown>> | null | undefined): Partial<RuleDraft> {
  for (const kind of ['logs', 'spans', 'traces'] as const) {
    const of = condition?.[kind] as Readonly<Record<string, unknown>> | undefined
    if (!of) continue
    const shared = { kind, agg: text(of.agg), window: text(of.window) }
    if (kind === 'traces') return { ...shared, service: text(of.service), operation: text(of.operation) }
    return { ...shared, query: text(of.query), groupBy: list(of.group_by), field: text(of.field) }
  }
  return {}
}

/** Whether the form can show and save the rule; others are changed over the API. */
export function isEditable({ alert, expr, condition }: Rule): boolean {
  return alert != null && (expr != null || ofCondition(condition).kind !== undefined)
}

/** Whether the value is compared with two bounds. */
export function isRange({ op }: Pick<RuleDraft, 'op'>): boolean {
  return op === 'INSIDE' || op === 'OUTSIDE'
}

/** Whether the value is that of a field of logs or spans. */
export function hasField({ kind, agg }: Pick<RuleDraft, 'kind' | 'agg'>): boolean {
  return (kind === 'logs' || kind === 'spans') && agg !== 'count'
}

/** The form of a stored rule. */
export function draftOf(rule: Rule): RuleDraft {
  const annotation = rule.annotations.find(({ name }) => name === 'summary')
  return {
    ...NEW,
    name: rule.alert ?? '',
    expr: rule.expr ?? '',
    ...ofCondition(rule.condition),
    op: rule.op ?? '',
    threshold: rule.threshold == null ? '' : String(rule.threshold),
    upper: rule.upper == null ? '' : String(rule.upper),
    for: rule.for,
    keepFiringFor: rule.keepFiringFor,
    severity: rule.severity ?? '',
    noData: rule.noData,
    summary: annotation?.value ?? '',
    labels: rule.labels.map(({ name, value }) => `${name}=${value}`).join('\n')
  }
}

/** Lines of `name=value`; a line without `=` is a label without a value, which the API refuses by its name. */
function labelsOf(lines: string): { readonly name: string; readonly value: string }[] {
  return lines
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .map(line => {
      const at = line.indexOf('=')
      return at < 0 ? { name: line, value: '' } : { name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }
    })
}

function conditionOf(draft: RuleDraft): Record<string, unknown> {
  const { agg, window, field } = draft
  if (draft.kind === 'traces') {
    const { service, operation } = draft
    return { traces: { agg, window, ...(service && { service }), ...(operation && { operation }) } }
  }
  const groups = draft.groupBy.split(/[\s,]+/).filter(Boolean)
  return { [draft.kind]: { query: draft.query, group_by: groups, agg, window, ...(hasField(draft) && field && { field }) } }
}

function thresholdOf({ op, threshold, upper }: RuleDraft): Pick<AlertRuleInput, 'op' | 'threshold' | 'upper'> {
  if (op === '' || threshold.trim() === '') return {}
  return { op, threshold: Number(threshold), ...(isRange({ op }) && upper.trim() !== '' && { upper: Number(upper) }) }
}

/**
 * The input of the API. `stored` is the rule that is changed: what the form does not have (its group, other annotations,
 * the runbook) stays.
 */
export function inputOf(draft: RuleDraft, stored: Rule | null): AlertRuleInput {
  const others = stored?.annotations.filter(({ name }) => name !== 'summary') ?? []
  return {
    ...(stored && { groupId: stored.group.id, runbookUrl: stored.runbookUrl, onError: stored.onError }),
    ...(stored?.forNOfM && { forNOfM: stored.forNOfM }),
    alert: draft.name.trim(),
    ...(draft.kind === 'promql' ? { expr: draft.expr } : { condition: conditionOf(draft) }),
    ...thresholdOf(draft),
    for: draft.for.trim() || '0s',
    keepFiringFor: draft.keepFiringFor.trim() || '0s',
    ...(draft.severity && { severity: draft.severity }),
    noData: draft.noData,
    enabled: stored?.enabled ?? true,
    labels: labelsOf(draft.labels),
    annotations: [...others, ...(draft.summary.trim() ? [{ name: 'summary', value: draft.summary.trim() }] : [])]
  }
}

/** Whether there is enough of a rule to evaluate it. */
export function canEvaluate(draft: RuleDraft): boolean {
  if (draft.kind === 'promql') return draft.expr.trim() !== ''
  const isMeasured = !hasField(draft) || draft.field.trim() !== ''
  return isMeasured && draft.threshold.trim() !== '' && (!isRange(draft) || draft.upper.trim() !== '')
}
