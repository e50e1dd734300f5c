import { ALL, every, none, NONE, some, type Query } from './query.js'

/**
 * What the engine can tell about a filter: `sure` finds records that match, `maybe` all that can. They are one and the
 * same object when the engine decides alone; what lies between them is decided by looking at the records.
 */
export interface Verdict {
  readonly sure: Query
  readonly maybe: Query
}

/** A filter that the engine decides alone. */
export function exactly(query: Query): Verdict {
  return { sure: query, maybe: query }
}

/** A filter of which the engine knows only where matches can be. */
export function within(maybe: Query): Verdict {
  return maybe === NONE ? exactly(NONE) : { sure: NONE, maybe }
}

/** A filter of which the engine knows nothing. */
export const UNDECIDED: Verdict = within(ALL)

export function isExact(verdict: Verdict): boolean {
  return verdict.sure === verdict.maybe
}

function combine(verdicts: readonly Verdict[], join: (queries: readonly Query[]) => Query): Verdict {
  const maybe = join(verdicts.map(verdict => verdict.maybe))
  if (maybe === NONE || verdicts.every(isExact)) return exactly(maybe)
  const sure = join(verdicts.map(verdict => verdict.sure))
  return sure === ALL ? exactly(ALL) : { sure, maybe }
}

export function everyVerdict(verdicts: readonly Verdict[]): Verdict {
  return combine(verdicts, every)
}

export function someVerdict(verdicts: readonly Verdict[]): Verdict {
  return combine(verdicts, some)
}

export function notVerdict(verdict: Verdict): Verdict {
  const sure = none(verdict.maybe)
  return sure === ALL || isExact(verdict) ? exactly(sure) : { sure, maybe: none(verdict.sure) }
}
