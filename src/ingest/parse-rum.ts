import { fieldList } from '../domain/records/field.js'
import { RUM_TABLE, type RumEvent, type VitalName, VITALS } from '../domain/records/rum.js'
import { freeObjectWith } from './free-fields.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { gather, isRawObject, type RawObject } from './raw-object.js'

// Which segments of a path are ids: numbers, UUIDs, ULIDs, long hex, and long tokens that mix digits with letters.
const NUMBER = /^\d+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HEX = /^(?=[a-f]*\d)[0-9a-f]{8,}$/i
const TOKEN = /^(?=[^\d]*\d)(?=[^a-z]*[a-z])[a-z0-9_-]{20,}$/i
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i
const MAX_SEGMENT = 256

function isId(segment: string): boolean {
  if (segment.length > MAX_SEGMENT) return true
  return NUMBER.test(segment) || UUID.test(segment) || HEX.test(segment) || TOKEN.test(segment)
}

/** The authority without the name and password that a URL may carry. */
function withoutUser(authority: string): string {
  const at = authority.lastIndexOf('@')
  return at < 0 ? authority : authority.slice(0, authority.indexOf('//') + 2) + authority.slice(at + 1)
}

/**
 * The group of a page ("Vocabulary" in docs/conventions.md): its URL without query, fragment and user, and with `:id` in place of path
 * segments that are ids.
 */
export function pageGroup(url: string): string {
  const end = url.search(/[?#]/)
  const page = end < 0 ? url : url.slice(0, end)
  const authority = AUTHORITY.exec(page)?.[0] ?? ''
  const path = page.slice(authority.length)
  const segments = path.split('/').map(segment => (isId(segment) ? ':id' : segment))
  return withoutUser(authority) + segments.join('/')
}

const VITAL_NAMES = Object.keys(VITALS) as readonly VitalName[]
const COUNTRY = /^[A-Za-z]{2}$/
const MAX_INT32 = 2_147_483_647
/** The page group is derived; a member of its name is a tag. */
const SENT = fieldList(RUM_TABLE).filter(({ key }) => key !== 'pageGroup')
const KNOWN: ReadonlySet<string> = new Set(['namespace', 'timestamp', ...SENT.map(({ name }) => name)])

/** Absent numbers are null, never 0. */
function vital(check: ItemCheck, value: unknown, name: VitalName): number | null {
  if (value === undefined || value === null) return null
  const isMeasure = typeof value === 'number' && Number.isFinite(value) && value >= 0
  return isMeasure ? value : check.refuse('invalid_field', name, `${name} must be a non-negative number`)
}

function vitals(check: ItemCheck, raw: RawObject): RumEvent['vitals'] {
  const out = {} as Record<VitalName, number | null>
  for (const name of VITAL_NAMES) out[name] = vital(check, raw[name], name)
  return out
}

function pixels(check: ItemCheck, value: unknown, field: string): number | null {
  if (value === undefined || value === null) return null
  const isPixels = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_INT32
  return isPixels ? (value as number) : check.refuse('invalid_field', field, `${field} must be a non-negative integer`)
}

function country(check: ItemCheck, value: unknown): string | null {
  const sent = check.text(value, 'country')
  if (sent !== null && !COUNTRY.test(sent)) return check.refuse('invalid_field', 'country', 'country must be a two-letter code')
  // A proxy has codes of its own for what it does not know.
  const found = check.context.country
  const code = sent ?? (found !== null && COUNTRY.test(found) ? found : null)
  return code === null ? null : code.toUpperCase()
}

function unknownMembers(raw: RawObject): Record<string, unknown> | null {
  let extra: Record<string, unknown> | null = null
  for (const key in raw) if (!KNOWN.has(key)) extra = gather(extra, key, raw[key])
  return extra
}

/** A page view as sent ("Vocabulary" in docs/conventions.md), checked and normalized; unknown members become tags. */
export function parseRum(raw: unknown, check: ItemCheck): RumEvent | RefusedItem {
  if (!isRawObject(raw)) return check.notAnObject()
  check.ownNamespace(raw['namespace'])
  const pageUrl = check.bounded(check.requiredText(raw['page_url'], 'page_url'), 'page_url')
  if (check.fault !== null) return check.fault
  const event: RumEvent = {
    index: check.index,
    timestampNs: check.time(raw['timestamp'], 'timestamp'),
    pageUrl,
    pageGroup: pageGroup(pageUrl),
    pageTitle: check.text(raw['page_title'], 'page_title'),
    vitals: vitals(check, raw),
    sessionId: check.text(raw['session_id'], 'session_id'),
    deviceType: check.text(raw['device_type'], 'device_type'),
    browser: check.text(raw['browser'], 'browser'),
    os: check.text(raw['os'], 'os'),
    country: country(check, raw['country']),
    connectionType: check.text(raw['connection_type'], 'connection_type'),
    viewportWidth: pixels(check, raw['viewport_width'], 'viewport_width'),
    viewportHeight: pixels(check, raw['viewport_height'], 'viewport_height'),
    traceId: check.id(raw['trace_id'], 'trace_id'),
    release: check.text(raw['release'], 'release'),
    tags: freeObjectWith(check, raw['tags'], unknownMembers(raw), 'tags')
  }
  return check.fault ?? event
}
