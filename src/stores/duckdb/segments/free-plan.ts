import type { DuckDBConnection } from '@duckdb/node-api'
import { type FreeColumn, FreeColumns, type FreeColumnList, type FreeMember, type FreeType } from '../free-columns.js'
import { countMembers, MAX_COUNTED_NAMES, type MemberFacts, NO_FACTS, readFacts } from './free-facts.js'

/** Columns of one segment: each takes 0.04 to 0.16 us a row to write, even where it is empty. */
export const MAX_FREE_COLUMNS = 32
/** A member gets a column if at least one of so many rows has it. */
export const ROWS_PER_MEMBER = 64
/** Longer values on average stay in the JSON alone: they are what messages are made of, not what is filtered by. */
export const MAX_MEAN_LENGTH = 128
/** Members with names of more characters stay in the JSON alone, and no list names them. */
export const MAX_LISTED_NAME = 256
/** Rows by which types are guessed. */
const SAMPLE_ROWS = 4_096

/** Rows that become part of a segment, and what is known of their free columns: null if they have only JSON. */
export interface RowsPart {
  /** SQL of the rows, with the columns of their kind and the free columns. */
  readonly sql: string
  readonly free: FreeColumnList | null
}

/** A member of all parts together. */
interface Candidate extends FreeMember {
  readonly hasLists: boolean
}

interface Counted {
  readonly candidates: readonly Candidate[]
  readonly isComplete: boolean
}

// A control character would end the statement, or be another one in it.
const PLAIN_NAME = /^[^\p{Cc}]*$/u

function canBeColumn({ name, rows, hasLists }: Candidate, allRows: number): boolean {
  return !hasLists && rows * ROWS_PER_MEMBER >= allRows && name.length <= MAX_LISTED_NAME && PLAIN_NAME.test(name)
}

function keyOf({ of, name }: Pick<FreeMember, 'of' | 'name'>): string {
  return `${of} ${name}`
}

/** The members of all parts, most frequent first. */
async function countAll(connection: DuckDBConnection, parts: readonly RowsPart[]): Promise<Counted> {
  const sums = new Map<string, Candidate>()
  let isComplete = true
  for (const { sql, free } of parts) {
    const counted = free === null ? await countMembers(connection, sql) : null
    const members = counted?.members.map(member => ({ ...member, hasLists: false })) ?? [
      ...free!.columns.map(column => ({ ...column, hasLists: false })),
      ...free!.others
    ]
    isComplete &&= counted?.isComplete ?? free!.isComplete
    for (const { of, name, rows, hasLists } of members) {
      const key = keyOf({ of, name })
      const known = sums.get(key)
      sums.set(key, { of, name, rows: rows + (known?.rows ?? 0), hasLists: hasLists || (known?.hasLists ?? false) })
    }
  }
  return { candidates: [...sums.values()].sort((a, b) => b.rows - a.rows), isComplete }
}

/** One list of segments that have the same columns; null when one of them lists nothing. */
export function joinedLists(lists: readonly (FreeColumnList | null)[]): FreeColumnList | null {
  const [first, ...rest] = lists
  if (!first) return null
  let joinedList = first
  for (const list of rest) {
    if (!list) return null
    joinedList = {
      columns: joinedMembers(joinedList.columns, list.columns, (a, b) => ({ ...a, hasNumbers: a.hasNumbers || b.hasNumbers })),
      others: joinedMembers(joinedList.others, list.others, (a, b) => ({ ...a, hasLists: a.hasLists || b.hasLists })),
      isComplete: joinedList.isComplete && list.isComplete
    }
  }
  return joinedList
}

function joinedMembers<Member extends FreeMember>(
  a: readonly Member[],
  b: readonly Member[],
  join: (a: Member, b: Member) => Member
): readonly Member[] {
  const byKey = new Map(a.map(member => [keyOf(member), member]))
  for (const member of b) {
    const known = byKey.get(keyOf(member))
    byKey.set(keyOf(member), known ? { ...join(known, member), rows: known.rows + member.rows } : member)
  }
  return [...byKey.values()]
}

