import type { AlertGroup, AlertRule, AlertRuleContent } from '../../src/domain/alerts/alert-rule.js'
import type { AlertInstance, AlertTransition } from '../../src/domain/alerts/alert-state.js'
import type { EvaluationChange } from '../../src/ports/alert-states.js'
import { namespaceId, NOW_MS, userId } from './control-fixtures.js'

export const SHOP = namespaceId('shop')
export const BANK = namespaceId('bank')

export function ruleContent(changes: Partial<AlertRuleContent> = {}): AlertRuleContent {
  return {
    kind: 'alert',
    name: 'ErrorRate ÄÖ 日本',
    condition: { kind: 'promql', expr: 'sum by (job) (rate(errors_total[5m]))' },
    threshold: { op: 'gt', value: 0.05, upper: null },
    forMs: 60_000,
    keepFiringForMs: 0,
    forNOfM: null,
    noData: 'nodata',
    onError: 'error',
    labels: [{ name: 'team', value: 'shop "A"' }],
    annotations: [{ name: 'summary', value: '{{ $value }} of {{ $labels.job }}' }],
    severity: 'critical',
    enabled: true,
    runbookUrl: null,
    ...changes
  }
}

export function alertGroup(id: string, changes: Partial<AlertGroup> = {}): AlertGroup {
  return { id, namespaceId: SHOP, name: `group ${id}`, intervalMs: 60_000, limit: null, queryOffsetMs: null, ...changes }
}

export function alertRule(id: string, changes: Partial<AlertRule> = {}): AlertRule {
  const place = { namespaceId: SHOP, groupId: 'g', position: 0, version: 1 }
  return { ...ruleContent(), id, ...place, updatedBy: userId('ada'), updatedAtMs: NOW_MS, ...changes }
}

export function alertInstance(fingerprint: string, changes: Partial<AlertInstance> = {}): AlertInstance {
  return {
    fingerprint,
    labels: [
      { name: 'alertname', value: 'ErrorRate' },
      { name: 'job', value: `"ÄÖ" ${fingerprint}` }
    ],
    annotations: [{ name: 'summary', value: '0.5 of api' }],
    state: 'firing',
    activeAtMs: NOW_MS,
    firedAtMs: NOW_MS + 60_000,
    keepSinceMs: null,
    resolvedAtMs: null,
    value: 0.5,
    seen: 0,
    ...changes
  }
}

export function alertTransition(fingerprint: string, changes: Partial<AlertTransition> = {}): AlertTransition {
  const { labels, annotations } = alertInstance(fingerprint)
  const states = { from: 'pending', to: 'firing' } as const
  return { fingerprint, labels, annotations, ...states, atMs: NOW_MS, startsAtMs: NOW_MS - 1, value: 0.5, ...changes }
}

export function evaluationChange(ruleId: string, changes: Partial<EvaluationChange> = {}): EvaluationChange {
  return {
    namespaceId: SHOP,
    ruleId,
    ruleVersion: 1,
    lastEvalMs: NOW_MS,
    error: null,
    errorsInRow: 0,
    changed: [],
    removed: [],
    transitions: [],
    isLate: false,
    ...changes
  }
}
