import type { StoredApmError } from '../domain/records/error.js'
import type { StoredLog } from '../domain/records/log.js'
import type { StoredRumEvent } from '../domain/records/rum.js'
import type { StoredSpan } from '../domain/span.js'
import { rowBytes } from './json-bytes.js'

/** About how many bytes a log takes as JSON. */
export function logBytes({ message, fields, tags }: StoredLog): number {
  return rowBytes(message, fields, tags)
}

/** About how many bytes a span takes as JSON. */
export function spanBytes({ name, attributes, resource, events }: StoredSpan): number {
  return rowBytes(name, attributes, resource, ...events.map(event => event.attributes))
}

/** About how many bytes an error takes as JSON. */
export function errorBytes({ message, stack, tags }: StoredApmError): number {
  return rowBytes(message, stack ?? '', tags)
}

/** About how many bytes a page view takes as JSON. */
export function rumBytes({ pageUrl, pageTitle, tags }: StoredRumEvent): number {
  return rowBytes(pageUrl, pageTitle ?? '', tags)
}
