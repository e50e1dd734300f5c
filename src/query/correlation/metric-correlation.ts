import { setImmediate as nextSlice } from 'node:timers/promises'
import { GatewayError } from '../../domain/errors.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { ResolvedWindow, TimeRange } from '../../domain/time-range.js'
import { formatNs } from '../../domain/timestamp.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { Grid } from '../result.js'
import { gapsAround } from '../gaps-around.js'
import { boundedCount } from '../bounds.js'
import { escapeRegex } from '../search-language/regex-subset.js'
import type { AnchorFinder } from './anchor.js'
import { compareWindows, LEAST_BASELINE_POINTS, LEAST_WINDOW_POINTS, type WindowChange } from './compare-windows.js'
import type { AttributeLink, MetricCorrelationResult, MetricCorrelationQuery, OneSidedSeries } from './correlation-result.js'
import { type LinkedSeries, LinkedSeriesReader } from './linked-series.js'
import { ARRIVAL_NS, missingMetrics } from './missing-signals.js'
import type { RelatedSignals } from './related-signals.js'
import { movedFirst, changeReason } from './rank-changes.js'
import { type SeriesPoints, toPoints } from './series-points.js'

/** Dependencies of `MetricCorrelation`. */
export interface MetricCorrelationDeps {
  readonly anchors: AnchorFinder
  readonly relatedSignals: RelatedSignals
  readonly metrics: MetricStore
  readonly clock: Clock
}

const DEFAULT_WINDOW_S = 300
const LEAST_WINDOW_S = 30
const MOST_WINDOW_S = 21_600
const DEFAULT_TOP = 10
const MOST_TOP = 100
const MAX_NAMES = 50
const MAX_NAME_CHARS = 256
const MAX_PATTERN_CHARS = 1_000
const S_NS = 1_000_000_000n
const MS_NS = 1_000_000n
/** The baseline is this many windows long and ends where the window begins. */
const BASELINE_WINDOWS = 6
/** Points of the window that a series is averaged into; samples further apart stay as they are. */
const WINDOW_POINTS = 30
/** Series that one query compares and points that it reads. */
const BUDGET = { maxSeries: 1_000, maxSamples: 500_000 }
/** Between so many comparisons other requests get their turn. */
const SERIES_PER_TURN = 50
/** Metrics that are named among those that were not compared. */
const SHOWN_UNTESTED = 5

interface Compared {
  readonly link: AttributeLink
  readonly points: SeriesPoints
}

type RequestedNames = Pick<Parameters<LinkedSeriesReader['read']>[0], 'isRequested' | 'names'>

function requestedNames(metrics: readonly string[] | undefined): RequestedNames {
  if (metrics === undefined || metrics.length === 0) return { isRequested: () => true }
  if (metrics.length > MAX_NAMES || metrics.some(name => name === '' || name.length > MAX_NAME_CHARS))
    throw new GatewayError('invalid_field', `metrics must not exceed ${MAX_NAMES} names of ${MAX_NAME_CHARS} characters each`, {
      field: 'metrics'
    })
  const prefixes = metrics.filter(name => name.endsWith('*')).map(name => name.slice(0, -1))
  const names = new Set(metrics)
  // A mean is made of two series.
  const pairs = new Set(metrics.flatMap(name => [`${name}_sum`, `${name}_count`]))
  const isRequested = (name: string) => names.has(name) || pairs.has(name) || prefixes.some(prefix => name.startsWith(prefix))
  const pattern = metrics
    .map(name => (name.endsWith('*') ? `${escapeRegex(name.slice(0, -1))}.*` : `${escapeRegex(name)}(_sum|_count)?`))
    .join('|')
  // A pattern that outgrows the limit on regexes is left out: `isRequested` decides all the same.
  return pattern.length > MAX_PATTERN_CHARS
    ? { isRequested }
    : { isRequested, names: { name: '__name__', op: 'regex', value: pattern } }
}

