import { groupedBy } from '../../../domain/grouped-by.js'
import type { Field, Filter } from '../../../domain/filter.js'
import { type FreeColumns, type FreePlace, freeColumnName, type JsonColumn } from '../free-columns.js'
import type { Segment } from '../snapshot.js'
import { fieldTarget, type TableFields } from './field-target.js'
import type { Scope } from './source.js'

/** Segments that have the free fields of a query in the same way, and the fields of their tables. */
export interface SegmentClass {
  readonly segments: readonly Segment[]
  readonly fields: TableFields
  /** Free columns of the query that they have, in addition to the columns of their kind. */
  readonly columns: readonly string[]
}

/** A path in one column of JSON. */
interface FreePath {
  readonly of: JsonColumn
  readonly name: string
}

function fieldsIn(filter: Filter): readonly Field[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap(fieldsIn)
    case 'not':
      return fieldsIn(filter.of)
    default:
      return [filter.field]
  }
}

function pathsOf(field: Field, table: TableFields): readonly FreePath[] {
  if (field.in === 'known') return []
  const target = fieldTarget(field, table)
  if (target.kind !== 'json') return []
  return target.columns.flatMap(of => (of === 'exceptions_json' ? [] : [{ of, name: target.path }]))
}

function classKey(free: FreeColumns | null, paths: readonly FreePath[]): string {
  if (free === null) return ''
  const shown = (place: FreePlace) =>
    place === null || place === 'absent' ? place : `${freeColumnName(place)} ${place.hasNumbers}`
  return JSON.stringify(paths.map(({ of, name }) => shown(free.place(of, name))))
}

function columnsAt(places: readonly FreePlace[]): readonly string[] {
  return [...new Set(places.flatMap(place => (place === null || place === 'absent' ? [] : [freeColumnName(place)])))]
}

/** What conditions and groups on `fields` need of segments, one class after the other. */
export async function freeClasses(
  { snapshot }: Pick<Scope, 'snapshot'>,
  table: TableFields,
  { filter, groups = [] }: { readonly filter: Filter; readonly groups?: readonly Field[] },
  segments: readonly Segment[]
): Promise<readonly SegmentClass[]> {
  const paths = [...fieldsIn(filter), ...groups].flatMap(field => pathsOf(field, table))
  if (paths.length === 0 || segments.length === 0) return [{ segments, fields: table, columns: [] }]
  const known = await snapshot.freeColumns(segments.map(({ file }) => file))
  const classes = groupedBy(segments, ({ file }) => classKey(known.get(file) ?? null, paths))
  return [...classes.values()].map(alike => {
    const free = known.get(alike[0]!.file)
    if (!free) return { segments: alike, fields: table, columns: [] }
    return {
      segments: alike,
      fields: { ...table, freePlace: (of, name) => free.place(of, name) },
      columns: columnsAt(paths.map(({ of, name }) => free.place(of, name)))
    }
  })
}

/** Whether a filter matches no row, because no row has a field that it requires. */
export function isImpossible(filter: Filter, table: TableFields): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.some(part => isImpossible(part, table))
    case 'or':
      return filter.of.every(part => isImpossible(part, table))
    case 'not':
      return false
    default: {
      const { freePlace } = table
      if (filter.field.in === 'known' || !freePlace) return false
      const target = fieldTarget(filter.field, table)
      if (target.kind !== 'json' || target.lists.length > 0) return false
      return target.columns.every(of => of !== 'exceptions_json' && freePlace(of, target.path) === 'absent')
    }
  }
}
