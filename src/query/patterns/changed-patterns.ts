import type { FacetResult } from '../../domain/search.js'
import type { Warning } from '../../domain/warning.js'
import { type CountedTwice, type ShareChange, shareChanges } from '../statistics/shares.js'

export type PatternChangeKind = 'new' | 'vanished' | 'more' | 'less'

/** What is different from the window that was compared with. */
export interface PatternChange extends ShareChange, CountedTwice {
  readonly kind: PatternChangeKind
}

/** Logs of one window, by pattern. */
export interface Counted {
  readonly counts: ReadonlyMap<string, number>
  readonly facet: FacetResult
  readonly logs: number
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** A pattern that is to be listed, before its details are read. */
export interface Chosen {
  readonly id: string
  readonly count: number
  readonly change: PatternChange | null
}

/** Logs that have a pattern: the others, such as those from before patterns, have no part in shares. */
function assigned({ logs, facet }: Counted): number {
  return logs - facet.missing
}

function byCount(a: Chosen, b: Chosen): number {
  return b.count - a.count || (a.id < b.id ? -1 : 1)
}

/** All patterns of a window, most frequent first. */
export function mostFrequent({ counts }: Counted): Chosen[] {
  return [...counts].map(([id, count]) => ({ id, count, change: null })).toSorted(byCount)
}

function kindOf({ count, baseCount }: CountedTwice, effect: number): PatternChangeKind {
  if (baseCount === 0) return 'new'
  if (count === 0) return 'vanished'
  return effect > 0 ? 'more' : 'less'
}

/** The patterns of two windows, all of which are tested together. */
export function patternsOfBoth(counted: Counted, before: Counted): ReadonlySet<string> {
  return new Set([...counted.counts.keys(), ...before.counts.keys()])
}

/** Significant changes by their q-value and the size of the effect, then the others by their count. */
export function changedFirst(counted: Counted, before: Counted): Chosen[] {
  const ids = [...patternsOfBoth(counted, before)]
  const pairs = ids.map(id => ({
    count: counted.counts.get(id) ?? 0,
    total: assigned(counted),
    baseCount: before.counts.get(id) ?? 0,
    baseTotal: assigned(before)
  }))
  const changes = shareChanges(pairs)
  const chosen = ids.map((id, i): Chosen => {
    const pair = pairs[i]!
    const change = changes[i]!
    const kind = kindOf(pair, change.effect)
    return { id, count: pair.count, change: change.isSignificant ? { ...pair, ...change, kind } : null }
  })
  const significant = chosen.filter(({ change }) => change !== null)
  const others = chosen.filter(({ change, count }) => change === null && count > 0)
  significant.sort(
    (a, b) => a.change!.q - b.change!.q || Math.abs(b.change!.effect) - Math.abs(a.change!.effect) || byCount(a, b)
  )
  return [...significant, ...others.toSorted(byCount)]
}