/** The anchor's own time, widened to `leastNs` about its middle; a window that would reach beyond now ends now instead. */
function windowAround({ startNs, endNs }: TimeRange, leastNs: bigint, nowNs: bigint): TimeRange {
  if (endNs - startNs >= leastNs) return { startNs, endNs }
  const end = startNs + (endNs - startNs) / 2n + leastNs / 2n
  const latest = end > nowNs + 1n && endNs <= nowNs + 1n ? nowNs + 1n : end
  return { startNs: latest - leastNs, endNs: latest }
}

function isNumber(value: number | null): value is number {
  return value !== null && Number.isFinite(value)
}

/** Which series moved when something happened: `POST /api/v1/logs/correlate/metrics`. */
export class MetricCorrelation {
  readonly #deps: MetricCorrelationDeps
  readonly #reader: LinkedSeriesReader

  constructor(deps: MetricCorrelationDeps) {
    this.#deps = deps
    this.#reader = new LinkedSeriesReader(deps.metrics, BUDGET)
  }

  /** Throws `invalid_field`, `invalid_time_range`, `not_found` (an unknown log), and what reading logs and metrics throws. */
  async correlate(ns: Namespace, query: MetricCorrelationQuery, signal: AbortSignal): Promise<MetricCorrelationResult> {
    const { clock, anchors } = this.#deps
    const startedMs = clock.monotonicMs()
    const nowNs = clock.nowNs()
    const windowS = boundedCount(query.windowS, 'window_s', {
      least: LEAST_WINDOW_S,
      most: MOST_WINDOW_S,
      otherwise: DEFAULT_WINDOW_S
    })
    const top = boundedCount(query.top, 'top', { least: 1, most: MOST_TOP, otherwise: DEFAULT_TOP })
    const required = requestedNames(query.metrics)
    const found = await anchors.find({ ns, query: query.anchor, nowNs, windowMs: windowS * 1_000, signal })
    const window = windowAround(found.anchor, BigInt(windowS) * S_NS, nowNs)
    if (window.endNs - window.startNs > BigInt(MOST_WINDOW_S) * S_NS)
      throw new GatewayError('invalid_time_range', `an anchor must not exceed ${MOST_WINDOW_S} seconds`, { field: 'anchor' })
    const oldestNs = retentionStartNs(ns.retention, 'metrics', nowNs)
    const { grid, isCut } = gridAround(window, oldestNs)
    const range = { startNs: grid.startNs, endNs: window.endNs }
    const gaps = gapsAround(() => this.#deps.metrics.gaps?.(ns.id, range))
    const context = this.#deps.relatedSignals.missing({ ns, anchor: found.anchor, window, nowNs }, signal)
    const stepMs = Number(grid.stepNs / MS_NS)
    const reading = this.#reader.read({ ns, links: found.anchor.links, range, ...required, stepMs, signal })
    const [{ found: linked, warnings: bounds }, ends] = await Promise.all([reading, context])
    const compared = await compareAll(linked, grid, window)
    const moved = movedFirst(compared.tested)
    const missing = [
      ...ends.missing,
      ...(linked.some(({ series, isCounted }) => !isCounted && series.length > 0)
        ? []
        : [missingMetrics({ ns, anchor: found.anchor, window, nowNs })])
    ]
    const warnings = [
      ...(isCut ? [`metrics before ${formatNs(oldestNs)} are past this namespace's retention: the baseline is short`] : []),
      ...bounds,
      ...gaps(),
      ...ends.warnings
    ]
    return {
      anchor: found.anchor,
      window: requested(window, found.unitDetected),
      baseline: { startNs: grid.startNs, endNs: window.startNs },
      grid,
      links: linked.filter(({ isCounted }) => !isCounted).map(({ link, series }) => ({ ...link, series: series.length })),
      series: moved.slice(0, top).map(({ of: { link, points }, change, q }) => ({
        ...{ metric: points.metric, labels: points.labels, form: points.form, values: points.values },
        ...{ link, change, q, reason: changeReason(change, q) }
      })),
      tested: compared.tested.length,
      moved: moved.length,
      top,
      verdict: verdictOf(compared.tested.length, moved.length),
      appeared: compared.appeared.slice(0, top),
      // Just now, what has not arrived yet is not gone.
      vanished: nowNs - window.endNs < ARRIVAL_NS ? [] : compared.vanished.slice(0, top),
      missing,
      complete: warnings.length === 0,
      warnings: [...warnings, ...found.warnings, ...untestedNotes(compared.untested)],
      tookMs: clock.monotonicMs() - startedMs
    }
  }
}

function requested(window: TimeRange, unitDetected: ResolvedWindow['unitDetected']): ResolvedWindow {
  return { ...window, unitDetected }
}

function verdictOf(tested: number, moved: number): MetricCorrelationResult['verdict'] {
  if (tested === 0) return 'nothing_to_test'
  return moved > 0 ? 'moved' : 'nothing_moved'
}

/** Buckets of which one begins where the window does; the baseline is cut at the retention. */
function gridAround(window: TimeRange, oldestNs: bigint): { readonly grid: Grid; readonly isCut: boolean } {
  const lengthNs = window.endNs - window.startNs
  const perPoint = lengthNs / BigInt(WINDOW_POINTS) / MS_NS
  const stepNs = (perPoint > 1_000n ? perPoint : 1_000n) * MS_NS
  const requestedNs = lengthNs * BigInt(BASELINE_WINDOWS)
  const keptNs = window.startNs - oldestNs
  const isCut = keptNs < requestedNs
  const steps = isCut ? (keptNs > 0n ? keptNs / stepNs : 0n) : (requestedNs + stepNs - 1n) / stepNs
  const startNs = window.startNs - steps * stepNs
  const length = Number((window.endNs - startNs + stepNs - 1n) / stepNs)
  return { grid: { startNs, stepNs, length }, isCut }
}

interface ComparedSeries {
  readonly tested: readonly { readonly of: Compared; readonly change: WindowChange }[]
  readonly appeared: readonly OneSidedSeries[]
  readonly vanished: readonly OneSidedSeries[]
  /** Metrics of series with too few points on a side to be compared. */
  readonly untested: readonly string[]
}

/** Which series were not compared, and why; they make the result no less complete. */
function untestedNotes(metrics: readonly string[]): readonly string[] {
  if (metrics.length === 0) return []
  const names = [...new Set(metrics)]
  const shown = names.slice(0, SHOWN_UNTESTED).join(', ')
  const more = names.length > SHOWN_UNTESTED ? ` and ${names.length - SHOWN_UNTESTED} more metrics` : ''
  const least = `${LEAST_BASELINE_POINTS} points before the window and ${LEAST_WINDOW_POINTS} in it`
  return [`${metrics.length} series were not compared (${shown}${more}): that takes ${least}`]
}

async function compareAll(linked: readonly LinkedSeries[], grid: Grid, window: TimeRange): Promise<ComparedSeries> {
  const split = Number((window.startNs - grid.startNs) / grid.stepNs)
  const tested: { of: Compared; change: WindowChange }[] = []
  const appeared: OneSidedSeries[] = []
  const vanished: OneSidedSeries[] = []
  const untested: string[] = []
  let done = 0
  for (const { link, series } of linked) {
    for (const points of toPoints(series, grid)) {
      if (++done % SERIES_PER_TURN === 0) await nextSlice()
      const [before, after] = [points.values.slice(0, split).filter(isNumber), points.values.slice(split).filter(isNumber)]
      const change = compareWindows(after, before)
      const { metric, labels } = points
      if (change) tested.push({ of: { link, points }, change })
      else if (before.length === 0 && after.length > 0) appeared.push({ metric, labels, link, points: after.length })
      else if (after.length === 0 && before.length >= LEAST_BASELINE_POINTS)
        vanished.push({ metric, labels, link, points: before.length })
      else untested.push(metric)
    }
  }
  return { tested, appeared, vanished, untested }
}
