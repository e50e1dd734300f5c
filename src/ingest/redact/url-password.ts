import { charClass, isIn, WORD } from './chars.js'
import type { Detector, Finding } from './detector.js'

const COLON = 0x3a
const AT = 0x40
/** Characters that end the authority of a URL (RFC 3986 3.2) or the URL itself. */
const ENDS = charClass('/?#\\ \t\r\n"\'<>`')
const MAX_USER_INFO = 1_024

/** Passwords in URLs: `postgres://user:PASSWORD@host`. */
export function urlPasswordDetector(): Detector {
  return {
    name: 'url_password',
    triggers: ':',
    find(text, at): Finding | null {
      if (!text.startsWith('://', at) || !isIn(WORD, text.charCodeAt(at - 1))) return null
      const last = Math.min(text.length, at + 3 + MAX_USER_INFO)
      let start = -1
      let end = -1
      for (let i = at + 3; i < last && !isIn(ENDS, text.charCodeAt(i)); i++) {
        const code = text.charCodeAt(i)
        if (code === COLON && start < 0) start = i + 1
        else if (code === AT) end = i
      }
      return start > 0 && end > start ? { start, end } : null
    }
  }
}
