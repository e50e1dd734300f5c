/** Edits (insert, delete, replace) between two short words. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1))
    }
    previous = row
  }
  return previous[b.length]!
}

/** The known word at most two edits away that is nearest; null without one. */
export function nearest(word: string, known: readonly string[]): string | null {
  const short = word.slice(0, 64)
  const ranked = known.map(one => ({ one, edits: distance(short, one) })).toSorted((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best && best.edits <= 2 && best.edits < short.length ? best.one : null
}
