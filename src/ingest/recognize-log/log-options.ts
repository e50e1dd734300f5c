import type { LogName } from './log-members.js'
import type { LogOverrides } from './override-names.js'
import type { LogPart } from './log-part.js'
import { KNOWN_MEMBERS, type MemberIndex } from './member-index.js'
import { compilePath, findMember } from './member-path.js'
import type { TimeReading } from './read-time-text.js'

/** A member that a request puts elsewhere than into the free fields. */
export interface TakenMember {
  readonly path: string
  /** Its value, which the free fields do not have any more; undefined when the record does not have it. */
  readonly takeFrom: (part: LogPart) => unknown
}

/** How the records of a request are recognized. */
export interface LogOptions {
  /** As they were stated. */
  readonly overrides: LogOverrides
  readonly index: MemberIndex
  /** Whether every record is looked over, not only those with members that the table knows. */
  readonly looksAtAll: boolean
  /** Members that overrides name, with the override: `time_field` and its path. */
  readonly named: readonly { readonly override: string; readonly path: string }[]
  readonly time: TimeReading
  /** What a record without such a name of its own gets. */
  readonly constants: Readonly<Partial<Record<LogName, string>>>
  /** Tags for records that have none of the name. */
  readonly tags: ReadonlyMap<string, string>
  /** Members that become tags. */
  readonly tagMembers: readonly TakenMember[]
  readonly ignored: readonly TakenMember[]
  /** Whether a message at this member is read as JSON, if it is an object with a message. */
  readonly parsesMessageOf: (path: string) => boolean
}

/** The member at a dotted path. */
export function takenMember(path: string): TakenMember {
  const steps = compilePath(path)
  return {
    path,
    takeFrom(part) {
      const found = findMember(part.raw, steps)
      if (found !== null) part.take(found.keys)
      return found?.value
    }
  }
}

/** What container runtimes and shippers wrap the line of a program in. */
export function isWrapper(path: string): boolean {
  return path === 'log'
}

/** The members of the table, times by magnitude and in UTC, nothing added, nothing left out. */
export const DEFAULT_LOG_OPTIONS: LogOptions = Object.freeze({
  overrides: {},
  index: KNOWN_MEMBERS,
  looksAtAll: false,
  named: [],
  time: {},
  constants: {},
  tags: new Map<string, string>(),
  tagMembers: [],
  ignored: [],
  parsesMessageOf: isWrapper
})
