import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import { APM_ERROR, type ApmError, storedError, type StoredApmError } from '../../../domain/records/error.js'
import type { RecordField, StoredFields } from '../../../domain/records/field.js'
import { LOG, type LogRecord, type StoredLog, storedLog } from '../../../domain/records/log.js'
import { RUM_TABLE, type RumEvent, storedRumEvent, type StoredRumEvent } from '../../../domain/records/rum.js'
import type { Span, StoredSpan } from '../../../domain/span.js'
import type { DocumentSource } from './document-reader.js'
import type { DocumentKind } from './field-names.js'
import { DocumentFields, recordWriter, type TabledRecord } from './record-document.js'
import { spanDocument, toStoredSpan } from './span-document.js'

/** How one kind of record is stored as documents. */
export interface DocumentCodec<Item, Row> {
  readonly kind: DocumentKind
  /** The document as JSON; without trigrams for indices that are not searched for substrings. */
  readonly toDocument: (ns: NamespaceId, id: RecordId, item: Item, hasTrigrams: boolean) => string
  readonly toRecord: (source: DocumentSource) => Row
}

/** Records with a table of fields. */
interface TabledCodec<Item, Row> extends DocumentCodec<Item, Row> {
  /** The members of the document that an index does not give back, as JSON, each after a comma. */
  readonly toTerms: DocumentCodec<Item, Row>['toDocument']
}

function tabledKind<Item extends TabledRecord, Row>(
  kind: DocumentKind,
  table: Readonly<Record<string, RecordField>>,
  stored: (from: StoredFields) => Row
): TabledCodec<Item, Row> {
  const write = recordWriter(table)
  return {
    kind,
    toDocument: (...record) => write(...record).toJson(),
    toTerms: (...record) => write(...record).termsJson(),
    toRecord: source => stored(new DocumentFields(source))
  }
}

/** Logs. */
export const LOGS = tabledKind<LogRecord, StoredLog>('logs', LOG, storedLog)
/** RUM events. */
export const RUM_EVENTS = tabledKind<RumEvent, StoredRumEvent>('rum', RUM_TABLE, storedRumEvent)
/** APM errors. */
export const APM_ERRORS = tabledKind<ApmError, StoredApmError>('errors', APM_ERROR, storedError)
/** Spans, whose documents have more than the fields of their table. */
export const SPANS: DocumentCodec<Span, StoredSpan> = { kind: 'spans', toDocument: spanDocument, toRecord: toStoredSpan }
