import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { LogRecord, StoredLog } from '../../../domain/log-record.js'
import { identity, numberOf, objectOf, textOf, type Source } from './document-reader.js'
import { DocumentWriter } from './document-writer.js'
import { KNOWN, LEVEL_TEXT, LOG_FIELDS_OBJECT, SERVER_TIME, TAGS_OBJECT, TRUNCATED } from './field-names.js'

const F = KNOWN.logs

/** The JSON text of a log's document. Without trigrams for indices that are not searched for substrings. */
export function logDocument(ns: NamespaceId, id: RecordId, log: LogRecord, hasTrigrams: boolean): string {
  const writer = new DocumentWriter(ns, id, log.timestampNs, hasTrigrams)
  writer.text(F.message, log.message)
  writer.text(F.level, log.level)
  if (log.levelText !== log.level) writer.kept(LEVEL_TEXT, JSON.stringify(log.levelText))
  writer.number(F.severity_number, log.severityNumber)
  writer.text(F.service, log.service)
  writer.text(F.host, log.host)
  writer.text(F.source, log.source)
  writer.text(F.trace_id, log.traceId)
  writer.text(F.span_id, log.spanId)
  if (log.isServerTime) writer.kept(SERVER_TIME, 'true')
  if (log.isTruncated) writer.kept(TRUNCATED, 'true')
  writer.free(log.fields, log.tags)
  return writer.toJson()
}

/** The log of a document. */
export function toStoredLog(source: Source): StoredLog {
  const level = textOf(source, F.level)
  const sentLevel = source[LEVEL_TEXT] as string | null | undefined
  const { id, timestampNs, ingestedAtMs } = identity(source)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    isServerTime: source[SERVER_TIME] === true,
    message: textOf(source, F.message) ?? '',
    isTruncated: source[TRUNCATED] === true,
    level,
    levelText: sentLevel === undefined ? level : sentLevel,
    severityNumber: numberOf(source, F.severity_number) ?? 0,
    service: textOf(source, F.service),
    host: textOf(source, F.host),
    source: textOf(source, F.source),
    traceId: textOf(source, F.trace_id),
    spanId: textOf(source, F.span_id),
    fields: objectOf(source, LOG_FIELDS_OBJECT),
    tags: objectOf(source, TAGS_OBJECT)
  }
}
