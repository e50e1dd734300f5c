import { goQuoted } from '../go-quote.js'
import type { Token } from './lexer.js'
import { AGGREGATIONS, PRECEDENCE } from './operators.js'
import { numberOfWord } from './read-number.js'

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['anchored', 'bool', 'by', 'fill', 'fill_left', 'fill_right', 'group_left', 'group_right', 'ignoring', 'offset', 'on'],
  ...['smoothed', 'without']
])
const OF_QUERY: ReadonlySet<string> = new Set(['end', 'max_of', 'min_of', 'range', 'start', 'step'])
/** Operators that no two expressions stand beside. */
const OTHERS: ReadonlySet<string> = new Set(['@', '=~', '!~'])
const SHOWN_CHARS = 10

/** `fill` and the like are names where no parenthesis follows. */
function isName(word: string, rest: string): boolean {
  return word.startsWith('fill') && !/^[ \t\r\n]*\(/.test(rest)
}

function describeWord(text: string, rest: string): string {
  const word = text.toLowerCase()
  if (AGGREGATIONS.has(word)) return `<aggr:${text}>`
  if (PRECEDENCE.has(word)) return `<op:${text}>`
  if (KEYWORDS.has(word) && !isName(word, rest)) return `<${text}>`
  if (numberOfWord(text) !== undefined) return `number ${goQuoted(text)}`
  if (OF_QUERY.has(word)) return goQuoted(text)
  return `${text.includes(':') ? 'metric identifier' : 'identifier'} ${goQuoted(text)}`
}

/** A token as Prometheus names it where it does not belong: `<op:+>`, `identifier "foo"`. */
export function describeToken(query: string, { kind, text, start, end, isName }: Token): string {
  if (kind === 'end') return 'end of input'
  if (kind === 'word' && isName === true) return `identifier ${goQuoted(text)}`
  if (kind === 'word') return describeWord(text, query.slice(end))
  if (kind === 'operator') return PRECEDENCE.has(text) || OTHERS.has(text) ? `<op:${text}>` : goQuoted(text)
  const written = query.slice(start, end)
  const shown = goQuoted(written.slice(0, SHOWN_CHARS))
  return `${kind} ${shown}${written.length > SHOWN_CHARS ? '...' : ''}`
}
