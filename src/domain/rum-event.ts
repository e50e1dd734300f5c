import type { RecordId } from './ids.js'
import type { JsonObject } from './json.js'

/** Timings and scores of a page view: wire name (conventions 9) to its thresholds, null where none is agreed. */
export const VITALS = {
  largest_contentful_paint_ms: { short: 'lcp', good: 2500, poor: 4000 },
  interaction_to_next_paint_ms: { short: 'inp', good: 200, poor: 500 },
  cumulative_layout_shift: { short: 'cls', good: 0.1, poor: 0.25 },
  first_contentful_paint_ms: { short: 'fcp', good: 1800, poor: 3000 },
  time_to_first_byte_ms: { short: 'ttfb', good: 800, poor: 1800 },
  first_input_delay_ms: { short: 'fid', good: 100, poor: 300 },
  load_time_ms: { short: 'load', good: null, poor: null },
  dom_content_loaded_ms: { short: 'dom_content_loaded', good: null, poor: null },
  time_to_interactive_ms: { short: 'tti', good: null, poor: null },
  total_blocking_time_ms: { short: 'tbt', good: null, poor: null }
} as const

/** Wire name of a vital. */
export type VitalName = keyof typeof VITALS

/** One page view with its timings. Absent numbers are null, never 0. */
export interface RumEvent {
  readonly index: number
  readonly timestampNs: bigint
  readonly pageUrl: string
  /** The URL without query and fragment, ids in its path replaced by `:id`. */
  readonly pageGroup: string
  readonly pageTitle: string | null
  readonly vitals: Readonly<Record<VitalName, number | null>>
  readonly sessionId: string | null
  readonly deviceType: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly country: string | null
  readonly connectionType: string | null
  readonly viewportWidth: number | null
  readonly viewportHeight: number | null
  readonly traceId: string | null
  readonly release: string | null
  readonly tags: JsonObject
}

/** A RUM event as a store gives it back. */
export interface StoredRumEvent extends Omit<RumEvent, 'index'> {
  readonly id: RecordId
  readonly ingestedAtMs: number
}

/** Well-known text fields of a RUM event that filters and groups may name; anything else is a path into `tags`. */
export const RUM_FIELDS = [
  'timestamp',
  'page_url',
  'page_group',
  'page_title',
  'session_id',
  'device_type',
  'browser',
  'os',
  'country',
  'connection_type',
  'trace_id',
  'release'
] as const
