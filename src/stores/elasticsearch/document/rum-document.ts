import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import { VITALS, type RumEvent, type StoredRumEvent, type VitalName } from '../../../domain/rum-event.js'
import { identity, numberOf, objectOf, textOf, type Source } from './document-reader.js'
import { DocumentWriter } from './document-writer.js'
import { KNOWN, TAGS_OBJECT, VITAL_FIELDS } from './field-names.js'

const F = KNOWN.rum
const VITAL_NAMES = Object.keys(VITALS) as VitalName[]

/** The JSON text of a RUM event's document. */
export function rumDocument(ns: NamespaceId, id: RecordId, event: RumEvent, hasTrigrams: boolean): string {
  const writer = new DocumentWriter(ns, id, event.timestampNs, hasTrigrams)
  writer.text(F.page_url, event.pageUrl)
  writer.text(F.page_group, event.pageGroup)
  writer.text(F.page_title, event.pageTitle)
  writer.text(F.session_id, event.sessionId)
  writer.text(F.device_type, event.deviceType)
  writer.text(F.browser, event.browser)
  writer.text(F.os, event.os)
  writer.text(F.country, event.country)
  writer.text(F.connection_type, event.connectionType)
  writer.text(F.trace_id, event.traceId)
  writer.text(F.release, event.release)
  writer.number(F.viewport_width, event.viewportWidth)
  writer.number(F.viewport_height, event.viewportHeight)
  for (const name of VITAL_NAMES) writer.number(VITAL_FIELDS[name], event.vitals[name])
  writer.free(null, event.tags)
  return writer.toJson()
}

/** The RUM event of a document. */
export function toStoredRumEvent(source: Source): StoredRumEvent {
  const vitals = Object.fromEntries(VITAL_NAMES.map(name => [name, numberOf(source, VITAL_FIELDS[name])]))
  const { id, timestampNs, ingestedAtMs } = identity(source)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    pageUrl: textOf(source, F.page_url) ?? '',
    pageGroup: textOf(source, F.page_group) ?? '',
    pageTitle: textOf(source, F.page_title),
    vitals: vitals as Record<VitalName, number | null>,
    sessionId: textOf(source, F.session_id),
    deviceType: textOf(source, F.device_type),
    browser: textOf(source, F.browser),
    os: textOf(source, F.os),
    country: textOf(source, F.country),
    connectionType: textOf(source, F.connection_type),
    viewportWidth: numberOf(source, F.viewport_width),
    viewportHeight: numberOf(source, F.viewport_height),
    traceId: textOf(source, F.trace_id),
    release: textOf(source, F.release),
    tags: objectOf(source, TAGS_OBJECT)
  }
}
