import { moveException } from './move-exception.js'
import { findHits, type MemberHit, type Hits } from './find-hits.js'
import { fillTemplate } from './fill-template.js'
import { AMBIGUOUS_TIMES, LOG_NAMES, OWN_NAMES, perRow, type LogName, type LogRow } from './log-members.js'
import type { LogOptions } from './log-options.js'
import { gatherAlso, LogPart } from './log-part.js'
import { parseEmbedded } from './parse-embedded.js'
import { readId, hasMoreThanId } from './read-id.js'
import { isUnknownNumber, readLevel, type ReadLevel } from './read-level.js'
import { bytesToText } from './bytes-to-text.js'
import { readTime } from './read-time.js'
import type { ReadTime } from './read-time-text.js'
import { gather, isRawObject, type RawObject } from '../raw-object.js'

/** Which member each part of a record was read from; undefined for parts that it does not have. */
export type ReadFrom = Readonly<Record<LogRow, string | undefined>>

/** A member of this interface, as it was sent and not checked yet. */
export interface OwnValue {
  readonly own: unknown
}

/** What a record is made of. Strings of `OwnValue` are checked by its reader; all else is usable as it is. */
export interface RecognizedLog {
  readonly message: unknown
  /** Null: the record has no time that could be read. */
  readonly time: ReadTime | OwnValue | null
  readonly level: ReadLevel | OwnValue | null
  /** The service and the other strings that JSON logs name. */
  readonly names: Readonly<Record<LogName, unknown>>
  readonly traceId: unknown
  readonly spanId: unknown
  /** Free fields: every member that was not used. */
  readonly extra: RawObject | null
  /** Members that the request makes tags of. */
  readonly tags: RawObject | null
  readonly from: ReadFrom
  /** The first member that is named like a time and could not be read; null without one. */
  readonly unreadTime: string | null
  /** The first member that may be a time or another date and is outside of the accepted window; null without one. */
  readonly outsideTime: string | null
  /** Overrides whose member the record has. */
  readonly named: readonly string[]
}

/** The accepted times of a record. */
export interface TimeWindow {
  readonly oldestNs: bigint
  readonly newestNs: bigint
}

const MAX_TEXT = 31 * 1024
const NOTHING_NAMED: readonly string[] = []
const UNIT_SUFFIX = '.service'
const CONTAINERS: ReadonlySet<string> = new Set(['container_name', 'container.name', 'kubernetes.container_name'])
/** Names that other loggers give to objects. */
const MAY_BE_OBJECTS: ReadonlySet<string> = new Set(['message', ...LOG_NAMES])
const NOTHING_READ: ReadFrom = perRow(() => undefined)
const RECORD_MEMBERS: ReadonlySet<string> = new Set(['namespace', 'log_fields'])

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Whether a hit is a name of this interface that was sent there, whatever it holds: it wins, and is checked. */
function isOwn({ path, part, value }: MemberHit, record: LogPart): boolean {
  if (part !== record || !OWN_NAMES.has(path) || value === '') return false
  return !(MAY_BE_OBJECTS.has(path) && isRawObject(value))
}

/**
 * The text at a member that may be a message; null for another value. journald writes bytes that are not printable as numbers.
 */
function messageText({ path, value }: MemberHit): string | null {
  if (isText(value)) return value
  return path === 'MESSAGE' && Array.isArray(value) ? bytesToText(value) : null
}

/** The text of a name that is not of this interface; null for another value. */
function readName({ path, value, part }: MemberHit): string | null {
  if (!isText(value) || value.length > MAX_TEXT) return null
  if (path === '_SYSTEMD_UNIT') return value.endsWith(UNIT_SUFFIX) ? value.slice(0, -UNIT_SUFFIX.length) || null : value
  if (CONTAINERS.has(path) && value.startsWith('/')) return value.slice(1) || null
  // pino and bunyan name the service so, most other loggers themselves.
  if (path === 'name' && !(typeof part.raw['level'] === 'number' && part.raw['pid'] !== undefined)) return null
  return value
}

/** Hits of the level, with an unknown number at the name of this interface behind all others. */
function numbersLast(hits: readonly MemberHit[]): readonly MemberHit[] {
  const isLast = ({ path, value, isNamed }: MemberHit): boolean => path === 'level' && !isNamed && isUnknownNumber(value)
  return hits.length > 1 && hits.some(isLast) ? [...hits.filter(hit => !isLast(hit)), ...hits.filter(isLast)] : hits
}

/** Reads one record; every part of it is taken out of the free fields only when it was used. */
class Recognition {
  readonly #record: LogPart
  readonly #parts: readonly LogPart[]
  readonly #hits: Hits
  readonly #options: LogOptions
  readonly #window: TimeWindow
  #outsideTime: string | null = null
  readonly #from: { -readonly [Row in LogRow]: string | undefined } = { ...NOTHING_READ }

