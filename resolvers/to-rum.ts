import type { RumFilterInput } from '../schema/rum.args.js'
import type { RumBreakdownRowType, RumEventType, VitalSummaryType } from '../schema/rum.type.js'
import { type StoredRumEvent, VITALS } from '../src/domain/records/rum.js'
import type { RumConditions } from '../src/query/conditions.js'
import type { VitalsGroup, VitalSummary } from '../src/query/rum-result.js'
import { toConditions } from './to-shared.js'

/** Conditions of the use case out of a filter's input. */
export function toRumConditions(filter: RumFilterInput | null | undefined): RumConditions {
  if (!filter) return {}
  return {
    query: filter.query ?? undefined,
    filters: toConditions(filter.where),
    pageUrl: filter.pageUrl ?? undefined,
    browser: filter.browsers ?? undefined,
    os: filter.os ?? undefined,
    deviceType: filter.deviceTypes ?? undefined,
    country: filter.countries ?? undefined,
    connectionType: filter.connectionTypes ?? undefined,
    release: filter.releases ?? undefined,
    sessionId: filter.sessionId ?? undefined
  }
}

/** A vital at the percentile in place `at`; shares are null for vitals without thresholds. */
export function toVital(summary: VitalSummary, at: number): VitalSummaryType {
  const isRated = VITALS[summary.vital].good !== null && summary.samples > 0
  const share = (count: number): number | null => (isRated ? count / summary.samples : null)
  return {
    vital: summary.vital,
    value: summary.percentiles[at] ?? null,
    samples: summary.samples,
    rating: summary.rating,
    good: share(summary.good),
    needsImprovement: share(summary.needsImprovement),
    poor: share(summary.poor)
  }
}

/** Events without the field are under the empty string. */
export function toBreakdownRow(group: VitalsGroup): RumBreakdownRowType {
  return {
    value: group.key ?? '',
    events: group.events,
    sessions: group.sessions,
    vitals: group.vitals.map(vital => toVital(vital, 0))
  }
}

/** A page view as GraphQL has it. */
export function toRumEvent(event: StoredRumEvent): RumEventType {
  const { vitals } = event
  return {
    id: event.id,
    timestamp: event.timestampNs,
    pageUrl: event.pageUrl,
    pageTitle: event.pageTitle,
    sessionId: event.sessionId,
    deviceType: event.deviceType,
    browser: event.browser,
    os: event.os,
    country: event.country,
    connectionType: event.connectionType,
    viewportWidth: event.viewportWidth,
    viewportHeight: event.viewportHeight,
    loadTimeMs: vitals.load_time_ms,
    domContentLoadedMs: vitals.dom_content_loaded_ms,
    firstContentfulPaintMs: vitals.first_contentful_paint_ms,
    largestContentfulPaintMs: vitals.largest_contentful_paint_ms,
    timeToInteractiveMs: vitals.time_to_interactive_ms,
    cumulativeLayoutShift: vitals.cumulative_layout_shift,
    firstInputDelayMs: vitals.first_input_delay_ms,
    interactionToNextPaintMs: vitals.interaction_to_next_paint_ms,
    timeToFirstByteMs: vitals.time_to_first_byte_ms,
    totalBlockingTimeMs: vitals.total_blocking_time_ms,
    release: event.release,
    traceId: event.traceId,
    tags: event.tags
  }
}
