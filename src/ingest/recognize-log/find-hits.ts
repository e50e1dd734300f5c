import { LOG_NAMES, LOG_ROWS, type LogRow, perRow } from './log-members.js'
import type { LogPart } from './log-part.js'
import type { Candidate, MemberIndex } from './member-index.js'
import { findMember } from './member-path.js'
import { isRawObject } from '../raw-object.js'

/** A member of the table that a record has. */
export interface MemberHit {
  readonly part: LogPart
  readonly path: string
  readonly rank: number
  readonly value: unknown
  readonly keys: readonly string[]
  readonly isNamed: boolean
}

/** The hits of each row, best first. Of a fixed shape: one is made for each record. */
export type Hits = Readonly<Record<LogRow, readonly MemberHit[]>>
type GrowingHits = { -readonly [Row in LogRow]: MemberHit[] }

const NONE: MemberHit[] = []
const NO_HITS: Readonly<GrowingHits> = perRow(() => NONE)
const NO_CANDIDATES: readonly Candidate[] = []

/** Ranks of the part of a row that is searched second. */
const SECOND_PART = 1_000
/** Labels around a record know its service and host best, its own members its time, level and ids. */
const OUTER_FIRST: ReadonlySet<LogRow> = new Set(LOG_NAMES)

function hitOf(part: LogPart, key: string, candidate: Candidate, offset: number): MemberHit | null {
  const { path, rest, isNamed } = candidate
  const value = part.raw[key]
  if (value === null || value === undefined) return null
  const rank = candidate.rank + offset
  if (rest === null) return { part, path, rank, value, keys: [key], isNamed }
  const found = isRawObject(value) ? findMember(value, rest) : null
  return found && { part, path, rank, value: found.value, keys: [key, ...found.keys], isNamed }
}

function addHit(hits: GrowingHits, row: LogRow, hit: MemberHit | null): void {
  if (hit === null) return
  if (hits[row] === NONE) hits[row] = [hit]
  else hits[row].push(hit)
}

/** Looks each part over once, key by key. The record is the first part, the JSON in its message the second. */
export function findHits(parts: readonly LogPart[], index: MemberIndex): Hits {
  const hits: GrowingHits = { ...NO_HITS }
  for (const [i, part] of parts.entries()) {
    for (const key in part.raw) {
      for (const candidate of index.get(key)?.candidates ?? NO_CANDIDATES) {
        const isLater = parts.length > 1 && (i === 0) !== OUTER_FIRST.has(candidate.row)
        addHit(hits, candidate.row, hitOf(part, key, candidate, isLater ? SECOND_PART : 0))
      }
    }
  }
  for (const row of LOG_ROWS) if (hits[row].length > 1) hits[row].sort((a, b) => a.rank - b.rank)
  return hits
}
