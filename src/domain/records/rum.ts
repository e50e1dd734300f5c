import type { RecordId } from '../ids.js'
import type { JsonObject } from '../json.js'
import { ulidTimeMs } from '../ulid.js'
import { fieldsOf, type NumberField, type RecordField, type StoredFields } from './field.js'

/** Timings and scores of a page view: wire name ("Vocabulary" in docs/conventions.md) to its thresholds, null where none is agreed. */
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

const field = fieldsOf<RumEvent>()

/** Strings, sizes and tags of a page view, in the order of documents; as `LOG`. Its timings are in `VITAL_FIELDS`. */
export const RUM = {
  pageUrl: field('text', 'page_url', event => event.pageUrl, {
    ...{ document: 'url.full', at: 1, otherwise: '' },
    description: 'URL of the page.'
  }),
  pageGroup: field('text', 'page_group', event => event.pageGroup, {
    ...{ document: 'page.group', at: 2, otherwise: '' },
    description: 'URL of the page without query, ids replaced.'
  }),
  pageTitle: field('text', 'page_title', event => event.pageTitle, {
    ...{ document: 'page.title', at: 3 },
    description: 'Title of the page.'
  }),
  sessionId: field('text', 'session_id', event => event.sessionId, {
    ...{ document: 'session.id', at: 4 },
    description: 'Session of the visitor.'
  }),
  deviceType: field('text', 'device_type', event => event.deviceType, {
    ...{ document: 'device.type', at: 5 },
    description: 'desktop, mobile, ...'
  }),
  browser: field('text', 'browser', event => event.browser, {
    ...{ document: 'user_agent.name', at: 6 },
    description: 'Browser.'
  }),
  os: field('text', 'os', event => event.os, {
    ...{ document: 'os.name', at: 7 },
    description: 'Operating system.'
  }),
  country: field('text', 'country', event => event.country, {
    ...{ document: 'geo.country_iso_code', at: 8 },
    description: 'ISO 3166-1 alpha-2 code.'
  }),
  connectionType: field('text', 'connection_type', event => event.connectionType, {
    ...{ document: 'network.connection.type', at: 9 },
    description: 'Network class.'
  }),
  traceId: field('text', 'trace_id', event => event.traceId, {
    ...{ document: 'trace.id', at: 10 },
    description: 'Correlates with a trace.'
  }),
  release: field('text', 'release', event => event.release, {
    ...{ document: 'service.version', at: 11 },
    description: 'Release of the page.'
  }),
  viewportWidth: field('integer', 'viewport_width', event => event.viewportWidth, {
    ...{ document: 'viewport.width', at: 12, isFiltered: false },
    description: 'Width of the viewport in CSS pixels.'
  }),
  viewportHeight: field('integer', 'viewport_height', event => event.viewportHeight, {
    ...{ document: 'viewport.height', at: 13, isFiltered: false },
    description: 'Height of the viewport in CSS pixels.'
  }),
  tags: field('object', 'tags', event => event.tags, {
    ...{ document: 'tags', at: 24, column: 'tags' },
    description: 'Tags of the page, with unrecognized members.'
  })
} satisfies Record<keyof Omit<RumEvent, 'index' | 'timestampNs' | 'vitals'>, RecordField>

const FIRST_VITAL = 14

/** The timings of a page view, with their names. */
export const VITAL_FIELDS = Object.fromEntries(
  (Object.keys(VITALS) as VitalName[]).map((name, i) => [
    name,
    field('double', name, event => event.vitals[name], {
      ...{ document: `vitals.${name}`, at: FIRST_VITAL + i, isFiltered: false },
      description: VITALS[name].short
    })
  ])
) as Readonly<Record<string, unknown>> as Readonly<Record<VitalName, NumberField>>

/** All columns and members of a page view. */
const { tags: RUM_TAGS, ...RUM_PLAIN } = RUM
/** All fields of a page view, timings included. */
export const RUM_TABLE: Readonly<Record<string, RecordField>> = { ...RUM_PLAIN, ...VITAL_FIELDS, tags: RUM_TAGS }

/** The page view that a store has. */
export function storedRumEvent(from: StoredFields): StoredRumEvent {
  const id = from.id()
  const vitals = {} as Record<VitalName, number | null>
  for (const name of Object.keys(VITALS) as VitalName[]) vitals[name] = from.number(VITAL_FIELDS[name])
  return {
    id,
    timestampNs: from.timestampNs(),
    ingestedAtMs: ulidTimeMs(id),
    pageUrl: from.string(RUM.pageUrl),
    pageGroup: from.string(RUM.pageGroup),
    pageTitle: from.text(RUM.pageTitle),
    vitals,
    sessionId: from.text(RUM.sessionId),
    deviceType: from.text(RUM.deviceType),
    browser: from.text(RUM.browser),
    os: from.text(RUM.os),
    country: from.text(RUM.country),
    connectionType: from.text(RUM.connectionType),
    viewportWidth: from.number(RUM.viewportWidth),
    viewportHeight: from.number(RUM.viewportHeight),
    traceId: from.text(RUM.traceId),
    release: from.text(RUM.release),
    tags: from.object(RUM.tags)
  }
}
