/** Parses RFC 4180 text into one record per line, keyed by the names of the header line. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = parseRows(text)
  if (header === undefined) return []
  return rows.map((row, i) => {
    if (row.length !== header.length) throw new Error(`row ${i + 2} has ${row.length} cells, the header ${header.length}`)
    return Object.fromEntries(header.map((name, column) => [name, row[column]!]))
  })
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

function parseRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < text.length) {
    const at = CELL.lastIndex
    const match = CELL.exec(text)
    if (match === null) throw new Error(`not CSV at character ${at}`)
    row.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'))
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
