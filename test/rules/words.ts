/** Words with a private meaning, and what the field writes instead. The list grows with what has been rewritten. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/hopeful/i, 'candidate, pruned'],
  [/patience/i, 'retry budget'],
  [/goodbye/i, 'graceful close'],
  [/witness/i, 'observer, callbacks'],
  [/surroundings/i, 'context, dependencies'],
  [/\breckon/i, 'compute'],
  [/\bblame/i, 'offender, cause'],
  [/\bunder way\b|underWay/, 'in flight, in progress'],
  [/\bin work\b/i, 'in flight, queued'],
  [/\bletter case\b/i, 'case-insensitive, case-sensitive'],
  [/(?<!-)\banew\b/i, 'again, rewritten'],
  [/\b(?:hold|holds|held) (?:\w+ )?up\b/i, 'delay, block'],
  [/\bstands still\b/i, 'stalls'],
  [/\bendpoints? \d|\bspec \d\.\d/i, 'the route, or the name of the rule']
]

/** A line with such a word. */
export interface PrivateWord {
  readonly line: number
  readonly text: string
  readonly instead: string
}

/** Lines of a source, names, comments and messages alike, that use a private word. */
export function privateWords(source: string): readonly PrivateWord[] {
  return source.split('\n').flatMap((text, at) => {
    const found = WORDS.find(([word]) => word.test(text))
    return found ? [{ line: at + 1, text: text.trim(), instead: found[1] }] : []
  })
}
