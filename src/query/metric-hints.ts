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

/** A misspelt name still begins or ends as the right one. */
const END_CHARS = 3
const NS_PER_S = 1_000_000_000

function labelHints({ line: { metric, by = [] }, series }: FoundLine): readonly string[] {
  const missing = by.filter(name => !series.some(({ labels }) => labels.some(label => label.name === name)))
  return missing.map(name => `no series of ${JSON.stringify(metric)} has the label ${JSON.stringify(name)}`)
}

function rateHint({ line: { aggregation }, series }: FoundLine, { stepNs }: Grid): readonly string[] {
  if (!isRate(aggregation) || series.some(({ values }) => values.some(value => value !== null))) return []
  return [`${aggregation} needs two samples within a step, and ${Number(stepNs) / NS_PER_S} s hold fewer: choose a longer step`]
}

/** Why a line has no series: its metric is unknown, or has no points there. `names` are metrics of the namespace. */
function nameHint({ metric }: MetricLine, names: readonly string[]): string {
  const quoted = JSON.stringify(metric)
  if (names.includes(metric)) return `${quoted} has no points of these labels in this window`
  const meant = nearest(metric, names)
  return meant === null ? `no metric ${quoted} has come in` : `no metric ${quoted} has come in: did you mean ${meant}?`
}

/**
 * Sentences that may explain lines without series or points to the person who asked; they make the answer no less
 * complete. `namesWith` lists metrics whose names contain a text; it is asked only of lines that found nothing, and only
 * for what begins or ends alike, since telling whether metrics out of other signals are there takes questions to their stores.
 */
export async function metricHints(
  found: readonly FoundLine[],
  grid: Grid,
  namesWith: (text: string) => Promise<readonly string[]>
): Promise<readonly string[]> {
  const empty = found.filter(({ series }) => series.length === 0)
  const filled = found.filter(({ series }) => series.length > 0)
  const unfound = empty.map(async ({ line }) => {
    const ends = [line.metric.slice(0, END_CHARS), line.metric.slice(-END_CHARS)]
    const names = await Promise.all(ends.map(namesWith))
    return nameHint(line, names.flat())
  })
  const hints = [...(await Promise.all(unfound)), ...filled.flatMap(one => [...labelHints(one), ...rateHint(one, grid)])]
  return [...new Set(hints)]
}
