const QUOTE = '"'

/** The cells of one line of CSV (RFC 4180), without its line end. */
export function csvCells(line: string): string[] {
  if (!line.includes(QUOTE)) return line.split(',')
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    const end = line[at] === QUOTE ? closingQuote(line, at) + 1 : commaFrom(line, at)
    const cell = line.slice(at, end)
    cells.push(cell[0] === QUOTE ? cell.slice(1, -1).replaceAll('""', QUOTE) : cell)
    at = end + 1
  }
  return cells
}

function commaFrom(line: string, from: number): number {
  const at = line.indexOf(',', from)
  return at < 0 ? line.length : at
}

/** The quote that ends the cell whose first quote is at `from`; doubled ones are literal quotes. */
function closingQuote(line: string, from: number): number {
  for (let at = from + 1; ; at += 2) {
    at = line.indexOf(QUOTE, at)
    if (at < 0) return line.length
    if (line[at + 1] !== QUOTE) return at
  }
}
