import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { Slo, SloAlert, SloContent } from '../../domain/alerts/slo.js'
import type { Label } from '../../domain/metric-point.js'
import { goQuoted } from '../../query/promql/go-quote.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import type { AlertGroupContent } from '../rules/parse-group.js'
import { BURN_WINDOWS, type BurnWindow } from './burn-windows.js'
import { eventExpressions, type EventExpressions } from './event-expressions.js'
import { RECORDED_MS, RECORDED_TIMES, SLO_INTERVAL_MS, SPAN_OFFSET_MS } from './slo-limits.js'

/** The metric of the recording rule of each SLO: events of the 5 minutes before. Source of the name: Prometheus, best practices. */
export const RECORDED_METRIC = 'slo:events:increase5m'
/** Its label that separates bad events from all events. */
export const EVENTS_LABEL = 'sli'
/** Labels that SLOs set. */
export const SLO_LABELS: readonly string[] = ['alertname', 'slo', 'slo_id', 'slo_revision', 'service', 'window', EVENTS_LABEL]
/** Digits of the error budget: 100 - 99.9 is not 0.1 in binary. */
const BUDGET_DIGITS = 10
const PERCENT = 100

/** What of a stored SLO its rules depend on. */
export type SloIdentity = Pick<Slo, 'id' | 'revision'>

/** The share of events that may be bad, 0 to 1. */
export function errorBudget({ objective }: Pick<SloContent, 'objective'>): number {
  return Number(((PERCENT - objective) / PERCENT).toPrecision(BUDGET_DIGITS))
}

/** The group of the rules of an SLO. */
export function sloGroup({ name, indicator }: SloContent): AlertGroupContent {
  const queryOffsetMs = indicator.kind === 'ratio' ? null : SPAN_OFFSET_MS
  return { name: `SLO ${name}`, intervalMs: SLO_INTERVAL_MS, limit: null, queryOffsetMs }
}

/** Name of the rule of a burn-rate alert, which is its `alertname`. */
export function burnRuleName({ name }: Pick<SloContent, 'name'>, { alert, longMs }: BurnWindow): string {
  return `${name} ${alert} ${formatDuration(longMs)}`
}

/** A selector of recorded events: all of them, or the bad ones. */
export function recordedSelector({ id, revision }: SloIdentity, events?: 'bad' | 'total'): string {
  const matchers = [`slo_id=${goQuoted(id)}`, `slo_revision="${revision}"`, ...(events ? [`${EVENTS_LABEL}="${events}"`] : [])]
  return `${RECORDED_METRIC}{${matchers.join(',')}}`
}

/**
 * The rules of an SLO in the order of their places: one that records its events, and one for each pair of windows of its alerts.
 * Events are summed as counts: averages of ratios would weigh quiet minutes like busy ones.
 */
export function sloRules(slo: SloContent, identity: SloIdentity, readPromql: ReadPromql): readonly AlertRuleContent[] {
  return [recordingRule(slo, identity, readPromql), ...burnWindows(slo).map(window => burnRule(slo, identity, window))]
}

/** The pairs of windows whose alerts an SLO has, shortest first. */
export function burnWindows({ alerts }: Pick<SloContent, 'alerts'>): readonly BurnWindow[] {
  return BURN_WINDOWS.filter(({ alert }) => alerts.includes(alert))
}

function recordedEvents(identity: SloIdentity, windowMs: number): EventExpressions {
  return { bad: recordedSum(identity, 'bad', windowMs), total: recordedSum(identity, 'total', windowMs) }
}

function recordedSum(identity: SloIdentity, events: 'bad' | 'total', windowMs: number): string {
  const selector = recordedSelector(identity, events)
  // One recording covers the shortest window.
  return windowMs === RECORDED_MS ? `sum(${selector})` : `sum(sum_over_time(${selector}[${formatDuration(windowMs)}]))`
}

/** The rule that records the events of an SLO. */
export function recordingRule(slo: SloContent, { id, revision }: SloIdentity, readPromql: ReadPromql): AlertRuleContent {
  const { bad, total } = eventExpressions(slo, RECORDED_MS, readPromql)
  const labelled = (events: string, value: string): string => `label_replace(${events}, "${EVENTS_LABEL}", "${value}", "", "")`
  return {
    ...RULE_DEFAULTS,
    kind: 'record',
    name: RECORDED_METRIC,
    condition: { kind: 'promql', expr: `${labelled(bad, 'bad')} or ${labelled(total, 'total')}` },
    threshold: null,
    labels: sorted([
      { name: 'slo', value: slo.name },
      { name: 'slo_id', value: id },
      { name: 'slo_revision', value: String(revision) },
      { name: 'service', value: slo.service }
    ]),
    enabled: slo.enabled
  }
}

const RULE_DEFAULTS = {
  forMs: 0,
  keepFiringForMs: 0,
  forNOfM: null,
  noData: 'nodata',
  onError: 'error',
  annotations: [],
  severity: null,
  runbookUrl: null
} as const

const SEVERITIES = { page: 'critical', ticket: 'warning' } as const satisfies Record<SloAlert, string>

/** The rule of a burn-rate alert, over the events that the SLO records. */
export function burnRule(slo: SloContent, identity: SloIdentity, window: BurnWindow): AlertRuleContent {
  const { alert, longMs, shortMs, factor } = window
  const long = recordedEvents(identity, longMs)
  const short = recordedEvents(identity, shortMs)
  const budget = errorBudget(slo)
  const burn = ({ bad, total }: EventExpressions): string => `(${bad}) / (${total}) / ${budget}`
  const enough = slo.minEvents === 0 ? '' : ` * ((${long.total}) >= bool ${slo.minEvents * RECORDED_TIMES})`
  const longText = formatDuration(longMs)
  return {
    ...RULE_DEFAULTS,
    kind: 'alert',
    name: burnRuleName(slo, window),
    // The smaller one of both burn rates.
    condition: { kind: 'promql', expr: `(${burn(long)}${enough} <= ${burn(short)}) or ${burn(short)}` },
    threshold: { op: 'gt', value: factor, upper: null },
    // A service without data is reported once, by the alert that looks back longest.
    noData: window === burnWindows(slo).at(-1) ? 'nodata' : 'keep',
    labels: merged(slo.labels, alert === 'page' ? slo.pageLabels : slo.ticketLabels, [
      { name: 'slo', value: slo.name },
      { name: 'service', value: slo.service },
      { name: 'window', value: longText }
    ]),
    annotations: merged(
      [
        {
          name: 'summary',
          value: `{{ $labels.slo }} spends its error budget {{ printf "%.1f" $value }} times as fast as planned`
        }
      ],
      slo.annotations
    ),
    severity: SEVERITIES[alert],
    enabled: slo.enabled,
    runbookUrl: slo.runbookUrl
  }
}

/** Labels by name; later lists override earlier ones. */
function merged(...lists: readonly (readonly Label[])[]): readonly Label[] {
  return sorted([...new Map(lists.flat().map(label => [label.name, label] as const)).values()])
}

function sorted(labels: readonly Label[]): readonly Label[] {
  return [...labels].sort((a, b) => (a.name < b.name ? -1 : 1))
}
