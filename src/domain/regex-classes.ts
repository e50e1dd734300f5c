/** Where matching is case-insensitive, each character of a range is checked for its other cases: so many cost what an instruction does. */
const FOLDED_AT_ONCE = 50
/** The characters that have other cases are between these; whatever holds all of them is taken as it is. */
const FIRST_WITH_CASE = 0x41
const LAST_WITH_CASE = 0x1e943
/** The cost of a class of Unicode, for example `\p{L}`, in instructions; measured. */
const UNICODE_CLASS = 20
const FOLDED_UNICODE_CLASS = 100

const IGNORES_CASE = /\(\?[a-zA-Z]*i/
const CODED = /\\(?:x\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})|([0-7]{1,3}))/y

/**
 * What reading the classes of characters of a regex costs, in instructions of `regexSize`, of which a class is but one: the
 * classes of Unicode, and where matching is case-insensitive, wide ranges. Cheap, whatever the text; no check of the syntax.
 */
export function classesCost(pattern: string): number {
  const isFolded = IGNORES_CASE.test(pattern)
  const ofUnicode = isFolded ? FOLDED_UNICODE_CLASS : UNICODE_CLASS
  let cost = 0
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') {
      if (isUnicodeClass(pattern, at)) cost += ofUnicode
      at++
    } else if (pattern[at] === '[') {
      const found = readClass(pattern, at)
      cost += found.unicodeClasses * ofUnicode + (isFolded ? found.foldedWidth / FOLDED_AT_ONCE : 0)
      at = found.end
    }
  }
  return Math.ceil(cost)
}

interface ReadClass {
  /** Position of the bracket that closes it; of the last character where none does. */
  readonly end: number
  readonly unicodeClasses: number
  /** Characters of its ranges whose other cases are computed. */
  readonly foldedWidth: number
}

function readClass(pattern: string, start: number): ReadClass {
  let at = start + 1
  let [unicodeClasses, foldedWidth] = [0, 0]
  if (pattern[at] === '^') at++
  for (let isFirst = true; at < pattern.length && (isFirst || pattern[at] !== ']'); isFirst = false) {
    if (isUnicodeClass(pattern, at)) unicodeClasses++
    const low = characterAt(pattern, at)
    at = low.end
    if (pattern[at] !== '-' || at + 1 >= pattern.length || pattern[at + 1] === ']') continue
    const high = characterAt(pattern, at + 1)
    at = high.end
    foldedWidth += widthOf(low.code, high.code)
  }
  return { end: Math.min(at, pattern.length - 1), unicodeClasses, foldedWidth }
}

function widthOf(low: number, high: number): number {
  if (low <= FIRST_WITH_CASE && high >= LAST_WITH_CASE) return 0
  return Math.max(0, Math.min(high, LAST_WITH_CASE) - Math.max(low, FIRST_WITH_CASE))
}

function isUnicodeClass(pattern: string, at: number): boolean {
  return pattern[at] === '\\' && (pattern[at + 1] === 'p' || pattern[at + 1] === 'P')
}

/** The character at a position within a class, literal or as an escape, and where it ends. */
function characterAt(pattern: string, at: number): { readonly code: number; readonly end: number } {
  CODED.lastIndex = at
  const found = CODED.exec(pattern)
  if (found !== null) {
    const [written, wide, narrow, octal] = found
    return {
      code: octal === undefined ? Number.parseInt(wide ?? narrow!, 16) : Number.parseInt(octal, 8),
      end: at + written.length
    }
  }
  const from = pattern[at] === '\\' ? at + 1 : at
  const code = pattern.codePointAt(from) ?? 0
  return { code, end: from + (code > 0xffff ? 2 : 1) }
}
