declare const brand: unique symbol
type Branded<T extends string> = string & { readonly [brand]: T }

/** Opaque id of a namespace, `[a-z0-9]{10,}`: safe in file, index and bucket names; never reused. */
export type NamespaceId = Branded<'NamespaceId'>
/** Opaque id of a user. */
export type UserId = Branded<'UserId'>
/** Opaque id of an API key (not its secret). */
export type KeyId = Branded<'KeyId'>
/** Monotonic ULID of one ingest request; 26 characters of Crockford's base 32, sortable by time. */
export type IngestId = Branded<'IngestId'>
/** Id of one stored record: its `IngestId` followed by its index in the request, `RECORD_INDEX_DIGITS` wide. */
export type RecordId = Branded<'RecordId'>

/** Wide enough for the largest batch of any protocol (OTLP: 64 MiB), so that ids sort as their records were sent. */
export const RECORD_INDEX_DIGITS = 7
const INGEST_ID_LENGTH = 26
const RECORD_ID = /^[0-9A-HJKMNP-TV-Z]{26}[0-9]{7}$/
const NAMESPACE_ID = /^[a-z0-9]{10,40}$/

/** The id of the record at `index` of the request `ingestId`. */
export function recordId(ingestId: IngestId, index: number): RecordId {
  return (ingestId + String(index).padStart(RECORD_INDEX_DIGITS, '0')) as RecordId
}

/** Splits a record id; null when the text is not one. */
export function parseRecordId(text: string): { ingestId: IngestId; index: number } | null {
  if (!RECORD_ID.test(text)) return null
  return { ingestId: text.slice(0, INGEST_ID_LENGTH) as IngestId, index: Number(text.slice(INGEST_ID_LENGTH)) }
}

/** Whether the text has the form of a namespace id. */
export function isNamespaceId(text: string): text is NamespaceId {
  return NAMESPACE_ID.test(text)
}
