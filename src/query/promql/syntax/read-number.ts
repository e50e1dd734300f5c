// Each digit has one place in these patterns: what may be split in several ways takes time beyond measure (ReDoS).
const HEX = /^0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*$/
const OCTAL = /^0_?[0-7]+(?:_[0-7]+)*$/
const DECIMAL = /^(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/
const MAX_INT64 = 2n ** 63n - 1n

/**
 * The value of a number as Prometheus reads it: `strconv.ParseInt`, by whose prefixes `010` is 8, else `ParseFloat`. Null if it
 * is not a number, infinite if it is beyond the largest (which Prometheus refuses).
 */
export function readNumber(text: string): number | null {
  const digits = text.replaceAll('_', '')
  if (HEX.test(text)) return wholeOf(digits)
  const octal = OCTAL.test(text) ? wholeOf(`0o${digits.slice(1)}`) : null
  return octal ?? (DECIMAL.test(text) ? Number(digits) : null)
}

function wholeOf(digits: string): number | null {
  const value = BigInt(digits)
  return value <= MAX_INT64 ? Number(value) : null
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['nan', Number.NaN]
])

/** The number of a word: `Inf` and `NaN`, case-insensitive; undefined for other words. */
export function numberOfWord(text: string): number | undefined {
  return NUMBER_WORDS.get(text.toLowerCase())
}
