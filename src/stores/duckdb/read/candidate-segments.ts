import { statSync } from 'node:fs'
import { fold } from '../../../domain/case-folding.js'
import type { Field, Filter } from '../../../domain/filter.js'
import { Pace } from '../../../threads/pace.js'
import { forEachGram } from '../gram-index.js'
import type { RowRange, Segment } from '../snapshot.js'
import { earliestArrivalMs } from './arrival-condition.js'
import { hashOfId, ID_COLUMNS, type IdColumn, type IdHash } from '../id-index.js'
import { OpenGramIndex } from './open-gram-index.js'
import { OpenIdIndex } from './open-id-index.js'
import { overlapping, type Scope } from './source.js'

/** More grams of one text leave out next to nothing more. */
const MAX_GRAMS = 24
/** Ids of one condition that are looked for: the spellings of an id, or few. */
const MAX_IDS = 16
/** Each is a condition on all rows that are read: of more the longest count. */
const MAX_SKIPS = 32
/** Indexes that are looked into between two yields to the event loop. */
const LOOKS_AT_ONCE = 32

/** What rows must have for a filter to match, as far as indexes have it. */
type IndexCondition =
  | { readonly kind: 'grams'; readonly slots: readonly number[] }
  | { readonly kind: 'ids'; readonly hashes: readonly IdHash[] }
  | { readonly kind: 'and' | 'or'; readonly of: readonly IndexCondition[] }

function gramsOf(text: string): IndexCondition | null {
  const slots = new Set<number>()
  forEachGram(Buffer.from(fold(text)), slot => slots.add(slot))
  return slots.size === 0 ? null : { kind: 'grams', slots: [...slots].slice(0, MAX_GRAMS) }
}

function isIdColumn(name: string): name is IdColumn {
  return ID_COLUMNS.some(column => column === name)
}

/** Null for other fields, and for more ids than are worth a look each. */
function idsOf({ in: place, name }: Field, ids: readonly string[]): IndexCondition | null {
  if (place !== 'known' || !isIdColumn(name) || ids.length > MAX_IDS) return null
  return { kind: 'ids', hashes: ids.map(id => hashOfId(name, id)) }
}

/** Null if a filter has no condition that an index can decide. */
function requiredBy(filter: Filter): IndexCondition | null {
  switch (filter.kind) {
    case 'and': {
      const of = filter.of.map(requiredBy).filter(part => part !== null)
      return of.length === 0 ? null : { kind: 'and', of }
    }
    case 'or': {
      const of = filter.of.map(requiredBy).filter(part => part !== null)
      return of.length === 0 || of.length < filter.of.length ? null : { kind: 'or', of }
    }
    case 'contains':
    case 'prefix':
    case 'eq':
      if (filter.field.in === 'known' && filter.field.name === 'message') return gramsOf(filter.value)
      return filter.kind === 'eq' ? idsOf(filter.field, [filter.value]) : null
    case 'in':
      return idsOf(filter.field, filter.values)
    default:
      return null
  }
}

/** The indexes of a segment that a condition needs, opened once. */
class OpenIndexes {
  readonly #segment: string
  #grams: OpenGramIndex | null | undefined
  #ids: OpenIdIndex | null | undefined

  constructor(segment: string) {
    this.#segment = segment
  }