/** What is known of the values of a member before a row is read. */
function factsOfColumn({ type, hasNumbers }: FreeColumn): MemberFacts {
  const isNumber = type !== 'text'
  return { isInteger: type === 'integer', isNumber, hasNumbers: isNumber || hasNumbers, hasLists: false, length: 0 }
}

function joined(a: MemberFacts, b: MemberFacts): MemberFacts {
  return {
    isInteger: a.isInteger && b.isInteger,
    isNumber: a.isNumber && b.isNumber,
    hasNumbers: a.hasNumbers || b.hasNumbers,
    hasLists: a.hasLists || b.hasLists,
    length: Math.max(a.length, b.length)
  }
}

function typeOf({ isInteger, isNumber }: MemberFacts): FreeType {
  if (isInteger) return 'integer'
  return isNumber ? 'number' : 'text'
}

/** The facts of members in all parts; of those that a part has in its JSON by its first `sampleRows` rows, or by all. */
async function factsOf(
  connection: DuckDBConnection,
  parts: readonly RowsPart[],
  members: readonly FreeMember[],
  sampleRows: number | null
): Promise<readonly MemberFacts[]> {
  let facts: readonly MemberFacts[] = members.map(() => NO_FACTS)
  for (const { sql, free } of parts) {
    const columns = free && new FreeColumns(free)
    const places = members.map(({ of, name }) => columns?.place(of, name) ?? null)
    const unknown = members.filter((_, i) => places[i] === null)
    const read = await readFacts(connection, sampleRows === null ? sql : `${sql} LIMIT ${sampleRows}`, unknown)
    const found = new Map(unknown.map((member, i) => [keyOf(member), read[i]!]))
    facts = facts.map((before, i) => {
      const place = places[i]
      if (place === 'absent') return before
      return joined(before, place ? factsOfColumn(place) : found.get(keyOf(members[i]!))!)
    })
  }
  return facts
}

/** What becomes of the members of new segments; made of a sample of the rows or of all. */
export class FreePlan {
  readonly #counted: Counted
  readonly #parts: readonly RowsPart[]
  readonly #members: readonly Candidate[]

  private constructor(counted: Counted, parts: readonly RowsPart[], allRows: number) {
    this.#counted = counted
    this.#parts = parts
    this.#members = counted.candidates.filter(member => canBeColumn(member, allRows)).slice(0, MAX_FREE_COLUMNS)
  }

  static async of(connection: DuckDBConnection, parts: readonly RowsPart[], allRows: number): Promise<FreePlan> {
    return new FreePlan(await countAll(connection, parts), parts, allRows)
  }

  /** Columns by a look at few rows: other rows may not fit. */
  guessed(connection: DuckDBConnection): Promise<FreeColumnList> {
    return this.#list(connection, SAMPLE_ROWS)
  }

  /** Columns by all rows. */
  certain(connection: DuckDBConnection): Promise<FreeColumnList> {
    return this.#list(connection, null)
  }

  async #list(connection: DuckDBConnection, sampleRows: number | null): Promise<FreeColumnList> {
    const facts = await factsOf(connection, this.#parts, this.#members, sampleRows)
    const columns = this.#members.flatMap(({ of, name, rows }, i) => {
      const { hasLists, length, hasNumbers } = facts[i]!
      if (hasLists || length > MAX_MEAN_LENGTH) return []
      const type = typeOf(facts[i]!)
      return [{ of, name, rows, type, hasNumbers: type === 'text' && hasNumbers }]
    })
    const isColumn = new Set(columns.map(keyOf))
    const lists = new Set(this.#members.filter((_, i) => facts[i]!.hasLists).map(keyOf))
    const { candidates, isComplete } = this.#counted
    const rest = candidates.filter(member => !isColumn.has(keyOf(member)))
    const others = rest
      .filter(({ name }) => name.length <= MAX_LISTED_NAME)
      .slice(0, MAX_COUNTED_NAMES)
      .map(member => ({ ...member, hasLists: member.hasLists || lists.has(keyOf(member)) }))
    return { columns, others, isComplete: isComplete && others.length === rest.length }
  }
}
