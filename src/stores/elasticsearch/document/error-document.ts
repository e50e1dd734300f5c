import type { ApmError, StoredApmError } from '../../../domain/apm-error.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import { identity, objectOf, textOf, type Source } from './document-reader.js'
import { DocumentWriter } from './document-writer.js'
import { KNOWN, TAGS_OBJECT } from './field-names.js'

const F = KNOWN.errors

/** The JSON text of an APM error's document. */
export function errorDocument(ns: NamespaceId, id: RecordId, error: ApmError, hasTrigrams: boolean): string {
  const writer = new DocumentWriter(ns, id, error.timestampNs, hasTrigrams)
  writer.text(F.service, error.service)
  writer.text(F.message, error.message)
  writer.text(F.type, error.type)
  writer.text(F.stack, error.stack)
  writer.text(F.trace_id, error.traceId)
  writer.text(F.span_id, error.spanId)
  writer.text(F.host, error.host)
  writer.text(F.fingerprint, error.fingerprint)
  writer.free(null, error.tags)
  return writer.toJson()
}

/** The APM error of a document. */
export function toStoredApmError(source: Source): StoredApmError {
  const { id, timestampNs, ingestedAtMs } = identity(source)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    service: textOf(source, F.service) ?? '',
    message: textOf(source, F.message) ?? '',
    type: textOf(source, F.type) ?? '',
    stack: textOf(source, F.stack),
    traceId: textOf(source, F.trace_id),
    spanId: textOf(source, F.span_id),
    host: textOf(source, F.host),
    tags: objectOf(source, TAGS_OBJECT),
    fingerprint: textOf(source, F.fingerprint) ?? ''
  }
}
