import type { InstantFormat } from '../format/instant.js'

const CLOCK_PX = 108
const DATED_PX = 190
const HEADER_CHARACTER_PX = 7.4
const PADDING_PX = 32

/** Whether any of the instants, RFC 3339 in UTC, is of another day and therefore shown with its date. */
export function haveDates(format: Pick<InstantFormat, 'isToday'>, instants: readonly string[]): boolean {
  if (instants.length === 0) return false
  const earliest = instants.reduce((a, b) => (a < b ? a : b))
  const latest = instants.reduce((a, b) => (a > b ? a : b))
  return !format.isToday(earliest) || !format.isToday(latest)
}

/** Header and CSS width of a column of times: the name of the time zone fits, and so do dates when there are any. */
export function timeColumn(name: string, zone: string, hasDates = true): { readonly header: string; readonly width: string } {
  const header = `${name} (${zone})`
  const headerPx = Math.ceil(header.length * HEADER_CHARACTER_PX) + PADDING_PX
  return { header, width: `${Math.max(hasDates ? DATED_PX : CLOCK_PX, headerPx)}px` }
}