  get rowsPerGroup(): number {
    return (this.#grams ?? this.#ids)!.rowsPerGroup
  }

  /** For each row group whether it may contain a match; null when that is unknown. */
  groupsOf(requested: IndexCondition): readonly boolean[] | null {
    if (requested.kind === 'grams') {
      this.#grams ??= this.#grams === undefined ? OpenGramIndex.open(this.#segment) : null
      return this.#grams?.groupsWith(requested.slots) ?? null
    }
    if (requested.kind === 'ids') {
      this.#ids ??= this.#ids === undefined ? OpenIdIndex.open(this.#segment) : null
      return this.#ids && anyOf(requested.hashes.map(hash => this.#ids!.groupsWith(hash)))
    }
    const parts = requested.of.map(part => this.groupsOf(part))
    return requested.kind === 'or' ? anyOf(parts) : allOf(parts)
  }

  close(): void {
    this.#grams?.close()
    this.#ids?.close()
  }
}

type Groups = readonly boolean[] | null

function anyOf([first = null, ...others]: readonly Groups[]): Groups {
  return others.reduce((all, part) => (all && part ? all.map((may, i) => may || part[i]!) : null), first)
}

function allOf([first = null, ...others]: readonly Groups[]): Groups {
  return others.reduce((all, part) => (all && part ? all.map((may, i) => may && part[i]!) : (all ?? part)), first)
}

function skipsOf(groups: readonly boolean[], rowsPerGroup: number): readonly RowRange[] {
  const skips: RowRange[] = []
  for (let from = 0; from < groups.length; from++) {
    if (groups[from]!) continue
    const first = from
    while (from < groups.length && !groups[from]!) from++
    skips.push({ from: first * rowsPerGroup, to: from * rowsPerGroup })
  }
  return skips.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_SKIPS)
}

/** The segment without the row groups that cannot match; null when none can. */
function candidatePart(segment: Segment, requested: IndexCondition): Segment | null {
  const indexes = new OpenIndexes(segment.file)
  try {
    const groups = indexes.groupsOf(requested)
    if (!groups) return segment
    if (!groups.includes(true)) return null
    const skips = skipsOf(groups, indexes.rowsPerGroup)
    return skips.length === 0 ? segment : { ...segment, skips: [...(segment.skips ?? []), ...skips] }
  } finally {
    indexes.close()
  }
}

/** A clock may be set back by as much between the arrival of a record and its segment. */
const CLOCK_MARGIN_MS = 60_000

/** Whether the file was written after `ms`. One that cannot be read is a candidate: reading it reports the fault. */
function isWrittenAfter(file: string, ms: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined || stats.mtimeMs >= ms
}

/** Leaves out the segments, and of others the row groups, in which no row can have the strings or ids of a filter. */
export class CandidateSegments {
  readonly #requested: IndexCondition | null
  /** Segments that were written before are complete without what is requested: files never change. */
  readonly #writtenAfterMs: number | null
  readonly #pace: Pace

  constructor({ kind, signal }: Pick<Scope, 'kind' | 'signal'>, filter: Filter) {
    this.#requested = kind === 'logs' ? requiredBy(filter) : null
    const arrivedMs = kind === 'logs' ? earliestArrivalMs(filter) : null
    this.#writtenAfterMs = arrivedMs === null ? null : arrivedMs - CLOCK_MARGIN_MS
    this.#pace = new Pace(LOOKS_AT_ONCE, signal)
  }

  /** Whether every match has one of a few ids: hardly any row does. */
  get haveIds(): boolean {
    const requested = this.#requested
    return requested !== null && (requested.kind === 'and' ? requested.of : [requested]).some(({ kind }) => kind === 'ids')
  }

  /** Those of `segments` that may contain a matching row, with the row groups that cannot. Yields between reads. */
  async among(segments: readonly Segment[]): Promise<readonly Segment[]> {
    const requested = this.#requested
    const afterMs = this.#writtenAfterMs
    if (!requested && afterMs === null) return segments
    const candidates: Segment[] = []
    for (const segment of segments) {
      if (this.#pace.isDue()) await this.#pace.rest()
      if (afterMs !== null && !isWrittenAfter(segment.file, afterMs)) continue
      const part = requested ? candidatePart(segment, requested) : segment
      if (part) candidates.push(part)
    }
    return candidates
  }
}

/** The scope with those segments alone in which the filter may match a row. */
export async function candidateScope(scope: Scope, filter: Filter): Promise<Scope> {
  const segments = await new CandidateSegments(scope, filter).among(overlapping(scope))
  return { ...scope, snapshot: { ...scope.snapshot, segments } }
}
