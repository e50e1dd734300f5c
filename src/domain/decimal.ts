// Each digit matches one part of this pattern. If a digit could match two (`\d+\.?\d*`), rejecting a long string would take time
// that grows with the square of its length (ReDoS).
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Whether a string is a decimal number that Go's `strconv.ParseFloat` and JavaScript's `Number` both read: `-1.5`, `.5`, `7.`, `1e-3`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}
