import type { StreamGap } from '../../domain/log-stream.js'

/** Whether a late batch can close it. */
export function isOpen(gap: StreamGap): boolean {
  return gap.missing !== null
}

function sameCause(a: StreamGap, b: StreamGap): boolean {
  return a.reason === b.reason && a.code === b.code
}

/** Two gaps of one cause as one: their lines are within it, and not all that is within it is lost. */
function merged(a: StreamGap, b: StreamGap): StreamGap {
  const [first, last] = a.from <= b.from ? [a, b] : [b, a]
  return {
    ...first,
    no: a.no,
    to: Math.max(a.to, b.to),
    lines: a.lines === null || b.lines === null ? null : a.lines + b.lines,
    merged: a.merged + b.merged,
    atMs: Math.max(last.atMs, first.atMs)
  }
}

/** Merges the two oldest gaps of one cause that nothing can close; null when there are no two. */
function mergeOldest(gaps: readonly StreamGap[]): readonly StreamGap[] | null {
  const closed = gaps.filter(gap => !isOpen(gap))
  for (const [i, gap] of closed.entries()) {
    const other = closed.slice(i + 1).find(later => sameCause(gap, later))
    if (other) return gaps.filter(one => one !== other).map(one => (one === gap ? merged(gap, other) : one))
  }
  return null
}

/** The gaps merged until there are at most `most`, or as few as possible. */
export function mergeGaps(gaps: readonly StreamGap[], most: number): readonly StreamGap[] {
  let left = gaps
  while (left.length > most) {
    const fewer = mergeOldest(left)
    if (fewer === null) break
    left = fewer
  }
  return left
}
