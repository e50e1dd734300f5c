/** Further off, a name is another one, however long. */
const MAX_DISTANCE = 3
/** One slip is forgiven for so many letters, and always one. */
const LETTERS_PER_SLIP = 3

/** More than any distance that counts. */
const FAR = 1_000

/**
 * Letters to add, drop, change or swap with their neighbor (optimal string alignment); `FAR` beyond `most`. Looks only at
 * places no further apart than that, so that a long name costs little.
 */
function distance(a: string, b: string, most: number): number {
  const width = 2 * most + 1
  // Of the first `i` letters of `a` against the first `i + k - most - 1` of `b`, at `k`; beyond both ends it is far.
  let [before, previous, row] = [0, 0, 0].map(() => new Int32Array(width + 2).fill(FAR)) as [Int32Array, Int32Array, Int32Array]
  for (let k = 0; k <= most; k++) previous[most + 1 + k] = k
  for (let i = 1; i <= a.length; i++) {
    let least = FAR
    for (let k = 1; k <= width; k++) {
      const j = i + k - most - 1
      let best = j < 0 ? FAR : Math.min(previous[k + 1]!, row[k - 1]!) + 1
      if (j > 0) best = Math.min(best, previous[k]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[k]! + 1)
      row[k] = best
      least = Math.min(least, best)
    }
    if (least > most) return FAR
    ;[before, previous, row] = [previous, row, before]
  }
  return previous[b.length - a.length + most + 1]!
}

/** The known word that a misspelt one probably means; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const most = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(word.length / LETTERS_PER_SLIP)))
  const ranked = known
    .filter(candidate => Math.abs(candidate.length - word.length) <= most)
    .map(candidate => ({ candidate, far: distance(word, candidate, most) }))
    .sort((a, b) => a.far - b.far)
  const best = ranked[0]
  return best && best.far <= most && best.far < word.length ? best.candidate : null
}
