import { jsonPointer, type ObjectList } from './field-target.js'
import type { Params } from './params.js'

/** A dotted path of more parts is looked for in its likely forms only. */
const MAX_PARTS = 4

/** The ways in which the parts of a dotted path can be members of nested objects: `a.b` is `/a.b` or `/a/b`. */
function splits(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length > MAX_PARTS) {
    const halves = parts.slice(1).map((_, i) => [parts.slice(0, i + 1).join('.'), parts.slice(i + 1).join('.')])
    return [[parts.join('.')], ...halves, parts]
  }
  return parts.flatMap((_, i) => {
    const head = parts.slice(0, i + 1).join('.')
    const rest = parts.slice(i + 1)
    return rest.length === 0 ? [[head]] : splits(rest).map(tail => [head, ...tail])
  })
}

/** The end of the name of the member that holds the value, as the writer's JSON text spells it. */
export function lastMemberText(path: string): string {
  return `${JSON.stringify(path.split('.').at(-1)).slice(1)}:`
}

/** SQL: the values, as strings, that the objects of a list have at a dotted path, whether objects were sent flat or nested. */
export function stringsInObjects({ column, objects }: ObjectList, path: string, params: Params): string {
  const all = `CAST(json_extract(${column}, '${objects}') AS JSON[])`
  const lists = splits(path.split('.')).map(members => {
    const pointer = params.add(members.map(jsonPointer).join(''))
    const items = `list_transform(CAST(json_extract(o, ${pointer}) AS JSON[]), lambda j: j->>'$')`
    return `flatten(list_transform(${all}, lambda o: CASE WHEN json_type(o, ${pointer}) = 'ARRAY' THEN ${items} ELSE [o->>${pointer}] END))`
  })
  return lists.length === 1 ? lists[0]! : `list_concat(${lists.join(', ')})`
}
