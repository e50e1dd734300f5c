import { SLO_ALERTS, SLO_WINDOWS_MS, type SloAlert, type SloContent, type SloIndicator } from '../../domain/alerts/slo.js'
import { type ErrorItem, isGatewayError } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import { SPAN_BOUNDS_MS } from '../../domain/span-bounds.js'
import { PromqlBadQuery } from '../../query/promql/promql-error.js'
import { MAX_NAME_CHARS } from '../evaluate/limits.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { parseRule } from '../evaluate/parse-rule/parse-rule.js'
import { RuleFaults, RuleInput } from '../evaluate/parse-rule/rule-input.js'
import { ruleJson } from '../evaluate/parse-rule/rule-json.js'
import { templateFault } from '../evaluate/template/template.js'
import { countFault } from './event-expressions.js'
import {
  DEFAULT_MIN_EVENTS,
  MAX_DESCRIPTION_CHARS,
  MAX_INDICATOR_CHARS,
  MAX_MIN_EVENTS,
  MAX_OBJECTIVE,
  MAX_SLO_NAME_CHARS,
  MIN_OBJECTIVE
} from './slo-limits.js'
import { SLO_LABELS, sloRules } from './slo-rules.js'

const MEMBERS = [
  ...['name', 'service', 'description', 'objective', 'window', 'indicator', 'alerts', 'min_events'],
  ...['labels', 'page_labels', 'ticket_labels', 'annotations', 'runbook_url', 'enabled']
]
const INDICATORS = ['ratio', 'availability', 'latency'] as const
const DAY_MS = 86_400_000
const DEFAULT_WINDOW_MS = 28 * DAY_MS
/** The result for an indicator that has errors: it is never stored. */
const NONE: SloIndicator = { kind: 'availability', operation: null }
/** An identity as long as stored ones. */
const EXAMPLE_IDENTITY = { id: '00000000-0000-0000-0000-000000000000', revision: 1 }
const MAX_URL_CHARS = 2_048

/** Reads an SLO as REST and GraphQL write it. Throws `invalid_field` with the path of each wrong member. */
export function parseSlo(input: unknown, readPromql: ReadPromql): SloContent {
  const faults = new RuleFaults()
  const slo = new RuleInput(input, '', faults)
  slo.only(MEMBERS)
  const content = readSlo(slo, readPromql)
  faults.check()
  checkRules(content, readPromql, faults)
  faults.check()
  return content
}

function readSlo(slo: RuleInput, readPromql: ReadPromql): SloContent {
  return {
    name: readName(slo, 'name', MAX_SLO_NAME_CHARS),
    service: readName(slo, 'service', MAX_NAME_CHARS),
    description: slo.string('description', MAX_DESCRIPTION_CHARS),
    objective: readObjective(slo),
    windowMs: readWindow(slo),
    indicator: readIndicator(slo, readPromql),
    alerts: readAlerts(slo),
    minEvents: readMinEvents(slo),
    labels: readLabels(slo, 'labels'),
    pageLabels: readLabels(slo, 'page_labels'),
    ticketLabels: readLabels(slo, 'ticket_labels'),
    annotations: slo.stringMap('annotations'),
    runbookUrl: slo.string('runbook_url', MAX_URL_CHARS),
    enabled: slo.boolean('enabled', true)
  }
}

/** A name that becomes a label: a template in rules. */
function readName(slo: RuleInput, member: 'name' | 'service', maxChars: number): string {
  const name = slo.string(member, maxChars)?.trim() ?? ''
  if (!slo.has(member)) slo.fault(member, 'is required')
  else if (name === '') slo.fault(member, 'must not be empty')
  if (name.includes('{{')) slo.fault(member, 'must not contain {{')
  return name
}

function readObjective(slo: RuleInput): number {
  const objective = slo.number('objective')
  if (!slo.has('objective')) slo.fault('objective', 'is required: the percentage of events that are to be good, such as 99.9')
  if (objective === null || (objective >= MIN_OBJECTIVE && objective <= MAX_OBJECTIVE)) return objective ?? MIN_OBJECTIVE
  slo.fault('objective', `must be a percentage from ${MIN_OBJECTIVE} to ${MAX_OBJECTIVE} (got ${objective})`)
  return MIN_OBJECTIVE
}

function readWindow(slo: RuleInput): number {
  const windowMs = slo.duration('window', { least: 0, most: 366 * DAY_MS, otherwise: DEFAULT_WINDOW_MS })
  if (SLO_WINDOWS_MS.includes(windowMs)) return windowMs
  slo.fault('window', `must be one of ${SLO_WINDOWS_MS.map(ms => `${ms / DAY_MS}d`).join(', ')}`)
  return DEFAULT_WINDOW_MS
}

