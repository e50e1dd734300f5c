import type { Condition } from './condition.js'
import { jsonPointer, memberText } from './field-target.js'
import type { Params } from './params.js'
import { textCondition } from './text-condition.js'

/** SQL pieces that reach one member of a column of flattened JSON. */
export interface JsonMember {
  /** False for most rows without the member, true for all with it; needs no parsing. */
  readonly mayExist: string
  /** The scalar as text; NULL for null. */
  readonly text: string
  readonly isArray: string
  /** Texts of a many-valued member, NULL among them for null. */
  readonly texts: string
}

/** Binds the path of a member and returns how to read it. */
export function jsonMember(column: string, path: string, params: Params): JsonMember {
  const pointer = params.add(jsonPointer(path))
  const text = `(${column}->>${pointer})`
  return {
    mayExist: `contains(${column}, ${params.add(memberText(path))})`,
    text,
    // Only a text that begins with a bracket is worth a second look.
    isArray: `(starts_with(${text}, '[') AND json_type(${column}, ${pointer}) = 'ARRAY')`,
    texts: `CAST(json_extract(${column}, ${pointer}) AS VARCHAR[])`
  }
}

function memberCondition(column: string, path: string, condition: Condition, params: Params): string {
  const member = jsonMember(column, path, params)
  const onText = (sql: string) => textCondition({ sql, foldColumn: null, comparesNumbers: true }, condition, params)
  const anyOf = `len(list_filter(${member.texts}, lambda v: ${onText('v')})) > 0`
  return `CASE WHEN NOT ${member.mayExist} THEN FALSE WHEN ${member.isArray} THEN ${anyOf} ELSE ${onText(member.text)} END`
}

/** SQL of a condition on a path that may lie in any of the columns; NULL counts as false. */
export function jsonCondition(columns: readonly string[], path: string, condition: Condition, params: Params): string {
  if (columns.length === 0) return 'FALSE'
  return `(${columns.map(column => memberCondition(column, path, condition, params)).join(' OR ')})`
}
