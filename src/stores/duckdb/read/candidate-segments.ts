import { statSync } from 'node:fs'
import { fold } from '../../../domain/case-folding.js'
import type { Filter } from '../../../domain/filter.js'
import { Pace } from '../../../threads/pace.js'
import { forEachGram } from '../gram-index.js'
import type { RowRange, Segment } from '../snapshot.js'
import { earliestArrivalMs } from './arrival-condition.js'
import { OpenGramIndex } from './open-gram-index.js'
import { overlapping, type Scope } from './source.js'

/** More grams of one text leave out next to nothing more. */
const MAX_GRAMS = 24
/** Each is a condition on all rows that are read: of more the longest count. */
const MAX_SKIPS = 32
/** Indexes that are looked into between two yields to the event loop. */
const LOOKS_AT_ONCE = 32

/** What messages must hold for a filter to match. */
type GramCondition =
  | { readonly kind: 'grams'; readonly slots: readonly number[] }
  | { readonly kind: 'and' | 'or'; readonly of: readonly GramCondition[] }

function gramsOf(text: string): GramCondition | null {
  const slots = new Set<number>()
  forEachGram(Buffer.from(fold(text)), slot => slots.add(slot))
  return slots.size === 0 ? null : { kind: 'grams', slots: [...slots].slice(0, MAX_GRAMS) }
}

/** Null if a filter has no condition on messages that grams can decide. */
function requiredBy(filter: Filter): GramCondition | null {
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
      return filter.field.in === 'known' && filter.field.name === 'message' ? gramsOf(filter.value) : null
    default:
      return null
  }
}

/** For each row group whether it may contain a match; null when that is unknown. */
function groupsOf(index: OpenGramIndex, requested: GramCondition): readonly boolean[] | null {
  if (requested.kind === 'grams') return index.groupsWith(requested.slots)
  const [first = null, ...others] = requested.of.map(part => groupsOf(index, part))
  if (requested.kind === 'or')
    return others.reduce((all, part) => (all && part ? all.map((may, i) => may || part[i]!) : null), first)
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
function candidatePart(segment: Segment, requested: GramCondition): Segment | null {
  const index = OpenGramIndex.open(segment.file)
  if (!index) return segment
  try {
    const groups = groupsOf(index, requested)
    if (!groups) return segment
    if (!groups.includes(true)) return null
    const skips = skipsOf(groups, index.rowsPerGroup)
    return skips.length === 0 ? segment : { ...segment, skips: [...(segment.skips ?? []), ...skips] }
  } finally {
    index.close()
  }
}

/** A clock may be set back by as much between the arrival of a record and its segment. */
const CLOCK_MARGIN_MS = 60_000

/** Whether the file was written after `ms`. One that cannot be read is a candidate: reading it reports the fault. */
function isWrittenAfter(file: string, ms: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined || stats.mtimeMs >= ms
}

/** Leaves out the segments, and of others the row groups, in which no message can contain the strings of a filter. */
export class CandidateSegments {
  readonly #requested: GramCondition | null
  /** Segments that were written before are complete without what is requested: files never change. */
  readonly #writtenAfterMs: number | null
  readonly #pace: Pace

  constructor({ kind, signal }: Pick<Scope, 'kind' | 'signal'>, filter: Filter) {
    this.#requested = kind === 'logs' ? requiredBy(filter) : null
    const arrivedMs = kind === 'logs' ? earliestArrivalMs(filter) : null
    this.#writtenAfterMs = arrivedMs === null ? null : arrivedMs - CLOCK_MARGIN_MS
    this.#pace = new Pace(LOOKS_AT_ONCE, signal)
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
