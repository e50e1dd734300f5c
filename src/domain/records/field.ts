import type { RecordId } from '../ids.js'
import type { JsonObject } from '../json.js'

/** What every field of a record has, whatever its type. */
interface Named {
  /** Its value in a record. */
  readonly of: (item: never) => unknown
  /** Name in REST, filters, facets and the search language. */
  readonly name: string
  /** What it holds, for OpenAPI and GraphQL. */
  readonly description: string
  /** Field in the documents of search stores; a name of ECS or OpenTelemetry where they have one. */
  readonly document: string
  /** Position of its columns in the table of the embedded store. Never changes; a new field takes the next number. */
  readonly at: number
  /** Its column; by default the name. */
  readonly column: string
  /** Format of the embedded store that added the column (`FORMAT_STEPS`); absent: the column came with its table. */
  readonly since?: number
  /** False: no filter reaches it; documents keep a string of it without an index. */
  readonly isFiltered?: false
  /** Left out of JSON where it is null. */
  readonly isSparse?: true
  /** Worth a facet in any data. */
  readonly isFacet?: true
  /** A parameter of its own in lists: `name` in REST, and this one in GraphQL. */
  readonly parameter?: Parameter
}

/** How GraphQL names the condition that a field is one of some values. */
export interface Parameter {
  readonly name: string
  /** It takes a list of values. */
  readonly isMany: boolean
  readonly description: string
}

/** A string. */
export interface TextField extends Named {
  readonly type: 'text'
  readonly of: (item: never) => string | null
  /** Value of a record for which a store has none; absent: null. */
  readonly otherwise?: string
  /** An empty string is stored as none. Such a field has the empty string for a missing value. */
  readonly isEmptyOmitted?: true
  /** The embedded store keeps its case-folded form next to it, where DuckDB's lower() differs. */
  readonly isFolded?: true
  /** Documents leave it out where it equals this field; it is kept there, not indexed. */
  readonly repeats?: Named
  /** Field of search documents with its trigrams, for substrings. */
  readonly trigrams?: string
  /** Members of JSON logs that hold it, best first. */
  readonly members?: readonly string[]
  /** Resource attributes of OTLP that hold it, best first. */
  readonly resource?: readonly string[]
}

/** A number. Null if it was not sent; with a smallest value, that value instead of null. */
export interface NumberField extends Named {
  /** `byte`: 0 to 255. `integer`: 32 bits with a sign. `nanoseconds`: a bigint of 64 bits. */
  readonly type: 'byte' | 'integer' | 'double' | 'nanoseconds'
  readonly of: (item: never) => number | bigint | null
  /** Bounds of whole numbers that filters compare exactly. */
  readonly whole?: { readonly least: number; readonly most: number }
}

/** 32 bits without a sign. */
export interface BitsField extends Named {
  readonly type: 'bits'
  readonly of: (item: never) => number
}

/** A boolean; all flags of a record are bits of one column. */
export interface FlagField extends Named {
  readonly type: 'flag'
  readonly of: (item: never) => boolean
  readonly bit: number
}

/** An object of free fields: two columns, `*_json` with it flattened and `*_sent` as sent where flattening changed it. */
export interface ObjectField extends Named {
  readonly type: 'object'
  readonly of: (item: never) => JsonObject
  readonly column: 'fields' | 'tags'
}

/** One field of a record: what it is called and where it is stored. */
export type RecordField = TextField | NumberField | BitsField | FlagField | ObjectField

type OfType<Type> = Type extends 'text'
  ? TextField
  : Type extends 'flag'
    ? FlagField
    : Type extends 'object'
      ? ObjectField
      : Type extends 'bits'
        ? BitsField
        : NumberField
type FactsOf<Type> = Omit<OfType<Type>, 'type' | 'name' | 'of' | 'column'> & { readonly column?: OfType<Type>['column'] }

/** Makes rows of the table of one kind of record: type, name, how a record has it, and the rest. */
export function fieldsOf<Item>() {
  return <Type extends RecordField['type'], const Name extends string, Facts extends FactsOf<Type>>(
    type: Type,
    name: Name,
    of: (item: Item) => ReturnType<OfType<Type>['of']>,
    facts: Facts
  ): Facts & { readonly type: Type; readonly name: Name; readonly of: typeof of; readonly column: OfType<Type>['column'] } => ({
    type,
    name,
    of,
    column: name,
    ...facts
  })
}

/** A field with the property that holds it. */
export type KeyedField<Field extends RecordField = RecordField> = Field & { readonly key: string }

/** The fields of a table, in its order. */
export function fieldList(table: Readonly<Record<string, RecordField>>): readonly KeyedField[] {
  return Object.entries(table).map(([key, field]) => ({ ...field, key }))
}

/** Properties of a table that are parameters of lists. */
export type ParameterOf<Table> = {
  [Key in keyof Table]: Table[Key] extends { readonly parameter: Parameter } ? Key : never
}[keyof Table]

/** Names of these parameters in REST. */
export type ParameterName<Table> = NameOf<Table[ParameterOf<Table>]>
type NameOf<Field> = Field extends { readonly name: infer Name } ? Name & string : never

/** A field that is a parameter of lists. */
export type ParameterField<Key = string> = RecordField & { readonly key: Key; readonly parameter: Parameter }

/** The fields of a table that are parameters of lists, in its order. */
export function parametersOf<Table extends Readonly<Record<string, RecordField>>>(
  table: Table
): readonly ParameterField<ParameterOf<Table>>[] {
  return fieldList(table).filter(({ parameter }) => parameter !== undefined) as unknown as ParameterField<ParameterOf<Table>>[]
}

/** Names of the fields of a table that are worth a facet in any data. */
export function facetNames(table: Readonly<Record<string, RecordField>>): readonly string[] {
  return fieldList(table)
    .filter(({ isFacet }) => isFacet)
    .map(({ name }) => name)
}

/** Whether a field holds a number. */
export function isNumber<Field extends RecordField>(field: Field): field is Field & NumberField {
  return field.type === 'byte' || field.type === 'integer' || field.type === 'double' || field.type === 'nanoseconds'
}

/** Names that filters may use for the fields of a table, with that of the event time. */
export function filteredNames(table: Readonly<Record<string, RecordField>>): readonly string[] {
  const fields = fieldList(table).filter(({ type, isFiltered }) => type !== 'object' && type !== 'flag' && isFiltered !== false)
  return ['timestamp', ...fields.map(({ name }) => name)]
}

/** Makes a function that adds the fields of a table to a JSON object, under their names. Flags are left to the caller. */
export function jsonMembers(
  table: Readonly<Record<string, RecordField>>
): (item: object, json: Record<string, unknown>) => Record<string, unknown> {
  const members = fieldList(table)
    .filter(({ type }) => type !== 'flag')
    .map(({ name, of, isSparse = false }) => ({ name, of, isSparse }))
  return (item, json) => {
    for (let i = 0; i < members.length; i++) {
      const { name, of, isSparse } = members[i]!
      const value = of(item as never)
      if (!isSparse || value !== null) json[name] = value
    }
    return json
  }
}

/** What a store has of one record. Values come field by field, so that records are made by one literal: fast to make and to read. */
export interface StoredFields {
  id(): RecordId
  /** Event time, Unix nanoseconds. */
  timestampNs(): bigint
  /** Null for a missing value, unless the field has another value for that. */
  text(field: TextField): string | null
  /** As `text`, of a field with a value for a missing one. */
  string(field: TextField & { readonly otherwise: string }): string
  number(field: NumberField): number | null
  flag(field: FlagField): boolean
  object(field: ObjectField): JsonObject
}
