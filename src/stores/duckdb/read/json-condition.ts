import { valuesOfCondition } from '../../../domain/filter.js'
import { parseNumericText } from '../../../domain/number-text.js'
import type { Condition } from './condition.js'
import { type FieldTarget, freePlaceOf, jsonPointer, memberText, type ObjectList, type TableFields } from './field-target.js'
import { freeCondition } from './free-condition.js'
import type { Params } from './params.js'
import { textCondition } from './text-condition.js'

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
function lastMemberText(path: string): string {
  return `${JSON.stringify(path.split('.').at(-1)).slice(1)}:`
}

/** SQL: the values, as strings, that the objects of a list have at a dotted path, whether objects were sent flat or nested. */
function stringsInObjects({ column, objects }: ObjectList, path: string, params: Params): string {
  const all = `CAST(json_extract(${column}, '${objects}') AS JSON[])`
  const lists = splits(path.split('.')).map(members => {
    const pointer = params.add(members.map(jsonPointer).join(''))
    const items = `list_transform(CAST(json_extract(o, ${pointer}) AS JSON[]), lambda j: j->>'$')`
    return `flatten(list_transform(${all}, lambda o: CASE WHEN json_type(o, ${pointer}) = 'ARRAY' THEN ${items} ELSE [o->>${pointer}] END))`
  })
  return lists.length === 1 ? lists[0]! : `list_concat(${lists.join(', ')})`
}

// More spellings than these cost as much as parsing.
const MAX_REQUIRED_TEXTS = 4

type JsonTarget = Extract<FieldTarget, { kind: 'json' }>

/** SQL pieces that reach one member of a column of flattened JSON. */
export interface JsonMember {
  /** False for most rows without the member, true for all with it; needs no parsing. */
  readonly mayExist: string
  /** The scalar as text; NULL for null. */
  readonly text: string
  readonly isArray: string
  /** Strings of a many-valued member, NULL among them for null. */
  readonly strings: string
}

/** Binds the path of a member and returns how to read it. */
export function jsonMember(column: string, path: string, params: Params): JsonMember {
  const pointer = params.add(jsonPointer(path))
  const text = `(${column}->>${pointer})`
  return {
    mayExist: `contains(${column}, ${params.add(memberText(path))})`,
    text,
    // Parsing costs most here, so `json_type` runs only on strings that look like a list.
    isArray: `(contains(${column}, ${params.add(`${memberText(path)}[`)}) AND json_type(${column}, ${pointer}) = 'ARRAY')`,
    // Cast to strings at once, numbers would be spelled the engine's way.
    strings: `list_transform(CAST(json_extract(${column}, ${pointer}) AS JSON[]), lambda j: j->>'$')`
  }
}

/** A string that every member equal to one of the values holds; null when a number may be spelled in another way. */
function requiredStrings(condition: Condition): readonly string[] | null {
  if (condition.kind !== 'eq' && condition.kind !== 'in' && condition.kind !== 'text') return null
  const values = valuesOfCondition(condition)
  const isSpelled = condition.kind === 'text' || values.every(value => parseNumericText(value) === null)
  if (values.length === 0 || values.length > MAX_REQUIRED_TEXTS || !isSpelled) return null
  return values.map(value => JSON.stringify(value).slice(1, -1))
}

function mayMatch(column: string, member: Pick<JsonMember, 'mayExist'>, condition: Condition, params: Params): string {
  const strings = requiredStrings(condition)
  if (!strings) return member.mayExist
  return `(${member.mayExist} AND (${strings.map(text => `contains(${column}, ${params.add(text)})`).join(' OR ')}))`
}

function memberCondition(column: string, { path, isKnown }: JsonTarget, condition: Condition, params: Params): string {
  const member = jsonMember(column, path, params)
  const onText = (sql: string) =>
    textCondition({ sql, foldColumn: null, comparesNumbers: !isKnown, isItem: true }, condition, params)
  const anyOf = `len(list_filter(${member.strings}, lambda v: ${onText('v')})) > 0`
  return `CASE WHEN ${mayMatch(column, member, condition, params)} IS NOT TRUE THEN FALSE WHEN ${member.isArray} THEN ${anyOf} ELSE ${onText(member.text)} END`
}

function listCondition(list: ObjectList, { path }: JsonTarget, condition: Condition, params: Params): string {
  const { column } = list
  const mayExist = `contains(${column}, ${params.add(lastMemberText(path))})`
  const member = { mayExist, strings: stringsInObjects(list, path, params) }
  const onItem = textCondition({ sql: 'v', foldColumn: null, comparesNumbers: true, isItem: true }, condition, params)
  const isAny = `len(list_filter(${member.strings}, lambda v: ${onItem})) > 0`
  return `CASE WHEN ${mayMatch(column, member, condition, params)} IS NOT TRUE THEN FALSE ELSE ${isAny} END`
}

/** SQL of a condition on a path that may be in any of the columns; NULL counts as false. */
export function jsonCondition(target: JsonTarget, condition: Condition, table: TableFields, params: Params): string {
  const parts = [
    ...target.columns.map(column => {
      const place = freePlaceOf(column, target.path, table)
      if (place === 'absent') return 'FALSE'
      return (place && freeCondition(place, condition, params)) ?? memberCondition(column, target, condition, params)
    }),
    ...target.lists.map(list => listCondition(list, target, condition, params))
  ]
  return parts.length === 0 ? 'FALSE' : `(${parts.join(' OR ')})`
}
