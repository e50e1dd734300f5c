import { type StoredApmError, storedError } from '../../../domain/records/error.js'
import type { RecordId } from '../../../domain/ids.js'
import type { JsonObject } from '../../../domain/json.js'
import type { FlagField, NumberField, ObjectField, StoredFields, TextField } from '../../../domain/records/field.js'
import { type StoredLog, storedLog } from '../../../domain/records/log.js'
import { type StoredRumEvent, storedRumEvent } from '../../../domain/records/rum.js'
import { ulidTimeMs } from '../../../domain/ulid.js'
import { TABLES, type TableKind } from '../tables.js'
import { ERROR_TABLE, LOG_TABLE, RUM_TABLE } from './field-target.js'
import { positionOf } from './record-order.js'
import type { SearchedKind } from './search.js'
import type { ResultRow } from './statement.js'

const NOTHING: JsonObject = Object.freeze({})

/** The object as it was sent; the flattened one is the same where flattening changed nothing. */
export function sentObject(row: ResultRow, name: 'fields' | 'tags'): JsonObject {
  const text = (row[`${name}_sent`] ?? row[`${name}_json`]) as string | null
  return text === null ? NOTHING : (JSON.parse(text) as JsonObject)
}

/** A string, or null. */
export function text(row: ResultRow, column: string): string | null {
  return row[column] as string | null
}

/** Id and times of a row. To be named one by one: V8 takes ten times as long for a record that begins with a spread. */
export function identity(row: ResultRow): { id: RecordId; timestampNs: bigint; ingestedAtMs: number } {
  const { id, timestampNs } = positionOf(row)
  return { id, timestampNs, ingestedAtMs: ulidTimeMs(id) }
}

/** The fields of a record in the columns of its row. */
class RowFields implements StoredFields {
  readonly #row: ResultRow

  constructor(row: ResultRow) {
    this.#row = row
  }

  id(): RecordId {
    return positionOf(this.#row).id
  }

  timestampNs(): bigint {
    return this.#row['ts'] as bigint
  }

  text(field: TextField): string | null {
    return this.#row[field.column] as string | null
  }

  string(field: TextField & { readonly otherwise: string }): string {
    return (this.#row[field.column] as string | null) ?? field.otherwise
  }

  number(field: NumberField): number | null {
    return this.#row[field.column] as number | null
  }

  flag(field: FlagField): boolean {
    return ((this.#row[field.column] as number) & field.bit) !== 0
  }

  object({ column }: ObjectField): JsonObject {
    return sentObject(this.#row, column)
  }
}

/** Columns to return; folded strings serve searching only and never leave the store. */
export function readColumns(kind: TableKind): readonly string[] {
  return Object.keys(TABLES[kind]).filter(name => !name.endsWith('_fold'))
}

/** Logs. */
export const LOGS: SearchedKind<StoredLog> = {
  fields: LOG_TABLE,
  columns: readColumns('logs'),
  toRecord: row => storedLog(new RowFields(row))
}

/** RUM events. */
export const RUM_EVENTS: SearchedKind<StoredRumEvent> = {
  fields: RUM_TABLE,
  columns: readColumns('rum'),
  toRecord: row => storedRumEvent(new RowFields(row))
}

/** APM errors. */
export const APM_ERRORS: SearchedKind<StoredApmError> = {
  fields: ERROR_TABLE,
  columns: readColumns('errors'),
  toRecord: row => storedError(new RowFields(row))
}
