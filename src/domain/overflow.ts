import type { Label } from './metric-point.js'

/** Marks the series that stand for those beyond the budget, as OpenTelemetry's `otel.metric.overflow` does. */
export const OVERFLOW_LABEL = '__overflow__'

/** Series with `OVERFLOW_LABEL` that a namespace may have beyond its budget. */
export const MAX_OVERFLOW_SERIES = 1_000

/** Without these the parts of a classic histogram or summary would be mixed. */
const KEPT: ReadonlySet<string> = new Set(['le', 'quantile'])

/** The labels of the series that a series is folded into: of its own only those that make a part of a histogram. */
export function overflowLabels(labels: readonly Label[]): readonly Label[] {
  // In the order of names: both that are kept stand behind an underscore.
  return [{ name: OVERFLOW_LABEL, value: 'true' }, ...labels.filter(({ name }) => KEPT.has(name))]
}

/** Whether a series stands for others. */
export function isOverflow(labels: readonly Label[]): boolean {
  return labels.some(({ name }) => name === OVERFLOW_LABEL)
}
