import { GatewayError } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import {
  EVENT_TYPE_RULE,
  FOUND_EVENT_ID,
  isEventType,
  SERVICE_EVENTS_KEPT_MS,
  type ServiceEvent
} from '../../domain/service-event.js'
import { formatNs, parseEpochNs, parseWrittenTimeNs } from '../../domain/timestamp.js'
import { readString } from '../member-fields.js'
import { isRawObject, type RawObject } from '../raw-object.js'
import type { ServiceEventLimits } from './event-limits.js'

/** An event as a sender wrote it; `id` is null unless the sender has one. */
export type SentServiceEvent = Omit<ServiceEvent, 'namespaceId' | 'id'> & { readonly id: string | null }

const MAX_ID = 128
const MAX_NAME = 255
const MAX_TITLE = 1_024
const MAX_URL = 2_048
const NS_PER_MS = 1_000_000n

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

/**
 * Reads the body of `POST /api/v1/events`; members that are not known are ignored. Throws `missing_field`, `invalid_field`,
 * `timestamp_too_old`, `timestamp_in_future`.
 */
export function parseServiceEvent(body: unknown, nowMs: number, limits: ServiceEventLimits): SentServiceEvent {
  if (!isRawObject(body)) throw new GatewayError('invalid_field', 'the body must be an object')
  const name = (member: string): string | null => readString(body, member, '', MAX_NAME)
  return {
    id: readId(body),
    type: readType(body),
    atMs: readTime(body, nowMs, limits),
    ...{ service: name('service'), version: name('version'), environment: name('environment') },
    title: readString(body, 'title', '', MAX_TITLE),
    url: readUrl(body),
    attributes: readAttributes(body, limits)
  }
}

function readId(body: RawObject): string | null {
  const id = readString(body, 'id', '', MAX_ID)
  if (id?.startsWith(FOUND_EVENT_ID)) throw invalid('id', `must not begin with ${FOUND_EVENT_ID}; the service makes such ids`)
  return id
}

function readType(body: RawObject): string {
  const type = readString(body, 'type', '', MAX_NAME)
  if (type === null) throw new GatewayError('missing_field', 'type is required, for example deploy', { field: 'type' })
  if (!isEventType(type)) throw invalid('type', EVENT_TYPE_RULE)
  return type
}

function readTime(body: RawObject, nowMs: number, { futureMs }: ServiceEventLimits): number {
  const value = body['timestamp'] ?? null
  if (value === null) return nowMs
  const text = typeof value === 'number' ? String(value) : value
  const ns = typeof text === 'string' ? (parseEpochNs(text)?.ns ?? parseWrittenTimeNs(text)) : null
  if (ns === null) throw invalid('timestamp', 'must be RFC 3339, or Unix s, ms, us or ns')
  const atMs = Number(ns / NS_PER_MS)
  const beyond = (code: 'timestamp_too_old' | 'timestamp_in_future', boundMs: number, word: string): GatewayError =>
    new GatewayError(code, `timestamp is ${word} ${formatNs(BigInt(boundMs) * NS_PER_MS)}`, { field: 'timestamp' })
  if (atMs < nowMs - SERVICE_EVENTS_KEPT_MS) throw beyond('timestamp_too_old', nowMs - SERVICE_EVENTS_KEPT_MS, 'before')
  if (atMs > nowMs + futureMs) throw beyond('timestamp_in_future', nowMs + futureMs, 'after')
  return atMs
}

function readUrl(body: RawObject): string | null {
  const url = readString(body, 'url', '', MAX_URL)
  if (url === null) return null
  // The console links to it: a script is not a link.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw invalid('url', 'must be an http or https URL')
  return url
}

function readAttributes(body: RawObject, { attributes: most }: ServiceEventLimits): readonly Label[] {
  const raw = body['attributes'] ?? {}
  if (!isRawObject(raw)) throw invalid('attributes', 'must be an object of strings')
  const names = Object.keys(raw).sort()
  if (names.length > most) throw invalid('attributes', `must not exceed ${most} entries (got ${names.length})`)
  return names.flatMap(name => {
    if (name === '' || name.length > MAX_NAME) throw invalid('attributes', `must have names of 1 to ${MAX_NAME} characters`)
    const value = readString(raw, name, 'attributes', MAX_TITLE)
    return value === null ? [] : [{ name: name.replaceAll('\0', ''), value }]
  })
}
