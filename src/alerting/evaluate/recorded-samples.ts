import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { ConditionResult } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'
import { seriesKey } from '../../domain/series-key.js'

/** A sample that a recording rule writes. */
export interface RecordedSample {
  readonly series: { readonly name: string; readonly labels: readonly Label[] }
  readonly value: number
}

/**
 * The samples of a recording rule, or why it has no samples: the elements under the name of the rule, its labels over theirs; an
 * empty value removes a label. Source: Prometheus, `RecordingRule.Eval` in rules/recording.go.
 */
export function recordedSamples(rule: AlertRuleContent, result: ConditionResult): readonly RecordedSample[] | string {
  if (result.kind === 'error') return result.message
  if (result.kind === 'skipped') return []
  const samples = result.elements.map(({ labels, value }) => {
    const all = new Map([...labels, ...rule.labels].map(label => [label.name, label.value] as const))
    const kept = [...all].filter(([, text]) => text !== '').sort(([a], [b]) => (a < b ? -1 : 1))
    return { series: { name: rule.name, labels: kept.map(([name, text]) => ({ name, value: text })) }, value }
  })
  if (new Set(samples.map(({ series }) => seriesKey(series))).size === samples.length) return samples
  return 'vector contains metrics with the same labelset after applying rule labels'
}