  constructor(raw: RawObject, options: LogOptions, window: TimeWindow) {
    this.#options = options
    this.#window = window
    this.#record = new LogPart(raw)
    const alone = findHits([this.#record], options.index)
    const inner = this.#embedded(alone.message)
    this.#parts = inner === null ? [this.#record] : [this.#record, inner]
    this.#hits = inner === null ? alone : findHits(this.#parts, options.index)
  }

  read(): RecognizedLog {
    const time = this.#time()
    return {
      message: this.#message(),
      time,
      level: this.#level(),
      names: this.#names(),
      traceId: this.#id('trace_id'),
      spanId: this.#id('span_id'),
      tags: this.#tags(),
      // Last: what is left over when all else has been taken.
      extra: this.#extra(),
      from: this.#from,
      unreadTime: time === null ? (this.#hits.time[0]?.path ?? null) : null,
      outsideTime: time === null ? this.#outsideTime : null,
      named: this.#named()
    }
  }

  #use(row: LogRow, { part, keys, path }: MemberHit, isWhole = true): void {
    if (isWhole) part.take(keys)
    this.#from[row] = path
  }

  /** The part of the JSON in a message that may be one; null for any other string. */
  #embedded(hits: readonly MemberHit[]): LogPart | null {
    const hit = hits.find(({ value }) => isText(value))
    if (hit === undefined || !this.#options.parsesMessageOf(hit.path)) return null
    const inner = parseEmbedded(hit.value as string)
    if (inner === null) return null
    const part = new LogPart(inner)
    // Without a message of its own it stays the text that it is.
    if (!findHits([part], this.#options.index).message.some(({ value }) => isText(value))) return null
    this.#record.take(hit.keys)
    return part
  }

  #message(): unknown {
    const isEmbedded = this.#parts.length > 1
    const hits = isEmbedded ? this.#hits.message.filter(({ part }) => part !== this.#record) : this.#hits.message
    const hit = hits.find(candidate => isOwn(candidate, this.#record) || messageText(candidate) !== null)
    // An object that is not a message of ours is refused as it was.
    if (hit === undefined) return this.#record.raw['message']
    const text = messageText(hit) ?? hit.value
    const filled = hit.path === '@mt' ? fillTemplate(text as string, hit.part.raw) : text
    this.#use('message', hit, hit.path !== '@mt')
    return filled
  }

  #time(): RecognizedLog['time'] {
    for (const hit of this.#hits.time) {
      if (!hit.isNamed && isOwn(hit, this.#record)) {
        this.#use('time', hit)
        return { own: hit.value }
      }
      const time = readTime(hit.path, hit.value, this.#options.time, hit.part.raw)
      if (time === null) continue
      if (this.#isOtherDate(hit, time.ns)) {
        this.#outsideTime ??= hit.path
        continue
      }
      this.#use('time', hit)
      if (hit.path === 'timestampSeconds') hit.part.take(['timestampNanos'])
      return time
    }
    return null
  }

  /** Whether it is a date that cannot be the event's, at a member that the request does not name. */
  #isOtherDate({ path, isNamed }: MemberHit, ns: bigint): boolean {
    return !isNamed && AMBIGUOUS_TIMES.has(path) && (ns < this.#window.oldestNs || ns > this.#window.newestNs)
  }

  #level(): RecognizedLog['level'] {
    for (const hit of numbersLast(this.#hits.level)) {
      const level = isOwn(hit, this.#record) ? { own: hit.value } : readLevel(hit.path, hit.value)
      if (level === null) continue
      this.#use('level', hit)
      return level
    }
    // Serilog's compact form leaves the level of information out.
    const isCompact = this.#parts.some(({ raw }) => raw['@t'] !== undefined && (raw['@m'] ?? raw['@mt']) !== undefined)
    return isCompact ? readLevel('@l', 'Information') : null
  }

  #names(): Record<LogName, unknown> {
    const names: Partial<Record<LogName, unknown>> = {}
    for (const row of LOG_NAMES) names[row] = this.#name(row) ?? this.#options.constants[row]
    return names as Record<LogName, unknown>
  }

  #name(row: LogName): unknown {
    for (const hit of this.#hits[row]) {
      const name = isOwn(hit, this.#record) ? hit.value : readName(hit)
      if (name === null) continue
      this.#use(row, hit)
      return name
    }
    return undefined
  }

  #id(row: 'trace_id' | 'span_id'): unknown {
    for (const hit of this.#hits[row]) {
      const id = isOwn(hit, this.#record) ? hit.value : readId(hit.path, hit.value, row === 'trace_id')
      if (id === null) continue
      this.#use(row, hit, !hasMoreThanId(hit.path))
      return id
    }
    return undefined
  }

  #tags(): RawObject | null {
    let tags: Record<string, unknown> | null = null
    for (const { path, takeFrom } of this.#options.tagMembers) {
      for (const part of this.#parts) {
        const value = takeFrom(part)
        if (value !== undefined) tags = gather(tags, path, value)
      }
    }
    return tags
  }

  #extra(): RawObject | null {
    const exception = moveException(this.#hits.stack, this.#record.raw['log_fields'])
    if (exception !== null) this.#from.stack = exception.path
    for (const { takeFrom } of this.#options.ignored) for (const part of this.#parts) takeFrom(part)
    let extra: Record<string, unknown> | null = null
    for (const part of this.#parts) {
      extra = part.addRest(extra, (key, value) => part === this.#record && this.#isRecordMember(key, value))
    }
    if (exception !== null) for (const [key, value] of Object.entries(exception.fields)) extra = gatherAlso(extra, key, value)
    return extra
  }

  /** Whether a member of the record that was not used is not a free field: read elsewhere, or not sent. */
  #isRecordMember(key: string, value: unknown): boolean {
    if (RECORD_MEMBERS.has(key)) return true
    if (key === 'tags') return !Array.isArray(value)
    return OWN_NAMES.has(key) && (value === null || value === '')
  }

  #named(): readonly string[] {
    if (this.#options.named.length === 0) return NOTHING_NAMED
    return Object.values(this.#hits).flatMap(hits => hits.filter(hit => hit.isNamed).map(({ path }) => path))
  }
}

/** Finds out what a record of any logger means. Names of this interface win; nothing that is not used is lost. */
export function recognizeLog(raw: RawObject, options: LogOptions, window: TimeWindow): RecognizedLog {
  return new Recognition(raw, options, window).read()
}
