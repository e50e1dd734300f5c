import { conditionMembers } from '../../alerting/evaluate/parse-rule/rule-json.js'
import type { AlertReport } from '../../alerting/rules/alert-report.js'
import type { RuleStatus } from '../../alerting/rules/rule-status.js'
import type { AlertInstance } from '../../domain/alerts/alert-state.js'
import { groupedBy } from '../../domain/grouped-by.js'
import type { Namespace } from '../../domain/namespace.js'
import { exponentNumber } from '../../query/promql/go-number.js'
import { labelsJson } from '../read-json/alert-json.js'
import { badData, type PrometheusParams } from './params.js'
import { writeData } from './write-data.js'

// `GET /api/v1/rules` and `/api/v1/alerts` of Prometheus's HTTP API (web/api/v1/api.go). The file of a rule is its namespace.

const MS_PER_S = 1_000
/** What Prometheus writes for a time that never was. */
const NEVER = '0001-01-01T00:00:00Z'
const TYPES = ['', 'alert', 'record']

/** Prometheus knows alerts that are pending or firing. */
function isActive({ state }: AlertInstance): boolean {
  return state === 'pending' || state === 'firing'
}

function alertJson({ labels, annotations, state, activeAtMs, value }: AlertInstance): object {
  return {
    labels: labelsJson(labels),
    annotations: labelsJson(annotations),
    state,
    activeAt: new Date(activeAtMs).toISOString(),
    value: exponentNumber(value ?? Number.NaN)
  }
}

/** PromQL, or the condition as JSON. */
function queryText({ rule }: RuleStatus): string {
  const { expr, condition } = conditionMembers(rule.condition)
  return typeof expr === 'string' ? expr : JSON.stringify(condition)
}

function healthOf({ lastEvalMs, error }: RuleStatus): string {
  if (error !== null) return 'err'
  return lastEvalMs === null ? 'unknown' : 'ok'
}

function ruleJson(status: RuleStatus, hasAlerts: boolean): object {
  const { rule, instances, lastEvalMs, error } = status
  const common = {
    name: rule.name,
    query: queryText(status),
    labels: labelsJson(rule.labels),
    health: healthOf(status),
    ...(error !== null && { lastError: error }),
    evaluationTime: 0,
    lastEvaluation: lastEvalMs === null ? NEVER : new Date(lastEvalMs).toISOString()
  }
  if (rule.kind === 'record') return { ...common, type: 'recording' }
  const active = instances.filter(isActive)
  const states = new Set(active.map(({ state }) => state))
  return {
    ...common,
    state: states.has('firing') ? 'firing' : states.has('pending') ? 'pending' : 'inactive',
    duration: rule.forMs / MS_PER_S,
    keepFiringFor: rule.keepFiringForMs / MS_PER_S,
    annotations: labelsJson(rule.annotations),
    ...(hasAlerts && { alerts: active.map(alertJson) }),
    type: 'alerting'
  }
}

function groupJson([first, ...rest]: readonly RuleStatus[], file: string, hasAlerts: boolean): object {
  const { group } = first!
  const last = Math.max(...[first!, ...rest].map(({ lastEvalMs }) => lastEvalMs ?? -Infinity))
  return {
    name: group.name,
    file,
    rules: [first!, ...rest].map(status => ruleJson(status, hasAlerts)),
    interval: group.intervalMs / MS_PER_S,
    limit: group.limit ?? 0,
    evaluationTime: 0,
    lastEvaluation: Number.isFinite(last) ? new Date(last).toISOString() : NEVER
  }
}

/** A test by a parameter that may be repeated; everything passes when it is absent. */
function filter(values: readonly string[]): (value: string) => boolean {
  const allowed = new Set(values)
  return value => allowed.size === 0 || allowed.has(value)
}

/** `rules`, by `type`, `rule_name[]`, `rule_group[]`, `file[]` and `exclude_alerts`. */
export async function rulesResponse(params: PrometheusParams, report: AlertReport, namespace: Namespace): Promise<string> {
  const type = params.text('type') ?? ''
  if (!TYPES.includes(type)) throw badData('type', `not supported value ${JSON.stringify(type)}`)
  const isNamed = filter(params.all('rule_name[]'))
  const isInGroup = filter(params.all('rule_group[]'))
  const isInFile = filter(params.all('file[]'))
  const all = isInFile(namespace.name) ? await report.rules(namespace) : []
  const requested = all.filter(
    ({ rule, group }) => (type === '' || rule.kind === type) && isNamed(rule.name) && isInGroup(group.name)
  )
  const groups = [...groupedBy(requested, ({ group }) => group.id).values()]
  const hasAlerts = params.text('exclude_alerts') !== 'true'
  return writeData({ groups: groups.map(rules => groupJson(rules, namespace.name, hasAlerts)) }, Infinity)
}

/** `alerts`: all that are pending or firing. */
export async function alertsResponse(report: AlertReport, namespace: Namespace): Promise<string> {
  const all = (await report.rules(namespace)).filter(({ rule }) => rule.kind === 'alert')
  const alerts = all.flatMap(({ instances }) => instances.filter(isActive).map(alertJson))
  return writeData({ alerts }, Infinity)
}