function readMinEvents(slo: RuleInput): number {
  const count = slo.number('min_events') ?? DEFAULT_MIN_EVENTS
  if (Number.isInteger(count) && count >= 0 && count <= MAX_MIN_EVENTS) return count
  slo.fault('min_events', `must be a whole number from 0 to ${MAX_MIN_EVENTS} (got ${count})`)
  return DEFAULT_MIN_EVENTS
}

function readAlerts(slo: RuleInput): readonly SloAlert[] {
  if (!slo.has('alerts')) return SLO_ALERTS
  const names = slo.strings('alerts', SLO_ALERTS.length, MAX_NAME_CHARS)
  const other = names.find(name => !SLO_ALERTS.some(alert => alert === name))
  if (other !== undefined) slo.fault('alerts', `must only contain ${SLO_ALERTS.join(' and ')} (got ${JSON.stringify(other)})`)
  return SLO_ALERTS.filter(alert => names.includes(alert))
}

function readLabels(slo: RuleInput, member: 'labels' | 'page_labels' | 'ticket_labels'): readonly Label[] {
  const labels = slo.stringMap(member)
  for (const { name, value } of labels) {
    if (SLO_LABELS.includes(name)) slo.fault(`${member}.${name}`, 'is set by the SLO; use another name')
    const fault = templateFault(value)
    if (fault !== null) slo.fault(`${member}.${name}`, `the template is invalid: ${fault}`)
  }
  return labels
}

function readIndicator(slo: RuleInput, readPromql: ReadPromql): SloIndicator {
  if (!slo.has('indicator')) {
    slo.fault('indicator', `is required, with one of ${INDICATORS.join(', ')}`)
    return NONE
  }
  const indicator = slo.object('indicator')
  indicator.only(INDICATORS)
  const kinds = INDICATORS.filter(kind => indicator.has(kind))
  if (kinds.length !== 1) {
    slo.fault('indicator', `must have exactly one of ${INDICATORS.join(', ')}`)
    return NONE
  }
  const members = indicator.object(kinds[0]!)
  if (kinds[0] === 'ratio') return readRatio(members, readPromql)
  if (kinds[0] === 'latency') return readLatency(members)
  members.only(['operation'])
  return { kind: 'availability', operation: members.string('operation', MAX_NAME_CHARS) }
}

function readRatio(ratio: RuleInput, readPromql: ReadPromql): SloIndicator {
  ratio.only(['good', 'bad', 'total'])
  if (ratio.has('good') === ratio.has('bad')) ratio.fault('bad', 'exactly one of good and bad must be set')
  const good = ratio.has('good') ? readEvents(ratio, 'good', readPromql) : null
  const bad = ratio.has('bad') ? readEvents(ratio, 'bad', readPromql) : null
  if (!ratio.has('total')) ratio.fault('total', 'is required')
  return { kind: 'ratio', good, bad, total: readEvents(ratio, 'total', readPromql) }
}

function readEvents(ratio: RuleInput, member: 'good' | 'bad' | 'total', readPromql: ReadPromql): string {
  const query = ratio.string(member, MAX_INDICATOR_CHARS)
  if (query === null) return ''
  try {
    const fault = countFault(query, readPromql)
    if (fault !== null) ratio.fault(member, fault)
  } catch (error) {
    if (!(error instanceof PromqlBadQuery)) throw error
    ratio.fault(member, `could not parse expression: ${error.message}`)
  }
  return query
}

function readLatency(latency: RuleInput): SloIndicator {
  latency.only(['operation', 'threshold_ms'])
  const operation = latency.string('operation', MAX_NAME_CHARS) ?? ''
  if (operation === '') latency.fault('operation', 'is required: the name of the spans whose duration counts')
  const thresholdMs = latency.number('threshold_ms') ?? 0
  if (!SPAN_BOUNDS_MS.includes(thresholdMs))
    latency.fault('threshold_ms', `must be one of ${SPAN_BOUNDS_MS.join(', ')}, the bounds at which spans are counted`)
  return { kind: 'latency', operation, thresholdMs }
}

/** Labels, annotations and lengths are checked where all rules are. */
function checkRules(content: SloContent, readPromql: ReadPromql, faults: RuleFaults): void {
  const found = new Set<string>()
  for (const { field = '', detail } of ruleErrors(content, readPromql)) {
    // Rules share labels and annotations.
    const key = JSON.stringify([field, detail])
    if (!found.has(key)) faults.add(field, detail)
    found.add(key)
  }
}

function ruleErrors(content: SloContent, readPromql: ReadPromql): readonly ErrorItem[] {
  return sloRules(content, EXAMPLE_IDENTITY, readPromql).flatMap(rule => {
    try {
      parseRule(ruleJson(rule), readPromql)
      return []
    } catch (error) {
      if (!isGatewayError(error, 'invalid_field')) throw error
      return error.errors
    }
  })
}
