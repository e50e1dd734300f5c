import type { Field } from '../../../domain/filter.js'
import type { JsonColumn } from '../free-columns.js'
import { fieldTarget, freePlaceOf, jsonPointer, type TableFields } from './field-target.js'
import type { Params } from './params.js'

const COLUMNS: readonly JsonColumn[] = ['fields_json', 'tags_json']

/** The columns of JSON that have the values of a field; null if a column of its own, or something else, has some. */
function jsonColumnsOf(
  field: Field,
  table: TableFields
): { readonly columns: readonly JsonColumn[]; readonly path: string } | null {
  const target = fieldTarget(field, table)
  if (target.kind !== 'json' || target.isKnown) return null
  const places = target.columns.map(column => ({ column, place: freePlaceOf(column, target.path, table) }))
  const read = places.filter(({ place }) => place !== 'absent')
  if (read.length === 0 || read.some(({ column, place }) => place !== null || column === 'exceptions_json')) return null
  return { columns: read.map(({ column }) => column as JsonColumn), path: target.path }
}

/** Whether a field is read by JSON alone in rows with these fields. */
export function isRaw(field: Field, table: TableFields): boolean {
  return jsonColumnsOf(field, table) !== null
}

/**
 * SQL of `facet, fields_json, tags_json, n, last`: how many rows have which JSON as the value of each field, by its number.
 * `time` is SQL of the time of a row. The JSON of a row is parsed once for all fields: field by field it costs 1.5 us each.
 */
export function rawValuesSql(
  fields: readonly { readonly at: number; readonly field: Field }[],
  { fields: table, time }: { readonly fields: TableFields; readonly time: string },
  params: Params,
  select: (columns: string) => string
): string {
  const sources = fields.map(({ field }) => jsonColumnsOf(field, table)!)
  const extracted: string[] = []
  const lists: string[] = []
  for (const column of COLUMNS) {
    const paths = sources.filter(({ columns }) => columns.includes(column)).map(({ path }) => jsonPointer(path))
    let place = 0
    const items = sources.map(({ columns }) => (columns.includes(column) ? `${column}_values[${++place}]` : 'NULL'))
    const list = paths.map(path => params.add(path)).join(', ')
    extracted.push(`${paths.length > 0 ? `json_extract(${column}, [${list}])` : 'NULL'} AS ${column}_values`)
    lists.push(`unnest(CAST([${items.join(', ')}] AS VARCHAR[])) AS ${column}`)
  }
  const rows = select(`${time} AS time, ${extracted.join(', ')}`)
  const each = `SELECT time, unnest([${fields.map(({ at }) => at).join(', ')}]) AS facet, ${lists.join(', ')} FROM (${rows})`
  return `SELECT facet, ${COLUMNS.join(', ')}, count(*) AS n, max(time) AS last FROM (${each}) GROUP BY ALL`
}

function stringsSql(json: string): string {
  const items = `list_transform(CAST(${json} AS JSON[]), lambda j: j->>'$')`
  return `CASE WHEN ${json} IS NULL THEN CAST([] AS VARCHAR[]) WHEN starts_with(${json}, '[') THEN ${items}
    ELSE [CAST(${json} AS JSON)->>'$'] END`
}

/** SQL of the strings of a row of `rawValuesSql`, NULL among them for null. */
export const RAW_STRINGS = `list_concat(${COLUMNS.map(stringsSql).join(', ')})`
