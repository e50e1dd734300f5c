/** Further off, a name is another one, however long. */
const MAX_DISTANCE = 3
/** One slip is forgiven for so many letters, and always one. */
const LETTERS_PER_SLIP = 3

/** Letters to add, drop, change or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? before[j - 2]! + 1 : change
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, change, swap))
    }
    before = previous
    previous = row
  }
  return previous[b.length]!
}

/** The known word that a misspelt one probably means; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const most = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(word.length / LETTERS_PER_SLIP)))
  const ranked = known
    .filter(candidate => Math.abs(candidate.length - word.length) <= most)
    .map(candidate => ({ candidate, far: distance(word, candidate) }))
    .sort((a, b) => a.far - b.far)
  const best = ranked[0]
  return best && best.far <= most && best.far < word.length ? best.candidate : null
}
