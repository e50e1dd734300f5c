import {
  ALERT_SEVERITIES,
  type AlertCondition,
  type AlertRuleContent,
  NO_DATA_POLICIES,
  ON_ERROR_POLICIES,
  type Threshold,
  THRESHOLD_OPS
} from '../../../domain/alerts/alert-rule.js'
import type { Label } from '../../../domain/metric-point.js'
import { MAX_FOR_MS, MAX_LOOK_BACK, MAX_NAME_CHARS, MAX_RULE_LABELS, MAX_TEMPLATE_CHARS } from '../limits.js'
import { templateFault } from '../template/template.js'
import { parseCondition, type ReadPromql } from './parse-condition.js'
import { RuleFaults, RuleInput } from './rule-input.js'

const MEMBERS = [
  ...['alert', 'record', 'expr', 'condition', 'op', 'threshold', 'upper', 'for', 'keep_firing_for', 'for_n_of_m', 'no_data'],
  ...['on_error', 'labels', 'annotations', 'severity', 'enabled', 'runbook_url']
]
/** Members that only alerts have. */
const ALERT_MEMBERS = [
  ...['op', 'threshold', 'upper', 'for', 'keep_firing_for', 'for_n_of_m', 'no_data', 'on_error', 'annotations', 'severity'],
  'runbook_url'
]
/** Conditions whose value means nothing without a threshold. */
const MEASURES: ReadonlySet<AlertCondition['kind']> = new Set(['logs', 'spans', 'traces'])
const MAX_URL_CHARS = 2_048
const FOR = { least: 0, most: MAX_FOR_MS, otherwise: 0 } as const

/**
 * Reads a rule as REST and rule files write it: the members of Prometheus's `<rule>`, and those of `ALERT_MEMBERS`. An edge may
 * have checked the types of JSON; everything is checked here again, because GraphQL and rule files come here, too. `readPromql`
 * is `PromqlQuery.parse`. Throws `invalid_field` with the path of each wrong member.
 */
export function parseRule(input: unknown, readPromql: ReadPromql): AlertRuleContent {
  const faults = new RuleFaults()
  const rule = new RuleInput(input, '', faults)
  rule.only(MEMBERS)
  const content = readRule(rule, readPromql)
  faults.check()
  return content
}

function readRule(rule: RuleInput, readPromql: ReadPromql): AlertRuleContent {
  const { kind, name } = readName(rule)
  const condition = parseCondition(rule, readPromql)
  const threshold = readThreshold(rule, condition)
  if (kind === 'record') checkRecord(rule, condition)
  const labels = readLabels(rule, 'labels')
  const annotations = readLabels(rule, 'annotations')
  if (kind === 'alert') checkTemplates(rule, labels, annotations)
  const forNOfM = readForNOfM(rule)
  const forMs = rule.duration('for', FOR)
  if (forNOfM !== null && forMs > 0) rule.fault('for', 'has no meaning with for_n_of_m; leave one of them out')
  return {
    ...{ kind, name, condition, threshold, forMs, forNOfM, labels, annotations },
    keepFiringForMs: rule.duration('keep_firing_for', FOR),
    noData: rule.oneOf('no_data', NO_DATA_POLICIES, 'nodata'),
    onError: rule.oneOf('on_error', ON_ERROR_POLICIES, 'error'),
    severity: rule.has('severity') ? rule.oneOf('severity', ALERT_SEVERITIES, 'warning') : null,
    enabled: rule.boolean('enabled', true),
    runbookUrl: readUrl(rule)
  }
}

function readName(rule: RuleInput): Pick<AlertRuleContent, 'kind' | 'name'> {
  const [isAlert, isRecord] = [rule.has('alert'), rule.has('record')]
  if (isAlert === isRecord) rule.fault('alert', `${isAlert ? 'only one of' : 'one of'} record and alert must be set`)
  const kind = isRecord && !isAlert ? 'record' : 'alert'
  const name = rule.string(kind, MAX_NAME_CHARS) ?? ''
  if (rule.has(kind) && name === '') rule.fault(kind, 'must not be empty')
  if (kind === 'record' && /[{}]/.test(name)) rule.fault('record', 'must be the name of a metric without braces; use labels')
  return { kind, name }
}

