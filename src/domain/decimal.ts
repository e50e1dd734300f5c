// Each digit has one place in this pattern. Where a digit could stand in two (`\d+\.?\d*`), refusing a long text takes a time
// that grows with the square of its length (ReDoS).
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Whether a string is a decimal number that Go's `strconv.ParseFloat` and JavaScript's `Number` both read: `-1.5`, `.5`, `7.`, `1e-3`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}
