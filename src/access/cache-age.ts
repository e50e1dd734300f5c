import type { ControlChanges } from '../ports/control-changes.js'

/** How old what is remembered of the control store may be now, null for any age. */
export type CacheAge = () => number | null

// A bound for lost notifications: nothing is cached for longer.
const MAX_AGE_MS = 60_000
// While no news arrive, a revocation elsewhere must still hold within a second.
const BLIND_MS = 200

/** Any age where this is the only instance; otherwise by whether news of the others arrive. */
export function cacheAge(changes: ControlChanges | null): CacheAge {
  if (changes === null) return () => null
  return () => (changes.isCurrent() ? MAX_AGE_MS : BLIND_MS)
}
