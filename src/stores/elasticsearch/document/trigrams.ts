import { fold } from '../../../domain/case-folding.js'

// Substrings are found as phrases of overlapping trigrams (managed-store search in docs/architecture.md). The engine
// splits the string at white space, so white space inside of it must look like something else: a folded string has no upper-case
// letter, which frees those to replace it, and to mark the end.
const SPACES =
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000'
const LETTER_A = 65
const SPACE = new RegExp(`[${SPACES}]`, 'g')
const STAND_IN: ReadonlyMap<string, string> = new Map([...SPACES].map((space, i) => [space, String.fromCharCode(LETTER_A + i)]))
const END = 'Z'
const GRAM = 3
const NOT_ASCII = /[^\0-\u{7f}]/u

function prepared(text: string): string {
  return fold(text).replace(SPACE, space => STAND_IN.get(space)!)
}

function windowsOf(chars: readonly string[] | string): string {
  let windows = ''
  for (let i = 0; i + GRAM <= chars.length; i++) {
    windows += (i === 0 ? '' : ' ') + chars[i]! + chars[i + 1]! + chars[i + 2]!
  }
  return windows
}

function asWindows(text: string): string {
  return windowsOf(NOT_ASCII.test(text) ? [...text] : text)
}

const BLANK = 32
const ASCII = 128
/** ASCII characters as trigrams have them. */
const PREPARED = Uint8Array.from({ length: ASCII }, (_, code) => prepared(String.fromCharCode(code)).charCodeAt(0))
const END_CODE = END.charCodeAt(0)
/** Characters of a text whose trigrams are put together as bytes, without a string for each. */
const SCRATCH_CHARS = 16_384
const scratch = Buffer.alloc(SCRATCH_CHARS * (GRAM + 1))

/** As `trigrams`, in one pass; null for a text that is not ASCII. Every log goes through here. */
function asciiTrigrams(text: string): string | null {
  const { length } = text
  let end = 0
  let [first, second] = [0, 0]
  for (let i = 0; i < length + GRAM - 1; i++) {
    const code = i < length ? text.charCodeAt(i) : 0
    if (code >= ASCII) return null
    const third = i < length ? PREPARED[code]! : END_CODE
    if (i >= GRAM - 1) {
      scratch[end] = first
      scratch[end + 1] = second
      scratch[end + 2] = third
      scratch[end + 3] = BLANK
      end += GRAM + 1
    }
    first = second
    second = third
  }
  return scratch.toString('latin1', 0, end - 1)
}

/** The text to index for substring search: a trigram for every character, the last ones padded. Empty for the empty text. */
export function trigrams(text: string): string {
  if (text === '') return ''
  const ofAscii = text.length <= SCRATCH_CHARS ? asciiTrigrams(text) : null
  return ofAscii ?? asWindows(`${prepared(text)}${END}${END}`)
}

/** How to look for a substring, case-insensitive; characters are code points. */
export type Needle =
  | { readonly kind: 'everything' }
  /** One or two characters: trigrams that begin with `text`. */
  | { readonly kind: 'prefix'; readonly text: string }
  /** Just one trigram. */
  | { readonly kind: 'term'; readonly text: string }
  /** Trigrams that follow each other, joined by blanks. */
  | { readonly kind: 'phrase'; readonly text: string }

/** The query for trigrams that a substring becomes. */
export function toNeedle(substring: string): Needle {
  const text = prepared(substring)
  const length = [...text].length
  if (length === 0) return { kind: 'everything' }
  if (length < GRAM) return { kind: 'prefix', text }
  return { kind: length === GRAM ? 'term' : 'phrase', text: asWindows(text) }
}
