import { caseClasses, caseVariants, fold } from '../../../domain/case-folding.js'
import { unreachable } from '../../../domain/errors.js'
import type { CharSet, Regex } from './regex-syntax.js'

// Punctuation that is not an operator to RE2 is one to Lucene: # @ & < > ~ ".
const IS_PUNCTUATION = /[!-/:-@[-`{-~]/
const PUNCTUATION = /[!-/:-@[-`{-~]/g

/** The text as a regex of Lucene that matches just it. */
export function escapeLucene(text: string): string {
  return text.replace(PUNCTUATION, '\\$&')
}

function escapeChar(char: string): string {
  return IS_PUNCTUATION.test(char) ? `\\${char}` : char
}

/** One character, its other cases too. Lucene's own `case_insensitive` knows ASCII only. */
function foldedChar(char: string): string {
  const variants = caseVariants(fold(char))
  return variants.length === 1 ? escapeChar(variants[0]!) : `[${variants.map(escapeChar).join('')}]`
}

/** A regex of Lucene for strings that contain this one, case-insensitive. */
export function containsLucene(text: string): string {
  return `.*${[...text].map(foldedChar).join('')}.*`
}

function isInside({ ranges }: CharSet, code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last)
}

/** The other cases of a set's characters that the set does not hold itself. */
function missingCases(set: CharSet): readonly string[] {
  const missing: string[] = []
  for (const chars of caseClasses()) {
    const [inside, outside] = [chars.filter(char => isInside(set, char.codePointAt(0)!)), [] as string[]]
    if (inside.length === 0 || inside.length === chars.length) continue
    outside.push(...chars.filter(char => !inside.includes(char)))
    missing.push(...outside)
  }
  return missing
}

function setText(set: CharSet, isFolded: boolean): string {
  const ranges = set.ranges.map(([first, last]) => {
    const [from, to] = [String.fromCodePoint(first), String.fromCodePoint(last)].map(escapeChar)
    return first === last ? from : `${from}-${to}`
  })
  const cases = isFolded ? missingCases(set).map(escapeChar) : []
  return `[${set.isNegated ? '^' : ''}${ranges.join('')}${cases.join('')}]`
}

function isAtom(regex: Regex): boolean {
  return regex.kind === 'char' || regex.kind === 'any' || regex.kind === 'set'
}

function timesText({ least, most }: Extract<Regex, { kind: 'repeat' }>): string {
  if (most === null) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`
  if (least === most) return `{${least}}`
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`
}

/** The regex as Lucene reads it, for the flag set `NONE`; `isFolded`: case-insensitive. */
export function toLucene(regex: Regex, isFolded: boolean): string {
  const inner = (part: Regex) => toLucene(part, isFolded)
  switch (regex.kind) {
    case 'char':
      return isFolded ? foldedChar(regex.char) : escapeChar(regex.char)
    case 'any':
      return '.'
    case 'set':
      return setText(regex.set, isFolded)
    case 'repeat':
      return `${isAtom(regex.of) ? inner(regex.of) : `(${inner(regex.of)})`}${timesText(regex)}`
    case 'sequence':
      return regex.of.map(part => (part.kind === 'choice' ? `(${inner(part)})` : inner(part))).join('')
    case 'choice':
      // Lucene ignores an empty alternative outside parentheses.
      return regex.of.map(part => inner(part) || '()').join('|')
    default:
      return unreachable(regex)
  }
}
