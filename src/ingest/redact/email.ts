import { charClass, DIGITS, isIn, LETTERS, runEnd, runStart } from './chars.js'
import type { Detector, Finding } from './detector.js'

// RFC 5322 3.2.3, without the characters that enclose addresses in logs; RFC 6531 allows all beyond ASCII.
const LOCAL = charClass(`${LETTERS}${DIGITS}.!#$&*+-^_~`, true)
const DOMAIN = charClass(`${LETTERS}${DIGITS}.-`, true)
const LABEL = charClass(LETTERS, true)
const PUNCTUATION = charClass('.-')
const LEADING = charClass('.-+*&!#$^~')
/** RFC 5321 4.5.3.1. */
const MAX_LOCAL = 64
const MAX_DOMAIN = 255
const MIN_TOP_LEVEL = 2
const PERCENT = 0x25
const PUNYCODE = 'xn--'

/** Where the domain ends that begins at `at`; null if it is not one with a top-level domain of letters. */
function domainEnd(text: string, at: number): number | null {
  let end = runEnd(text, at, DOMAIN, at + MAX_DOMAIN)
  while (end > at && isIn(PUNCTUATION, text.charCodeAt(end - 1))) end--
  const dot = text.slice(at, end).lastIndexOf('.')
  if (dot <= 0) return null
  const top = at + dot + 1
  const isTopLevel = runEnd(text, top, LABEL, end) === end || text.startsWith(PUNYCODE, top)
  return isTopLevel && end - top >= MIN_TOP_LEVEL ? end : null
}

/** E-mail addresses, also as in URLs (`%40`). */
export function emailDetector(): Detector {
  return {
    name: 'email',
    triggers: '@%',
    find(text, at, from): Finding | null {
      const isEncoded = text.charCodeAt(at) === PERCENT
      if (isEncoded && !text.startsWith('%40', at)) return null
      let start = runStart(text, at, LOCAL, Math.max(from, at - MAX_LOCAL))
      while (start < at && isIn(LEADING, text.charCodeAt(start))) start++
      if (start === at) return null
      const end = domainEnd(text, at + (isEncoded ? 3 : 1))
      return end === null ? null : { start, end }
    }
  }
}
