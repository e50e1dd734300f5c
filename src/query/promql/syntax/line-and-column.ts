/** Where a character of a query stands, both from 1, columns in bytes: `1:5`. */
export function lineAndColumn(query: string, at: number): string {
  const before = query.slice(0, at).split('\n')
  return `${before.length}:${Buffer.byteLength(before.at(-1)!) + 1}`
}
