/** Further off, a name is another one. */
const MAX_DISTANCE = 3

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, change))
    }
    previous = row
  }
  return previous[b.length]!
}

/** The known word that a misspelt one probably means; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .filter(candidate => Math.abs(candidate.length - word.length) <= MAX_DISTANCE)
    .map(candidate => ({ candidate, far: distance(word, candidate) }))
    .sort((a, b) => a.far - b.far)
  const best = ranked[0]
  return best && best.far <= MAX_DISTANCE && best.far < word.length ? best.candidate : null
}
