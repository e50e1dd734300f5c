import { fold, foldExceptions } from '../../../domain/case-folding.js'

// DuckDB's lower() sends the dotted capital I to i, but it folds to itself: it hides behind this noncharacter meanwhile.
const DOTTED_I = '\u{130}'
const STAND_IN = '\u{10ffff}'
const EXCEPTIONS = foldExceptions().filter(char => char !== DOTTED_I)

function lowered(char: string): string {
  // Only Cherokee capitals among the exceptions change under DuckDB's lower(), to the small letters that JavaScript knows.
  return char >= '\u{13a0}' && char <= '\u{13f5}' ? char.toLowerCase() : char
}

const FROM = EXCEPTIONS.map(lowered).join('') + STAND_IN
const TO = EXCEPTIONS.map(fold).join('') + DOTTED_I
const REPLACED = new Set([...FROM, ...TO, DOTTED_I, 'i'])

/** SQL that folds the case of the text in `expression` exactly as `domain/case-folding` does. */
export function foldedSql(expression: string): string {
  return `translate(lower(replace(${expression}, '${DOTTED_I}', '${STAND_IN}')), '${FROM}', '${TO}')`
}

/** Whether `contains(lower(text), folded)` is exact for a folded needle: none of its letters has a form that lower() misses. */
export function isPlainNeedle(folded: string): boolean {
  for (const char of folded) if (REPLACED.has(char)) return false
  return true
}
