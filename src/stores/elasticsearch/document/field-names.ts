import type { IndexKind } from '../../../ports/index-catalog.js'
import { fieldList, isNumber, type NumberField, type RecordField } from '../../../domain/records/field.js'
import { LOG } from '../../../domain/records/log.js'
import { RUM as RUM_FIELDS, type VitalName, VITAL_FIELDS as VITALS_TABLE } from '../../../domain/records/rum.js'
import { APM_ERROR } from '../../../domain/records/error.js'
import { SPAN } from '../../../domain/records/span.js'

// Names of ECS and OpenTelemetry where they have one, so that Kibana knows the fields. Dotted names are written flat.

/** Event time: `date_nanos`, RFC 3339 with nine decimals. */
export const TIME = '@timestamp'
/** Record id: what orders records of one time. */
export const ID = 'id'
/** Namespace id, in every document: reads of a shared index must demand it. */
export const NAMESPACE = 'ns'
/** Objects as they were sent, not indexed. */
export const LOG_FIELDS_OBJECT = 'log_fields'
export const TAGS_OBJECT = 'tags'
/** Of spans: their events and links, which are only stored. */
export const EVENTS = 'events'
export const LINKS = 'links'
/** Numbers of free fields, sortable as strings (`numberTerm`). */
export const NUMBERS = 'kn'
/** Trigrams of the message (`trigrams`); absent from what an index gives back. */
export const MESSAGE_TRIGRAMS = 'tri'
/** Trigrams of a stack trace. */
export const STACK_TRIGRAMS = 'stack_tri'
/** Names of the values that their terms hold cut (`cutTerm`): a field, or the term prefix of a free field. */
export const CUT = 'cut'
/** Term of `CUT` in each span document whose attributes of events and links have terms; documents of earlier versions lack it. */
export const EVENT_TERMS = '\u001fevents'
/** Whole values of well-known fields that are cut where they are indexed, by field; not indexed. */
export const LONG = 'long'

/** How a well-known field is stored in a document. */
export interface KnownField {
  readonly field: string
  readonly type: 'keyword' | 'number' | 'time'
  /** Of numbers: the type of the engine, and bounds of whole ones. */
  readonly numeric?: { readonly type: 'byte' | 'long' | 'double'; readonly whole: NumberField['whole'] }
  /** Trigrams of its text, for substrings. */
  readonly trigrams?: string
  /** Many-valued: the values of an attribute of a span's `exception` events. */
  readonly ofExceptions?: 'type' | 'message'
}

const NUMERIC = { byte: 'byte', integer: 'double', double: 'double', nanoseconds: 'long' } as const

/** How a field of a record's table is stored in a document. */
export function knownField(field: RecordField): KnownField {
  if (isNumber(field))
    return { field: field.document, type: 'number', numeric: { type: NUMERIC[field.type], whole: field.whole } }
  return keyword(field.document, field.type === 'text' ? field.trigrams : undefined)
}

/** The fields of a table that filters reach, by their names. */
function knownFields<Table extends Readonly<Record<string, RecordField>>>(
  table: Table
): Readonly<Record<Table[keyof Table]['name'], KnownField>> {
  const fields = fieldList(table).filter(field => isNumber(field) || (field.type === 'text' && field.isFiltered !== false))
  return Object.fromEntries(fields.map(field => [field.name, knownField(field)])) as Record<
    Table[keyof Table]['name'],
    KnownField
  >
}

function keyword(field: string, trigrams?: string): KnownField {
  return trigrams === undefined ? { field, type: 'keyword' } : { field, type: 'keyword', trigrams }
}

const TIMESTAMP: KnownField = { field: TIME, type: 'time' }

const LOGS = { timestamp: TIMESTAMP, ...knownFields(LOG) } as const

/** Vitals keep their wire names. */
export const VITAL_FIELDS = knownFields(VITALS_TABLE) as Readonly<Record<VitalName, KnownField>>

const RUM = { timestamp: TIMESTAMP, ...knownFields(RUM_FIELDS), ...VITAL_FIELDS } as const

const ERRORS = { timestamp: TIMESTAMP, ...knownFields(APM_ERROR) } as const

const SPANS = {
  timestamp: TIMESTAMP,
  ...knownFields(SPAN),
  exception_type: { ...keyword('exception.type'), ofExceptions: 'type' },
  exception_message: { ...keyword('exception.message'), ofExceptions: 'message' }
} as const

/** Fields of the documents by the names of the domain. */
export const KNOWN = { logs: LOGS, rum: RUM, errors: ERRORS, spans: SPANS } as const

/** Kinds of records with documents of their own. */
export type DocumentKind = IndexKind

/** Objects of free fields by kind: the one with the part of `log_fields`, and the one with that of `tags`. */
export const FREE_OBJECTS: Readonly<Record<DocumentKind, { readonly log_fields: string; readonly tags: string }>> = {
  logs: { log_fields: LOG_FIELDS_OBJECT, tags: TAGS_OBJECT },
  rum: { log_fields: LOG_FIELDS_OBJECT, tags: TAGS_OBJECT },
  errors: { log_fields: LOG_FIELDS_OBJECT, tags: TAGS_OBJECT },
  spans: { log_fields: SPAN.attributes.document, tags: SPAN.resource.document }
}

/** As `KNOWN`, for names that a caller sent. */
export const KNOWN_FIELDS: Readonly<Record<DocumentKind, ReadonlyMap<string, KnownField>>> = {
  logs: new Map(Object.entries({ ...LOGS, ingest_id: keyword(ID) })),
  rum: new Map(Object.entries(RUM)),
  errors: new Map(Object.entries(ERRORS)),
  spans: new Map(Object.entries(SPANS))
}

/** Of spans: the last 16 digits of the trace id, which is all that senders with 64-bit ids know of it. */
export const TRACE_SUFFIX = keyword('trace.suffix')
/** Of client and producer spans: whom they call, by their own account (`domain/peer`). */
export const PEER = { name: keyword('peer.name'), kind: keyword('peer.kind'), protocol: keyword('peer.protocol') } as const

/** Of spans: what the sender dropped. */
export const DROPPED = 'dropped'
