import type { RecordId } from '../../../domain/ids.js'
import type { JsonObject } from '../../../domain/json.js'
import { parseRfc3339Ns } from '../../../domain/timestamp.js'
import { ulidTimeMs } from '../../../domain/ulid.js'
import { ID, LONG, TIME, type KnownField } from './field-names.js'

/** A document as an index gives it back (`_source`). */
export type DocumentSource = Readonly<Record<string, unknown>>

const NOTHING: JsonObject = Object.freeze({})

/** What every stored record has. */
export function identity(source: DocumentSource): { id: RecordId; timestampNs: bigint; ingestedAtMs: number } {
  const id = source[ID] as RecordId
  return { id, timestampNs: parseRfc3339Ns(source[TIME] as string)!, ingestedAtMs: ulidTimeMs(id) }
}

/** A string; the full one where its term was cut. */
export function wholeText(source: DocumentSource, field: string): string | null | undefined {
  const long = source[LONG] as Readonly<Record<string, string>> | undefined
  return long?.[field] ?? (source[field] as string | null | undefined)
}

/** A well-known string. */
export function textOf(source: DocumentSource, { field }: KnownField): string | null {
  return wholeText(source, field) ?? null
}

/** An object as it was sent. */
export function objectOf(source: DocumentSource, name: string): JsonObject {
  return (source[name] as JsonObject | undefined) ?? NOTHING
}
