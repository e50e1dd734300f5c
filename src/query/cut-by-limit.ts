import type { Cut } from '../domain/warning.js'

/** What a result states that its limit cut short and that no cursor continues ("Lists" in docs/conventions.md). */
export function cutByLimit(hasMore: boolean, what: string, limit: number): readonly Cut[] {
  if (!hasMore) return []
  const detail = `the response has only ${limit} ${what}; there are more`
  return [{ kind: 'cap', detail, remedy: 'Add a condition, shorten the window, or request a larger limit.', limit }]
}
