import { ALL, every, none, NONE, some, type Query } from './query.js'

/**
 * How far the engine can decide a filter: `sure` finds records that match, `maybe` all that can. They are one and the
 * same object when the engine decides alone; else `doubt` finds the records that must be looked at.
 */
export interface Verdict {
  readonly sure: Query
  readonly maybe: Query
  /** May find records about which there is no doubt, too. */
  readonly doubt: Query
}

/** A filter that the engine decides alone. */
export function exactly(query: Query): Verdict {
  return { sure: query, maybe: query, doubt: NONE }
}

/** A filter of which the engine knows only where matches can be. */
export function within(maybe: Query): Verdict {
  return maybe === NONE ? exactly(NONE) : { sure: NONE, maybe, doubt: maybe }
}

/** A filter that the engine decides but for some records. */
export function except(found: Query, doubt: Query): Verdict {
  return { sure: every([found, none(doubt)]), maybe: some([found, doubt]), doubt }
}

/** A filter of which the engine knows nothing. */
export const UNDECIDED: Verdict = within(ALL)

export function isExact(verdict: Verdict): boolean {
  return verdict.sure === verdict.maybe
}

function combine(verdicts: readonly Verdict[], join: (queries: readonly Query[]) => Query, doubt: Query): Verdict {
  const maybe = join(verdicts.map(verdict => verdict.maybe))
  if (maybe === NONE || verdicts.every(isExact)) return exactly(maybe)
  const sure = join(verdicts.map(verdict => verdict.sure))
  return sure === ALL ? exactly(ALL) : { sure, maybe, doubt }
}

function doubts(verdicts: readonly Verdict[]): Query {
  return some(verdicts.map(verdict => verdict.doubt))
}

export function everyVerdict(verdicts: readonly Verdict[]): Verdict {
  // What the engine decides narrows what is left to be looked at.
  const decided = verdicts.filter(isExact).map(verdict => verdict.maybe)
  return combine(verdicts, every, every([...decided, doubts(verdicts)]))
}

export function someVerdict(verdicts: readonly Verdict[]): Verdict {
  return combine(verdicts, some, doubts(verdicts))
}

export function notVerdict(verdict: Verdict): Verdict {
  const sure = none(verdict.maybe)
  return sure === ALL || isExact(verdict) ? exactly(sure) : { sure, maybe: none(verdict.sure), doubt: verdict.doubt }
}
