import { LOG_MEMBERS, LOG_ROWS, type LogRow, perRow } from './log-members.js'
import { compilePath, type PathStep } from './member-path.js'

/** A member that may be the source of a row. */
export interface Candidate {
  readonly row: LogRow
  /** Position in its row; the lowest that is usable wins. */
  readonly rank: number
  readonly path: string
  /** The way from the value of the first key on; null when that value is the member. */
  readonly rest: readonly PathStep[] | null
  /** A request named it by an override. */
  readonly isNamed: boolean
}

/** What may be recognized at one first key of a record. */
export interface Head {
  readonly candidates: readonly Candidate[]
  /** Bits of the rows of the candidates, by `ROW_BITS`. */
  readonly rows: number
}

/** Candidates by the first key that leads to them. */
export type MemberIndex = ReadonlyMap<string, Head>

/** The members of a row in the order in which they are tried; those of `named` are all but the names of this interface. */
export type RowMembers = Readonly<Record<LogRow, { readonly paths: readonly string[]; readonly named: number }>>

/** A bit for each row. */
export const ROW_BITS: Readonly<Record<LogRow, number>> = perRow(row => 1 << LOG_ROWS.indexOf(row))

/** Turns the table of members around, so that a record is looked at once, key by key. */
export function indexMembers(rows: RowMembers): MemberIndex {
  const found = new Map<string, Candidate[]>()
  for (const row of LOG_ROWS) {
    const { paths, named } = rows[row]
    for (const [rank, path] of paths.entries()) {
      for (const { key, rest } of compilePath(path)) {
        const candidates = found.get(key) ?? []
        found.set(key, candidates)
        candidates.push({ row, rank, path, rest, isNamed: rank < named })
      }
    }
  }
  const entries = [...found].map(([key, candidates]): [string, Head] => {
    return [key, { candidates, rows: candidates.reduce((bits, { row }) => bits | ROW_BITS[row], 0) }]
  })
  return new Map(entries)
}

/** The members of the table as they are. */
export const KNOWN_ROWS: RowMembers = perRow(row => ({ paths: LOG_MEMBERS[row], named: 0 }))

/** The index of the table. */
export const KNOWN_MEMBERS: MemberIndex = indexMembers(KNOWN_ROWS)
