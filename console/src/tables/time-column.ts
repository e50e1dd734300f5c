const LEAST_PX = 190
const HEADER_CHARACTER_PX = 7.4
const PADDING_PX = 32

/** Header and CSS width of a column of times: the name of the time zone fits, and so does a time of another day with its date. */
export function timeColumn(name: string, zone: string): { readonly header: string; readonly width: string } {
  const header = `${name} (${zone})`
  return { header, width: `${Math.max(LEAST_PX, Math.ceil(header.length * HEADER_CHARACTER_PX) + PADDING_PX)}px` }
}
