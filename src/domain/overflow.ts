import type { Label } from './metric-point.js'

/** Marks the series that aggregate those over the series limit, as OpenTelemetry's `otel.metric.overflow` does. */
export const OVERFLOW_LABEL = '__overflow__'

/** The limit of series with `OVERFLOW_LABEL` that a namespace has in addition to its series limit. */
export const MAX_OVERFLOW_SERIES = 1_000

/** Without these the parts of a classic histogram or summary would be mixed. */
const KEPT: ReadonlySet<string> = new Set(['le', 'quantile'])

/** The labels of the overflow series of a series: of its own labels only those that make it part of a histogram. */
export function overflowLabels(labels: readonly Label[]): readonly Label[] {
  // In the order of names: both that are kept sort after an underscore.
  return [{ name: OVERFLOW_LABEL, value: 'true' }, ...labels.filter(({ name }) => KEPT.has(name))]
}

/** Whether a series is an overflow series. */
export function isOverflow(labels: readonly Label[]): boolean {
  return labels.some(({ name }) => name === OVERFLOW_LABEL)
}