function checkRecord(rule: RuleInput, condition: AlertCondition): void {
  for (const name of ALERT_MEMBERS) if (rule.has(name)) rule.fault(name, 'has no meaning in a recording rule')
  if (condition.kind === 'absence') rule.fault('condition', 'absence cannot be recorded; use it in an alerting rule')
}

function readThreshold(rule: RuleInput, condition: AlertCondition): Threshold | null {
  const value = rule.number('threshold')
  const upper = rule.number('upper')
  const isAlert = rule.has('alert')
  if (!rule.has('op') && !rule.has('threshold')) {
    if (upper !== null) rule.fault('upper', 'requires op and threshold')
    const needsThreshold = isAlert && MEASURES.has(condition.kind)
    if (needsThreshold) rule.fault('threshold', `is required with a condition on ${condition.kind}, with op`)
    return null
  }
  if (!rule.has('op') || !rule.has('threshold')) {
    rule.fault(rule.has('op') ? 'threshold' : 'op', 'op and threshold must be set together')
    return null
  }
  if (condition.kind === 'absence') rule.fault('threshold', 'has no meaning with absence')
  const op = rule.oneOf('op', THRESHOLD_OPS, 'gt')
  const isRange = op === 'outside' || op === 'inside'
  if (isRange && upper === null) rule.fault('upper', `is required with op ${op}`)
  if (!isRange && upper !== null) rule.fault('upper', `has no meaning with op ${op}; use outside or inside`)
  if (isRange && upper !== null && value !== null && upper < value)
    rule.fault('upper', `must be at least the threshold ${value} (got ${upper})`)
  return { op, value: value ?? 0, upper }
}

function readForNOfM(rule: RuleInput): readonly [number, number] | null {
  const sent = rule.get('for_n_of_m')
  if (sent === undefined) return null
  const [n, m] = Array.isArray(sent) && sent.length === 2 ? (sent as readonly unknown[]) : [0, 0]
  const isValid =
    Number.isInteger(n) && Number.isInteger(m) && 1 <= Number(n) && Number(n) <= Number(m) && Number(m) <= MAX_LOOK_BACK
  if (isValid) return [Number(n), Number(m)]
  rule.fault('for_n_of_m', `must be two whole numbers [n, m] with 1 <= n <= m <= ${MAX_LOOK_BACK}, got ${JSON.stringify(sent)}`)
  return null
}

function readUrl(rule: RuleInput): string | null {
  const url = rule.string('runbook_url', MAX_URL_CHARS)
  if (url === null) return null
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (!isWeb) rule.fault('runbook_url', 'must be an http or https URL')
  return url
}

function readLabels(rule: RuleInput, member: 'labels' | 'annotations'): readonly Label[] {
  const labels = rule.stringMap(member)
  if (labels.length > MAX_RULE_LABELS) rule.fault(member, `must not exceed ${MAX_RULE_LABELS} entries (got ${labels.length})`)
  for (const { name } of labels) {
    const isReserved = member === 'labels' && name === '__name__'
    if (name === '' || isReserved || !name.isWellFormed()) rule.fault(member, `invalid name ${JSON.stringify(name)}`)
    if (name.length > MAX_NAME_CHARS)
      rule.fault(member, `a name must not exceed ${MAX_NAME_CHARS} characters (got ${name.length})`)
  }
  return labels
}

function checkTemplates(rule: RuleInput, labels: readonly Label[], annotations: readonly Label[]): void {
  const chars = [...labels, ...annotations].reduce((sum, { value }) => sum + value.length, 0)
  if (chars > MAX_TEMPLATE_CHARS) {
    rule.fault('annotations', `labels and annotations must not exceed ${MAX_TEMPLATE_CHARS} characters together (got ${chars})`)
    return
  }
  for (const [member, list] of [['labels', labels] as const, ['annotations', annotations] as const])
    for (const { name, value } of list) {
      const fault = templateFault(value)
      if (fault !== null) rule.fault(`${member}.${name}`, `the template is invalid: ${fault}`)
    }
}
