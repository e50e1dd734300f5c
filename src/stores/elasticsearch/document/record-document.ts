import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { JsonObject } from '../../../domain/json.js'
import {
  fieldList,
  type FlagField,
  type NumberField,
  type ObjectField,
  type RecordField,
  type StoredFields,
  type TextField
} from '../../../domain/records/field.js'
import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import { objectOf, wholeText, type DocumentSource } from './document-reader.js'
import { DocumentWriter } from './document-writer.js'
import { FREE_OBJECTS, ID, knownField, TIME, type KnownField } from './field-names.js'

type Table = Readonly<Record<string, RecordField>>

/** Writes one member of a document. */
type MemberWriter<Item> = (writer: DocumentWriter, item: Item) => void

function textWriter<Item>(field: TextField, known: KnownField): MemberWriter<Item> {
  const of = field.of as (item: Item) => string | null
  if (field.repeats === undefined) return (writer, item) => writer.text(known, of(item))
  const repeated = field.repeats.of as (item: Item) => string | null
  return (writer, item) => {
    const text = of(item)
    if (text !== repeated(item)) writer.kept(known.field, JSON.stringify(text))
  }
}

function memberWriter<Item>(field: RecordField): MemberWriter<Item> | null {
  const known = knownField(field)
  switch (field.type) {
    case 'text':
      return textWriter(field, known)
    case 'flag':
      return (writer, item) => {
        if (field.of(item as never)) writer.kept(known.field, 'true')
      }
    case 'bits':
      return (writer, item) => writer.kept(known.field, String(field.of(item as never)))
    case 'nanoseconds':
      return (writer, item) => writer.whole(known, field.of(item as never) as bigint)
    case 'object':
      return null
    default:
      return (writer, item) => writer.number(known, field.of(item as never) as number | null)
  }
}

/** What all records with a table of fields have. */
export interface TabledRecord {
  readonly timestampNs: bigint
  readonly tags: JsonObject
}

/** The object of free fields in a table; records of some kinds have only tags. */
function freeFieldsOf(table: Table): ((item: never) => JsonObject) | undefined {
  const free = fieldList(table).find(field => field.type === 'object' && field.document === FREE_OBJECTS.logs.log_fields)
  return free?.type === 'object' ? free.of : undefined
}

/** Writes a record as a document. */
export type RecordWriter = (ns: NamespaceId, id: RecordId, item: TabledRecord, hasTrigrams: boolean) => DocumentWriter

/** Makes the function that writes documents of records with a table of fields. */
export function recordWriter(table: Table): RecordWriter {
  const writers = fieldList(table)
    .map(field => memberWriter<TabledRecord>(field))
    .filter(write => write !== null)
  const freeFields = freeFieldsOf(table)
  return (ns, id, item, hasTrigrams) => {
    const writer = new DocumentWriter(ns, id, item.timestampNs, hasTrigrams)
    for (const write of writers) write(writer, item)
    writer.free(freeFields?.(item as never) ?? null, item.tags)
    return writer
  }
}

/** The fields of a record in the members of its document. */
export class DocumentFields implements StoredFields {
  readonly #source: DocumentSource

  constructor(source: DocumentSource) {
    this.#source = source
  }

  id(): RecordId {
    return this.#source[ID] as RecordId
  }

  timestampNs(): bigint {
    return parseRfc3339Ns(this.#source[TIME] as string)!
  }

  text(field: TextField): string | null {
    const text = wholeText(this.#source, field.document)
    if (text === undefined && field.repeats) return wholeText(this.#source, field.repeats.document) ?? null
    return text ?? null
  }

  string(field: TextField & { readonly otherwise: string }): string {
    return this.text(field) ?? field.otherwise
  }

  number(field: NumberField): number | null {
    return (this.#source[field.document] as number | undefined) ?? null
  }

  flag(field: FlagField): boolean {
    return this.#source[field.document] === true
  }

  object(field: ObjectField): JsonObject {
    return objectOf(this.#source, field.document)
  }
}
