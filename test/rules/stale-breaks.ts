import type { Break } from '../breaks/break.js'

/** A break that `npm run breaks` could not make, and why. */
export interface StaleBreak {
  readonly promise: string
  readonly reason: string
}

/** How often `part` occurs in `text`. */
function occurrences(text: string, part: string): number {
  return text.split(part).length - 1
}

/**
 * The breaks that no longer fit the tree: their text is not in its file exactly once, they change nothing, or no test file
 * matches their pattern. `sourceOf` reads a file, null when there is none; `tests` are paths of test files.
 */
export function staleBreaks(
  breaks: readonly Break[],
  sourceOf: (file: string) => string | null,
  tests: readonly string[]
): readonly StaleBreak[] {
  return breaks.flatMap(({ promise, file, find, replace, tests: pattern }) => {
    const source = sourceOf(file)
    const found = source === null ? 0 : occurrences(source, find)
    if (found !== 1) return [{ promise, reason: `${file} has the text to break ${found} times instead of once` }]
    if (find === replace) return [{ promise, reason: 'it changes nothing' }]
    const isTested = tests.some(path => new RegExp(pattern).test(path))
    return isTested ? [] : [{ promise, reason: `no test file matches ${pattern}` }]
  })
}
