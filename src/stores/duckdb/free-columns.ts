import { createHash } from 'node:crypto'

/** Columns of flattened JSON of which a segment may have members as columns of their own. */
export const JSON_COLUMNS = ['fields_json', 'tags_json'] as const
export type JsonColumn = (typeof JSON_COLUMNS)[number]

/**
 * What a free column contains, of a member that is not a list in any row of its segment. NULL: the row lacks the member, or it
 * is null.
 * - `integer`: every value is written as a whole number of at most 15 digits; the string is the cast of the number.
 * - `number`: every value is a number (`NUMBER_PATTERN`, finite); the string is in the JSON alone.
 * - `text`: the string.
 */
export type FreeType = 'integer' | 'number' | 'text'

/** A member of the JSON of some rows of a segment. */
export interface FreeMember {
  readonly of: JsonColumn
  readonly name: string
  /** Rows that have it, null or not. */
  readonly rows: number
}

/** A member that a segment has as a column, next to the JSON. */
export interface FreeColumn extends FreeMember {
  readonly type: FreeType
  /** Of `text`: whether any value is a number. */
  readonly hasNumbers: boolean
}

/** A member that is in the JSON alone. */
export interface JsonMemberName extends FreeMember {
  /** Whether it is a list in some row. */
  readonly hasLists: boolean
}

/** The members of the JSON of a segment, as it lists them. */
export interface FreeColumnList {
  readonly columns: readonly FreeColumn[]
  readonly others: readonly JsonMemberName[]
  /** Whether no row has a member that is in neither list. */
  readonly isComplete: boolean
}

/** The column of a member, `absent` when no row has it, or null if only the JSON has its values. */
export type FreePlace = FreeColumn | 'absent' | null

const KEY_PREFIX: Readonly<Record<FreeType, string>> = { integer: 'free_i_', number: 'free_n_', text: 'free_t_' }
const HASH_DIGITS = 32

/** Name of the column: of a hash, since names of members are of any length and case counts in them. */
export function freeColumnName({ of, name, type }: Pick<FreeColumn, 'of' | 'name' | 'type'>): string {
  return KEY_PREFIX[type] + createHash('sha256').update(`${of} ${name}`).digest('hex').slice(0, HASH_DIGITS)
}

/** Finds the members of a segment by name. */
export class FreeColumns {
  readonly list: FreeColumnList
  readonly #places = new Map<string, FreeColumn | null>()

  constructor(list: FreeColumnList) {
    this.list = list
    for (const member of list.others) this.#places.set(`${member.of} ${member.name}`, null)
    for (const column of list.columns) this.#places.set(`${column.of} ${column.name}`, column)
  }

  /** Where the values of a member are. */
  place(of: JsonColumn, name: string): FreePlace {
    const place = this.#places.get(`${of} ${name}`)
    if (place !== undefined) return place
    return this.list.isComplete ? 'absent' : null
  }
}

const VERSION = 1
const TYPES: readonly string[] = Object.keys(KEY_PREFIX)

/** The list as the string that a segment contains. */
export function encodeFreeColumns({ columns, others, isComplete }: FreeColumnList): string {
  return JSON.stringify({
    version: VERSION,
    columns: columns.map(({ of, name, rows, type, hasNumbers }) => [of, name, rows, type, hasNumbers]),
    others: others.map(({ of, name, rows, hasLists }) => [of, name, rows, hasLists]),
    isComplete
  })
}

/** The list of a segment; null for a string that this version does not write: its JSON is read then. */
export function decodeFreeColumns(encoded: string): FreeColumnList | null {
  try {
    const { version, columns, others, isComplete } = JSON.parse(encoded) as Record<string, unknown>
    if (version !== VERSION || !Array.isArray(columns) || !Array.isArray(others) || typeof isComplete !== 'boolean') return null
    return { columns: columns.map(toColumn), others: others.map(toOther), isComplete }
  } catch {
    // Whatever is wrong with it, the JSON has the same values.
    return null
  }
}

function toMember([of, name, rows]: readonly unknown[]): FreeMember {
  const isMember = typeof name === 'string' && typeof rows === 'number' && JSON_COLUMNS.some(column => column === of)
  if (!isMember) throw new TypeError('not a member')
  return { of: of as JsonColumn, name, rows }
}

function toColumn(item: readonly unknown[]): FreeColumn {
  const [, , , type, hasNumbers] = item
  if (typeof type !== 'string' || !TYPES.includes(type) || typeof hasNumbers !== 'boolean') throw new TypeError('not a column')
  return { ...toMember(item), type: type as FreeType, hasNumbers }
}

function toOther(item: readonly unknown[]): JsonMemberName {
  if (typeof item[3] !== 'boolean') throw new TypeError('not a member')
  return { ...toMember(item), hasLists: item[3] }
}
