import type { EventLoopSlices } from '../threads/event-loop-slices.js'

/** Items of an array that are written in one slice. */
const ITEMS_PER_SLICE = 250
/** The depth to which arrays are written in slices; deeper ones are written with the value that contains them. */
const MAX_DEPTH = 8

function hasLongArray(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return false
  if (Array.isArray(value)) return value.length > ITEMS_PER_SLICE || value.some(item => hasLongArray(item, depth + 1))
  return Object.values(value).some(member => hasLongArray(member, depth + 1))
}

async function writeArray(items: readonly unknown[], depth: number, slices: EventLoopSlices): Promise<string> {
  const written: string[] = []
  for (const [i, item] of items.entries()) {
    if (i > 0 && i % ITEMS_PER_SLICE === 0) await slices.next()
    written.push(hasLongArray(item, depth) ? await write(item, depth, slices) : (JSON.stringify(item) ?? 'null'))
  }
  return `[${written.join(',')}]`
}

async function write(value: unknown, depth: number, slices: EventLoopSlices): Promise<string> {
  if (typeof value !== 'object' || value === null || !hasLongArray(value, depth)) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return writeArray(value, depth + 1, slices)
  const members: string[] = []
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue
    members.push(`${JSON.stringify(name)}:${await write(member, depth + 1, slices)}`)
  }
  return `{${members.join(',')}}`
}

/** As `JSON.stringify` for plain data; long arrays are written in slices, and other requests run in between. */
export async function jsonInSlices(value: unknown, slices: EventLoopSlices): Promise<string> {
  return write(value, 0, slices)
}
