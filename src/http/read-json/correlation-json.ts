import { formatNs } from '../../domain/timestamp.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Side } from '../../query/correlation/compare-windows.js'
import type {
  AttributeLink,
  MetricCorrelationResult,
  MovedSeries,
  OneSidedSeries
} from '../../query/correlation/correlation-result.js'
import { LEAST_EFFECT, MOST_Q } from '../../query/correlation/rank-changes.js'
import type { All, Static } from '../json-schema.js'
import type { CORRELATION, LINK, MOVED, ONE_SIDED, SIDE } from '../routes/correlate-metrics-schemas.js'
import { labelsJson, pointsJson, timeWriter } from './metric-json.js'

function rangeJson({ startNs, endNs }: TimeRange): All<typeof CORRELATION>['baseline'] {
  return { start: formatNs(startNs), end: formatNs(endNs) }
}

function linkJson({ basis, value, confidence }: AttributeLink): Static<typeof LINK> {
  return { basis, value, confidence }
}

function sideJson({ points, median, spread }: Side): Static<typeof SIDE> {
  return { points, median, spread }
}

function movedJson(
  { metric, labels, form, values, link, change, q, reason }: MovedSeries,
  { grid, window }: MetricCorrelationResult
): Static<typeof MOVED> {
  const { baseline, window: after, effect, shift, p } = change
  const ratio = baseline.median === 0 ? null : after.median! / baseline.median!
  return {
    metric,
    labels: labelsJson(labels),
    unit: null,
    form,
    link: linkJson(link),
    points: pointsJson(values, grid, { fill: 'none', time: timeWriter(window.unitDetected) }),
    baseline: sideJson(baseline),
    window: sideJson(after),
    change: { direction: effect > 0 ? 'up' : 'down', ratio, shift, effect, p, q },
    reason
  }
}

function oneSidedJson({ metric, labels, link, points }: OneSidedSeries): Static<typeof ONE_SIDED> {
  return { metric, labels: labelsJson(labels), link: linkJson(link), points }
}

/** The response of `POST /api/v1/logs/correlate/metrics` without the members of every list. */
export function metricCorrelationJson(response: MetricCorrelationResult): All<typeof CORRELATION> {
  const { anchor, baseline, links, series, tested, moved, verdict, appeared, vanished, missing } = response
  return {
    anchor: { kind: anchor.kind, found: anchor.found, ...rangeJson(anchor), trace_id: anchor.traceId, logs: anchor.logs },
    baseline: rangeJson(baseline),
    links: links.map(link => ({ ...linkJson(link), series: link.series })),
    verdict,
    tested,
    moved,
    method: { test: 'rank_sum', correction: 'benjamini_hochberg', q: MOST_Q, effect: LEAST_EFFECT },
    series: series.map(one => movedJson(one, response)),
    appeared: appeared.map(oneSidedJson),
    vanished: vanished.map(oneSidedJson),
    missing
  }
}
