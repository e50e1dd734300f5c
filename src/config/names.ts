/** The three names of a setting (conventions, section 10). */
export interface SettingNames {
  readonly flag: string
  readonly variable: string
  readonly key: string
}

/** Prefix of all environment variables that the service reads. */
export const ENV_PREFIX = 'ALIDADE_'
const MAX_DISTANCE = 3

/** The names under which a key is set. */
export function namesOf(key: string): SettingNames {
  return { flag: `--${key.replaceAll('_', '-')}`, variable: ENV_PREFIX + key.toUpperCase(), key }
}

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
  const ranked = known.map(candidate => ({ candidate, far: distance(word, candidate) })).sort((a, b) => a.far - b.far)
  const best = ranked[0]
  return best && best.far <= MAX_DISTANCE ? best.candidate : null
}
