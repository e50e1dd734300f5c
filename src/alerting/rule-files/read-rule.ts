import type { Node } from 'yaml'
import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { isGatewayError } from '../../domain/errors.js'
import { PromqlBadQuery } from '../../query/promql/promql-error.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { parseRule } from '../evaluate/parse-rule/parse-rule.js'
import { templateFault } from '../evaluate/template/template.js'
import { plainValue } from './plain-value.js'
import type { YamlFile } from './yaml-node.js'
import { readDuration, readLabelMap } from './yaml-values.js'

/** Where a rule is. */
export interface RulePlace {
  /** Name of its group. */
  readonly name: string
  /** Place in its group, from 1. */
  readonly number: number
  /** Labels of its group. */
  readonly labels: ReadonlyMap<string, string>
}

const OF_PROMETHEUS: ReadonlySet<string> = new Set(['record', 'alert', 'expr', 'for', 'keep_firing_for', 'labels', 'annotations'])
/** Members that Prometheus does not have. */
const OWN: ReadonlySet<string> = new Set([
  ...['condition', 'op', 'threshold', 'upper', 'for_n_of_m', 'no_data', 'on_error', 'severity', 'enabled', 'runbook_url']
])

/** What Prometheus decodes of a rule. */
interface SentRule {
  readonly record: string
  readonly alert: string
  readonly expr: string
  readonly forMs: number
  readonly keepFiringForMs: number
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
  readonly own: ReadonlyMap<string, unknown>
}

/** Reads a rule; null, with errors in the file, for one that cannot be read. */
export function readRule(file: YamlFile, node: Node | null, place: RulePlace, readPromql: ReadPromql): AlertRuleContent | null {
  const members = file.members(node, 'rulefmt.Rule')
  if (members === null) return null
  const before = file.errors.length
  const sent = decode(file, node, members)
  // As Prometheus: rules are validated when the whole of them could be decoded.
  if (file.errors.length > before) return null
  const messages = validate(sent, readPromql)
  const rule = messages.length === 0 ? accepted(sent, place, readPromql, messages) : null
  const ruleName = sent.alert === '' ? sent.record : sent.alert
  for (const message of messages)
    file.add(node, `group ${JSON.stringify(place.name)}, rule ${place.number}, ${JSON.stringify(ruleName)}: ${message}`)
  return rule
}

function decode(file: YamlFile, node: Node | null, members: ReadonlyMap<string, Node | null>): SentRule {
  const get = (name: string): Node | null => members.get(name) ?? null
  const own = new Map<string, unknown>()
  for (const name of members.keys()) {
    if (OWN.has(name)) own.set(name, plainValue(file, get(name)))
    else if (!OF_PROMETHEUS.has(name)) file.add(get(name) ?? node, `field ${name} not found in type rulefmt.Rule`)
  }
  return {
    record: file.string(get('record')) ?? '',
    alert: file.string(get('alert')) ?? '',
    expr: file.string(get('expr')) ?? '',
    forMs: readDuration(file, get('for')),
    keepFiringForMs: readDuration(file, get('keep_firing_for')),
    labels: readLabelMap(file, get('labels')),
    annotations: readLabelMap(file, get('annotations')),
    own
  }
}

/** What `Rule.Validate` of Prometheus has against a rule, in its words. */
function validate(sent: SentRule, readPromql: ReadPromql): string[] {
  const { record, alert, expr, labels, annotations, own } = sent
  const messages: string[] = []
  if (record !== '' && alert !== '') messages.push("only one of 'record' and 'alert' must be set")
  if (record === '' && alert === '') messages.push("one of 'record' or 'alert' must be set")
  if (expr === '' && !own.has('condition')) messages.push("field 'expr' must be set in rule")
  if (expr !== '') messages.push(...expressionFaults(expr, readPromql))
  if (record !== '') messages.push(...recordFaults(sent))
  messages.push(...checkLabels(labels))
  for (const name of annotations.keys()) if (!isLabelName(name)) messages.push(`invalid annotation name: ${name}`)
  if (alert === '') return messages
  for (const [name, value] of labels) messages.push(...templateFaults(`label ${JSON.stringify(name)}`, value))
  for (const [name, value] of annotations) messages.push(...templateFaults(`annotation ${JSON.stringify(name)}`, value))
  return messages
}

function isLabelName(name: string): boolean {
  return name !== '' && name.isWellFormed()
}

/** What is wrong with labels of a rule or a group. */
export function checkLabels(labels: ReadonlyMap<string, string>): string[] {
  return [...labels].flatMap(([name, value]) => [
    ...(isLabelName(name) && name !== '__name__' ? [] : [`invalid label name: ${name}`]),
    ...(value.isWellFormed() ? [] : [`invalid label value: ${value}`])
  ])
}

function expressionFaults(expr: string, readPromql: ReadPromql): string[] {
  try {
    readPromql(expr)
    return []
  } catch (error) {
    if (error instanceof PromqlBadQuery) return [`could not parse expression: ${error.message}`]
    throw error
  }
}

function recordFaults({ record, annotations, forMs, keepFiringForMs }: SentRule): string[] {
  return [
    ...(annotations.size > 0 ? ["invalid field 'annotations' in recording rule"] : []),
    ...(forMs === 0 ? [] : ["invalid field 'for' in recording rule"]),
    ...(keepFiringForMs === 0 ? [] : ["invalid field 'keep_firing_for' in recording rule"]),
    ...(record.isWellFormed() ? [] : [`invalid recording rule name: ${record}`]),
    ...(/[{}]/.test(record) ? [`braces present in the recording rule name; should it be in expr?: ${record}`] : [])
  ]
}

function templateFaults(what: string, source: string): string[] {
  const fault = templateFault(source)
  return fault === null ? [] : [`${what}: ${fault}`]
}

/** The rule within the bounds of the service; what exceeds them is added to the messages. */
function accepted(sent: SentRule, { labels }: RulePlace, readPromql: ReadPromql, messages: string[]): AlertRuleContent | null {
  const { record, alert, expr, forMs, keepFiringForMs, annotations, own } = sent
  const isAlert = alert !== ''
  const input = {
    ...(isAlert ? { alert } : { record }),
    ...(expr !== '' && { expr }),
    ...(forMs > 0 && { for: formatDuration(forMs) }),
    ...(keepFiringForMs > 0 && { keep_firing_for: formatDuration(keepFiringForMs) }),
    labels: objectOf(new Map([...labels, ...sent.labels])),
    ...(isAlert && { annotations: objectOf(annotations) }),
    ...Object.fromEntries(own)
  }
  try {
    return parseRule(input, readPromql)
  } catch (error) {
    if (!isGatewayError(error, 'invalid_field')) throw error
    messages.push(...error.errors.map(({ field, detail }) => (field === undefined ? detail : `${field}: ${detail}`)))
    return null
  }
}

function objectOf(entries: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const object = Object.create(null) as Record<string, string>
  for (const [name, value] of entries) object[name] = value
  return object
}
