/** What a file has of numbered lines. */
export const lines = (...numbers: readonly number[]): string => numbers.map(number => `line ${number}\n`).join('')

/** The records of numbered lines. */
export const records = (...numbers: readonly number[]): readonly string[] => numbers.map(number => `line ${number}`)

/** Orders the records of streams. */
export const byFirstLine = ([a = '']: readonly string[], [b = '']: readonly string[]): number => a.localeCompare(b)
