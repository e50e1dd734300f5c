import { groupedBy } from '../../domain/grouped-by.js'
import { charClass, DIGITS, isIn, LETTERS, runEnd, WORD } from './chars.js'
import type { Detector, Finding } from './detector.js'
import { isAfterEscape } from './escapes.js'
import { TOKEN_FORMS, type TokenForm } from './token-forms.js'

const DOT = 0x2e
const BASE64URL = charClass(`${LETTERS}${DIGITS}_-`)
/** `{"` in base64url: how each part of a JSON Web Token but its signature begins (RFC 7519). */
const JWT = 'eyJ'
const MIN_JWT_PART = 8

const BY_FIRST = groupedBy(TOKEN_FORMS, ({ prefix }) => prefix.charCodeAt(0))

/** Whether a token may begin here: not within a word, unless what is before it is an escaped character. */
function mayBegin(text: string, at: number): boolean {
  return !isIn(WORD, text.charCodeAt(at - 1)) || isAfterEscape(text, at)
}

function endOf(text: string, at: number, { prefix, rest, min, max }: TokenForm): number | null {
  if (!text.startsWith(prefix, at)) return null
  const start = at + prefix.length
  if (runEnd(text, start, rest, start + min) - start < min) return null
  const end = runEnd(text, start, rest)
  return max !== undefined && end - start > max ? null : end
}

/** API keys and access tokens of well-known makers, and JSON Web Tokens. */
export function tokenDetector(): Detector {
  // Up to where a part of a JSON Web Token was looked for: what is in between is not looked at again.
  let lookedTo = 0
  const jwtEnd = (text: string, at: number): number | null => {
    if (at < lookedTo || !text.startsWith(JWT, at)) return null
    let end = at - 1
    for (let part = 0; part < 2; part++) {
      const start = end + 1
      end = lookedTo = runEnd(text, start, BASE64URL)
      if (end - start < MIN_JWT_PART || text.charCodeAt(end) !== DOT) return null
    }
    // An unsigned token has an empty signature.
    return runEnd(text, end + 1, BASE64URL)
  }
  return {
    name: 'token',
    triggers: [...new Set([JWT, ...TOKEN_FORMS.map(({ prefix }) => prefix)].map(prefix => prefix[0]))].join(''),
    begin(): void {
      lookedTo = 0
    },
    find(text, at): Finding | null {
      if (!mayBegin(text, at)) return null
      let end = jwtEnd(text, at)
      for (const form of BY_FIRST.get(text.charCodeAt(at)) ?? []) end ??= endOf(text, at, form)
      return end === null ? null : { start: at, end }
    }
  }
}
