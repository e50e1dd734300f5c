import { fold } from '../../../domain/case-folding.js'
import type { Filter } from '../../../domain/filter.js'
import { Pace } from '../../../threads/pace.js'
import { forEachGram } from '../gram-index.js'
import type { RowRange, Segment } from '../snapshot.js'
import { OpenGramIndex } from './open-gram-index.js'
import { overlapping, type Scope } from './source.js'

/** More grams of one text leave out next to nothing more. */
const MAX_GRAMS = 24
/** Each is a condition on all rows that are read: of more the longest count. */
const MAX_SKIPS = 32
/** Indexes that are looked into before other work has its turn. */
const LOOKS_AT_ONCE = 32

/** What messages must hold for a filter to match. */
type Wanted =
  | { readonly kind: 'grams'; readonly slots: readonly number[] }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Wanted[] }

function gramsOf(text: string): Wanted | null {
  const slots = new Set<number>()
  forEachGram(Buffer.from(fold(text)), slot => slots.add(slot))
  return slots.size === 0 ? null : { kind: 'grams', slots: [...slots].slice(0, MAX_GRAMS) }
}

/** Null when a filter says nothing of messages that grams could tell. */
function wantedBy(filter: Filter): Wanted | null {
  switch (filter.kind) {
    case 'and': {
      const of = filter.of.map(wantedBy).filter(part => part !== null)
      return of.length === 0 ? null : { kind: 'and', of }
    }
    case 'or': {
      const of = filter.of.map(wantedBy).filter(part => part !== null)
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

/** For each row group whether it may hold what is wanted; null when that is not known. */
function groupsOf(index: OpenGramIndex, wanted: Wanted): readonly boolean[] | null {
  if (wanted.kind === 'grams') return index.groupsWith(wanted.slots)
  const [first = null, ...others] = wanted.of.map(part => groupsOf(index, part))
  if (wanted.kind === 'or')
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
function candidatePart(segment: Segment, wanted: Wanted): Segment | null {
  const index = OpenGramIndex.open(segment.file)
  if (!index) return segment
  try {
    const groups = groupsOf(index, wanted)
    if (!groups) return segment
    if (!groups.includes(true)) return null
    const skips = skipsOf(groups, index.rowsPerGroup)
    return skips.length === 0 ? segment : { ...segment, skips: [...(segment.skips ?? []), ...skips] }
  } finally {
    index.close()
  }
}

/** Leaves out the segments, and of others the row groups, in which no message can hold the texts of a filter. */
export class CandidateSegments {
  readonly #wanted: Wanted | null
  readonly #pace: Pace

  constructor({ kind, signal }: Pick<Scope, 'kind' | 'signal'>, filter: Filter) {
    this.#wanted = kind === 'logs' ? wantedBy(filter) : null
    this.#pace = new Pace(LOOKS_AT_ONCE, signal)
  }

  /** Those of `segments` that may hold a matching row, told what of them cannot. Lets others go on between its reads. */
  async among(segments: readonly Segment[]): Promise<readonly Segment[]> {
    const wanted = this.#wanted
    if (!wanted) return segments
    const candidates: Segment[] = []
    for (const segment of segments) {
      if (this.#pace.isDue()) await this.#pace.rest()
      const part = candidatePart(segment, wanted)
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
