import { isGatewayError } from '../domain/errors.js'
import { nearest } from '../domain/nearest.js'
import type { Grid } from './result.js'
import type { MetricSeriesResult } from './metric-result.js'
import { isRate } from './metric-expression.js'
import type { MetricLine } from './metric-line.js'

/** A line of a chart and the series that were found for it. */
export interface FoundLine {
  readonly line: MetricLine
  readonly series: readonly MetricSeriesResult[]
}

type NamesWith = (text: string) => Promise<readonly string[]>

/** A misspelt name still begins or ends as the right one. */
const END_CHARS = 3
/** Metrics without series of which a result states why. */
const MAX_UNFOUND = 5
const NS_PER_S = 1_000_000_000

function labelHints({ line: { metric, by = [] }, series }: FoundLine): readonly string[] {
  const missing = by.filter(name => !series.some(({ labels }) => labels.some(label => label.name === name)))
  return missing.map(name => `no series of ${JSON.stringify(metric)} has the label ${JSON.stringify(name)}`)
}

function rateHint({ line: { aggregation }, series }: FoundLine, { stepNs }: Grid): readonly string[] {
  if (!isRate(aggregation) || series.some(({ values }) => values.some(value => value !== null))) return []
  return [`${aggregation} needs two samples within a step, and ${Number(stepNs) / NS_PER_S} s contain fewer; use a longer step`]
}

/** States that a metric is unknown, and which of `names` it may be. */
function unknownHint(metric: string, names: readonly string[]): string {
  const meant = nearest(metric, names)
  const unknown = `no points of metric ${JSON.stringify(metric)} were received`
  return meant === null ? unknown : `${unknown}: did you mean ${meant}?`
}

/** Why a metric has no series. Empty if its store fails: the result is valid without it. */
async function unfoundHint(metric: string, namesWith: NamesWith): Promise<readonly string[]> {
  try {
    // Lists are cut: by other strings than its name a metric may be missed.
    if ((await namesWith(metric)).includes(metric))
      return [`${JSON.stringify(metric)} has no points with these labels in this window`]
    const names = await Promise.all([metric.slice(0, END_CHARS), metric.slice(-END_CHARS)].map(namesWith))
    return [unknownHint(metric, [...new Set(names.flat())])]
  } catch (error) {
    if (isGatewayError(error)) return []
    throw error
  }
}

/**
 * Sentences that may explain lines without series or points; the result stays complete. `namesWith` lists metrics whose names
 * contain a string, or the first of very many; it is called only for empty
 * lines, and only for names with the same start or end: each call reads all series of the namespace, and metrics derived
 * from other signals take queries of their stores.
 */
export async function metricHints(found: readonly FoundLine[], grid: Grid, namesWith: NamesWith): Promise<readonly string[]> {
  const empty = found.filter(({ series }) => series.length === 0)
  const filled = found.filter(({ series }) => series.length > 0)
  const metrics = [...new Set(empty.map(({ line }) => line.metric))].slice(0, MAX_UNFOUND)
  const unfound = await Promise.all(metrics.map(metric => unfoundHint(metric, namesWith)))
  const hints = [...unfound.flat(), ...filled.flatMap(one => [...labelHints(one), ...rateHint(one, grid)])]
  return [...new Set(hints)]
}
