import { APM_ERROR } from '../../../domain/records/error.js'
import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import { fieldList, isNumber, type RecordField } from '../../../domain/records/field.js'
import { LOG } from '../../../domain/records/log.js'
import { RUM_TABLE as RUM_FIELDS } from '../../../domain/records/rum.js'
import { SPAN } from '../../../domain/records/span.js'
import type { FreePlace, JsonColumn } from '../free-columns.js'

/** Where the value of a field is stored: a column, or a path in one or two columns of flattened JSON. */
export type FieldTarget =
  | { readonly kind: 'time' }
  | { readonly kind: 'arrival' }
  | { readonly kind: 'number'; readonly column: string }
  | { readonly kind: 'integer'; readonly column: string }
  | { readonly kind: 'text'; readonly column: string; readonly foldColumn: string | null }
  | {
      readonly kind: 'json'
      readonly columns: readonly (JsonColumn | 'exceptions_json')[]
      /** Lists whose items hold objects with the path, too; searched, never grouped by. */
      readonly lists: readonly ObjectList[]
      readonly path: string
      readonly isKnown: boolean
    }

/** A column of a JSON array whose items are arrays with an object each. */
export interface ObjectList {
  readonly column: string
  /** JSON path of the objects. */
  readonly objects: string
}

/** How fields of one kind of record map to columns. */
export interface TableFields {
  readonly strings: ReadonlySet<string>
  /** Field name to column. */
  readonly numbers: ReadonlyMap<string, string>
  /** 64-bit integers: compared exactly. */
  readonly integers?: ReadonlySet<string>
  /** Many-valued fields that are in flattened JSON of their own: field name to column and member. */
  readonly lists?: ReadonlyMap<string, readonly [column: 'exceptions_json', path: string]>
  /** Columns that have a `_fold` sibling. */
  readonly folded: ReadonlySet<string>
  readonly hasLogFields: boolean
  /** What the rows that are read have as columns of their own; without it conditions read the JSON. */
  readonly freePlace?: (column: JsonColumn, name: string) => FreePlace
  /** Attributes of what a span lists. */
  readonly objectLists?: Readonly<Record<'events' | 'links', ObjectList>>
}

/** How the fields of a table map to its columns. */
function fieldsOf(table: Readonly<Record<string, RecordField>>): Omit<TableFields, 'hasLogFields'> {
  const fields = fieldList(table)
  const strings = fields.filter(field => field.type === 'text')
  const numbers = fields.filter(isNumber)
  return {
    strings: new Set(strings.filter(({ isFiltered }) => isFiltered !== false).map(({ name }) => name)),
    numbers: new Map(numbers.filter(({ type }) => type !== 'nanoseconds').map(({ name, column }) => [name, column])),
    integers: new Set(numbers.filter(({ type }) => type === 'nanoseconds').map(({ name }) => name)),
    folded: new Set(strings.filter(({ isFolded }) => isFolded).map(({ name }) => name))
  }
}

/** Fields of the `logs` table. */
export const LOG_TABLE: TableFields = { ...fieldsOf(LOG), hasLogFields: true }

/** Fields of the `rum` table; vitals and the size of the viewport can be compared too. */
export const RUM_TABLE: TableFields = { ...fieldsOf(RUM_FIELDS), hasLogFields: false }

/** Fields of the `errors` table. */
export const ERROR_TABLE: TableFields = { ...fieldsOf(APM_ERROR), hasLogFields: false }

const SPAN_LISTS: NonNullable<TableFields['lists']> = new Map([
  ['exception_type', ['exceptions_json', 'type']],
  ['exception_message', ['exceptions_json', 'message']]
])

/** Fields of the `spans` table; attributes correspond to the fields of logs, the resource to their tags. */
export const SPAN_TABLE: TableFields = {
  ...fieldsOf(SPAN),
  lists: SPAN_LISTS,
  hasLogFields: true,
  // The forms of `wire/span-columns`.
  objectLists: {
    events: { column: 'events_json', objects: '$[*][2]' },
    links: { column: 'links_json', objects: '$[*][3]' }
  }
}

function objectLists(field: Field, { objectLists: lists }: TableFields): readonly ObjectList[] {
  if (!lists) return []
  if (field.in === 'free') return [lists.events, lists.links]
  return field.in === 'events' || field.in === 'links' ? [lists[field.in]] : []
}

function jsonColumns(field: Field, table: TableFields): readonly JsonColumn[] {
  if (field.in === 'events' || field.in === 'links') return []
  const fields = table.hasLogFields && field.in !== 'tags' ? (['fields_json'] as const) : []
  return field.in === 'log_fields' ? fields : [...fields, 'tags_json']
}

/** Finds where a field is stored. Column names come from the tables above, never from the caller. */
export function fieldTarget(field: Field, table: TableFields): FieldTarget {
  if (field.in !== 'known') {
    const places = { columns: jsonColumns(field, table), lists: objectLists(field, table) }
    return { kind: 'json', ...places, path: field.name, isKnown: false }
  }
  if (field.name === 'timestamp') return { kind: 'time' }
  if (field.name === 'ingest_id') return { kind: 'arrival' }
  const list = table.lists?.get(field.name)
  if (list) return { kind: 'json', columns: [list[0]], lists: [], path: list[1], isKnown: true }
  if (table.integers?.has(field.name)) return { kind: 'integer', column: field.name }
  const column = table.numbers.get(field.name)
  if (column !== undefined) return { kind: 'number', column }
  if (!table.strings.has(field.name)) {
    throw new GatewayError('query_unsupported', `the field ${field.name} is not supported here`, { field: field.name })
  }
  const foldColumn = table.folded.has(field.name) ? `${field.name}_fold` : null
  return { kind: 'text', column: field.name, foldColumn }
}

/** Where the values of a path are in one of the columns of a target. */
export function freePlaceOf(column: JsonColumn | 'exceptions_json', path: string, { freePlace }: TableFields): FreePlace {
  return column === 'exceptions_json' || !freePlace ? null : freePlace(column, path)
}

/** JSON pointer (RFC 6901) of one member: unlike DuckDB's `$."..."` it can name any text. */
export function jsonPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** How the writer's JSON text spells a member's name: a cheap test before the text is parsed. */
export function memberText(name: string): string {
  return `${JSON.stringify(name)}:`
}
