import { charClass, isIn, runEnd, WORD } from './chars.js'
import type { Detector, Finding } from './detector.js'

const COLON = 0x3a
const SLASH = 0x2f
const BACKSLASHES = charClass('\\')
/** Before a slash, which JSON within strings may escape. */
const MAX_BACKSLASHES = 7
const AT = 0x40
/** Characters that end the authority of a URL (RFC 3986 3.2) or the URL itself. */
const ENDS = charClass('/?#\\ \t\r\n"\'<>`')
const MAX_USER_INFO = 1_024

/** Where the authority begins whose two slashes begin at `at`; null without them. */
function authorityAt(text: string, at: number): number | null {
  const first = runEnd(text, at, BACKSLASHES, at + MAX_BACKSLASHES)
  const second = runEnd(text, first + 1, BACKSLASHES, first + 1 + MAX_BACKSLASHES)
  return text.charCodeAt(first) === SLASH && text.charCodeAt(second) === SLASH ? second + 1 : null
}

/** Passwords in URLs: `postgres://user:PASSWORD@host`. */
export function urlPasswordDetector(): Detector {
  return {
    name: 'url_password',
    triggers: ':',
    find(text, at): Finding | null {
      if (!isIn(WORD, text.charCodeAt(at - 1))) return null
      const authority = authorityAt(text, at + 1)
      if (authority === null) return null
      const last = Math.min(text.length, authority + MAX_USER_INFO)
      let start = -1
      let end = -1
      for (let i = authority; i < last && !isIn(ENDS, text.charCodeAt(i)); i++) {
        const code = text.charCodeAt(i)
        if (code === COLON && start < 0) start = i + 1
        else if (code === AT) end = i
      }
      return start > 0 && end > start ? { start, end } : null
    }
  }
}
