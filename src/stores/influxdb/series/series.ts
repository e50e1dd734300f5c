import type { Label, MetricType } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { SeriesInfo } from '../../../ports/metric-store.js'
import type { CatalogSeries } from '../../../ports/series-catalog.js'
import type { SeriesIdentity } from '../../metrics/label-matching.js'
import { FIRST_NS, LAST_NS } from '../line/time-bounds.js'

/** Later and earlier than every time: the bounds of a series without samples. */
export const NEVER_FIRST_NS = 1n << 63n
export const NEVER_LAST_NS = -(1n << 63n)

const MINUTE_NS = 60_000_000_000n
/**
 * The catalog's bounds reach so far beyond the samples: they are on the disk before a sample is acknowledged, so that no
 * restart hides one, and a steady series costs one row an hour.
 */
const AHEAD_NS = 60n * MINUTE_NS
const BEHIND_NS = 10n * MINUTE_NS
/** With less than this left, the catalog is updated, without anything waiting for it. */
const RENEW_NS = 30n * MINUTE_NS

/** A series in memory. */
export interface Series extends SeriesIdentity {
  readonly key: string
  type: MetricType
  /** Start of its lines, after its first use; null when InfluxDB cannot store it. */
  head: string | null | undefined
  /** Times of samples: exact for those written here, the catalog's bounds for others. */
  firstSeenNs: bigint
  lastSeenNs: bigint
  /** All its samples are deleted; it starts again with the next one. */
  isEmptied: boolean
  /** `lastSeenNs` is a bound of the catalog and may be ahead of the samples. */
  isLastBound: boolean
  /** What the catalog is known to contain. */
  savedFromNs: bigint
  savedToNs: bigint
  /** What it must contain. */
  targetFromNs: bigint
  targetToNs: bigint
}

/** As `seriesKey` of the domain, which `parseSeriesKey` reads, without labels whose value is empty: InfluxDB keeps none. */
export function storedSeriesKey({ name, labels }: SeriesIdentity): string {
  let key = `${name.length}:${name}`
  for (const label of labels) {
    if (label.value !== '') key += `${label.name.length}:${label.name}${label.value.length}:${label.value}`
  }
  return key
}

/** A series that has not been written yet. */
export function newSeries(
  { name, type, labels }: { readonly name: string; readonly type: MetricType; readonly labels: readonly Label[] },
  key: string
): Series {
  // One literal: made of spread parts each series had a hidden class of its own, and reading many took ten times as long.
  return {
    key,
    name,
    type,
    labels: labels.filter(({ value }) => value !== ''),
    head: undefined,
    firstSeenNs: NEVER_FIRST_NS,
    lastSeenNs: NEVER_LAST_NS,
    isEmptied: false,
    isLastBound: false,
    savedFromNs: NEVER_FIRST_NS,
    savedToNs: NEVER_LAST_NS,
    targetFromNs: NEVER_FIRST_NS,
    targetToNs: NEVER_LAST_NS
  }
}

/**
 * Whether the series can have samples in the range. If other gateways write too, only the content of the catalog is certain: they
 * store samples within its bounds without a notification.
 */
export function canHaveSamples(series: Series, { startNs, endNs }: TimeRange, isShared: boolean): boolean {
  const fromNs = isShared && series.savedFromNs < series.firstSeenNs ? series.savedFromNs : series.firstSeenNs
  const toNs = isShared && series.savedToNs > series.lastSeenNs ? series.savedToNs : series.lastSeenNs
  return toNs >= startNs && fromNs < endNs
}

/** Whether the series has samples, as far as is known here. */
export function isListed({ firstSeenNs, lastSeenNs }: Series): boolean {
  return firstSeenNs <= lastSeenNs
}

/** A sample of this time is stored. */
export function touch(series: Series, timeNs: bigint): void {
  if (timeNs < series.firstSeenNs) series.firstSeenNs = timeNs
  if (timeNs <= series.lastSeenNs) return
  series.lastSeenNs = timeNs
  series.isLastBound = false
}

/** All samples are deleted. The catalog's row may remain until its bound has passed. */
export function empty(series: Series): void {
  series.isEmptied = true
  series.firstSeenNs = NEVER_FIRST_NS
  series.lastSeenNs = NEVER_LAST_NS
  series.isLastBound = false
}

/** The first sample after all others were deleted: it determines the type, as that of a new series does. */
export function resetSeries(series: Series, type: MetricType): void {
  series.isEmptied = false
  if (series.type === type) return
  series.type = type
  // The catalog is to hear of it.
  series.savedFromNs = NEVER_FIRST_NS
  series.savedToNs = NEVER_LAST_NS
}

/** Takes over newer content of the catalog: written by another gateway or in an earlier run. */
export function learn(series: Series, { firstSeenNs, lastSeenNs }: CatalogSeries): void {
  if (firstSeenNs < series.savedFromNs) {
    series.savedFromNs = firstSeenNs
    if (firstSeenNs < series.firstSeenNs) series.firstSeenNs = firstSeenNs
  }
  if (lastSeenNs <= series.savedToNs) return
  series.savedToNs = lastSeenNs
  if (lastSeenNs <= series.lastSeenNs) return
  series.lastSeenNs = lastSeenNs
  series.isLastBound = true
}

/** What a sample of this time requires of the catalog: an update before it, an update, or nothing. */
export type CatalogNeed = 'must' | 'should' | 'none'

/** Notes that a sample of this time is to be stored. */
export function catalogNeed(series: Series, timeNs: bigint): CatalogNeed {
  const isWithin = timeNs >= series.savedFromNs && timeNs <= series.savedToNs
  if (isWithin && timeNs <= series.savedToNs - RENEW_NS) return 'none'
  const toNs = timeNs > LAST_NS - AHEAD_NS ? LAST_NS : timeNs + AHEAD_NS
  const fromNs = timeNs < FIRST_NS + BEHIND_NS ? FIRST_NS : timeNs - BEHIND_NS
  if (toNs > series.targetToNs) series.targetToNs = toNs
  if (fromNs < series.targetFromNs) series.targetFromNs = fromNs
  return isWithin ? 'should' : 'must'
}

/** The row to save. */
export function toCatalog({ name, type, labels, ...times }: Series): CatalogSeries {
  const firstSeenNs = times.targetFromNs < times.savedFromNs ? times.targetFromNs : times.savedFromNs
  const lastSeenNs = times.targetToNs > times.savedToNs ? times.targetToNs : times.savedToNs
  return { name, type, labels, firstSeenNs, lastSeenNs }
}

/** The row is saved. */
export function noteSaved(series: Series, { firstSeenNs, lastSeenNs }: CatalogSeries): void {
  if (firstSeenNs < series.savedFromNs) series.savedFromNs = firstSeenNs
  if (lastSeenNs > series.savedToNs) series.savedToNs = lastSeenNs
}

/** As the port returns it; a bound ahead of the clock is shown as now. */
export function toInfo({ name, type, labels, firstSeenNs, lastSeenNs, isLastBound }: Series, nowNs: bigint): SeriesInfo {
  const shownNs = isLastBound && lastSeenNs > nowNs ? nowNs : lastSeenNs
  return { name, type, labels, firstSeenNs, lastSeenNs: shownNs < firstSeenNs ? firstSeenNs : shownNs }
}
