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

/**
 * The filter is compiled once for each: 200 classes with 16 conditions took 2.5 s, of which the only thread was blocked for
 * 0.3, and 0.8 s by their JSON.
 */
export const MAX_CLASSES = 16

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

/** Equal for segments of which one statement reads the paths: the name of a column follows from its path and type. */
function classKey(free: FreeColumns | null, paths: readonly FreePath[]): string {
  if (free === null) return ''
  const shown = (place: FreePlace) => (place === null || place === 'absent' ? place : `${place.type} ${place.hasNumbers}`)
  return JSON.stringify(paths.map(({ of, name }) => shown(free.place(of, name))))
}

function columnsAt(places: readonly FreePlace[]): readonly string[] {
  return [...new Set(places.flatMap(place => (place === null || place === 'absent' ? [] : [freeColumnName(place)])))]
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

/** The largest classes; the segments of all others are one more, which is read by its JSON. */
function largest(classes: readonly SegmentClass[], table: TableFields): readonly SegmentClass[] {
  if (classes.length <= MAX_CLASSES) return classes
  const rowsOf = ({ segments }: SegmentClass) => segments.reduce((sum, { rows }) => sum + rows, 0)
  const sorted = classes.toSorted((a, b) => rowsOf(b) - rowsOf(a))
  const others = sorted.slice(MAX_CLASSES - 1).flatMap(({ segments }) => segments)
  return [...sorted.slice(0, MAX_CLASSES - 1), { segments: others, fields: table, columns: [] }]
}

/** The segments in which a filter on `fields` may match a row, by what its conditions and `groups` need of them. */
export async function freeClasses(
  { snapshot }: Pick<Scope, 'snapshot'>,
  table: TableFields,
  { filter, groups = [] }: { readonly filter: Filter; readonly groups?: readonly Field[] },
  segments: readonly Segment[]
): Promise<readonly SegmentClass[]> {
  const paths = [...fieldsIn(filter), ...groups].flatMap(field => pathsOf(field, table))
  if (paths.length === 0 || segments.length === 0) return [{ segments, fields: table, columns: [] }]
  const known = await snapshot.freeColumns(segments.map(({ file }) => file))
  const alike = groupedBy(segments, ({ file }) => classKey(known.get(file) ?? null, paths))
  const classes = [...alike.values()].map((group): SegmentClass => {
    const free = known.get(group[0]!.file)
    if (!free) return { segments: group, fields: table, columns: [] }
    return {
      segments: group,
      fields: { ...table, freePlace: (of, name) => free.place(of, name) },
      columns: columnsAt(paths.map(({ of, name }) => free.place(of, name)))
    }
  })
  return largest(
    classes.filter(({ fields }) => !isImpossible(filter, fields)),
    table
  )
}
