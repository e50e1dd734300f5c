/** A cell of CSV: null is an empty cell, an empty string `""`. */
export type CsvValue = string | number | bigint | boolean | null

/** Characters with which a spreadsheet takes a cell for a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u
/** A number is not a formula, though it may begin with a sign. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Semicolons and tabs separate cells in some spreadsheets: what follows one would be a cell of its own. */
const QUOTED = /[",;\t\r\n]|^['#]|^$/

/** How strings are written. */
export interface CsvStyle {
  /** An apostrophe goes before strings that a spreadsheet would run as formulas. */
  readonly escapesFormulas: boolean
}

function cell(value: CsvValue, { escapesFormulas }: CsvStyle): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = escapesFormulas && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of CSV with its line end (RFC 4180). A first cell that begins with `#` is quoted: no line of data does. */
export function csvLine(cells: readonly CsvValue[], style: CsvStyle): string {
  return `${cells.map(value => cell(value, style)).join(',')}\r\n`
}
