import { nearest } from '../domain/nearest.js'
import type { Grid } from './answer.js'
import type { MetricSeriesAnswer } from './metric-answer.js'
import { isRate } from './metric-expression.js'
import type { MetricLine } from './metric-line.js'

/** A line of a chart and the series that were found for it. */
export interface FoundLine {
  readonly line: MetricLine
  readonly series: readonly MetricSeriesAnswer[]
}

const NS_PER_S = 1_000_000_000

function labelHints({ line: { metric, by = [] }, series }: FoundLine): readonly string[] {
  const missing = by.filter(name => !series.some(({ labels }) => labels.some(label => label.name === name)))
  return missing.map(name => `no series of ${JSON.stringify(metric)} has the label ${JSON.stringify(name)}`)
}

function rateHint({ line: { aggregation }, series }: FoundLine, { stepNs }: Grid): readonly string[] {
  if (!isRate(aggregation) || series.some(({ values }) => values.some(value => value !== null))) return []
  return [`${aggregation} needs two samples within a step, and ${Number(stepNs) / NS_PER_S} s hold fewer: choose a longer step`]
}

/** Why a line has no series: its metric is unknown, or has no points there. `names` are the metrics of the namespace. */
function nameHint({ metric }: MetricLine, names: readonly string[]): string {
  const quoted = JSON.stringify(metric)
  if (names.includes(metric)) return `${quoted} has no points of these labels in this window`
  const meant = nearest(metric, names)
  return meant === null ? `no metric ${quoted} has come in` : `no metric ${quoted} has come in: did you mean ${meant}?`
}

/**
 * Sentences that may explain lines without series or points to the person who asked; they make the answer no less
 * complete. `listNames` is called only when a line found nothing.
 */
export async function metricHints(
  found: readonly FoundLine[],
  grid: Grid,
  listNames: () => Promise<readonly string[]>
): Promise<readonly string[]> {
  const empty = found.filter(({ series }) => series.length === 0)
  const names = empty.length === 0 ? [] : await listNames()
  const filled = found.filter(({ series }) => series.length > 0)
  const hints = [
    ...empty.map(({ line }) => nameHint(line, names)),
    ...filled.flatMap(one => [...labelHints(one), ...rateHint(one, grid)])
  ]
  return [...new Set(hints)]
}
