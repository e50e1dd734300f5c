import { GatewayError } from '../domain/errors.js'
import type { NamedPlace, SavedView } from '../ports/saved-views.js'

/** A cursor of a name of 128 characters, each escaped, is shorter. */
const MAX_CURSOR_CHARS = 2_048
const NUL = '\0'

function isPart(part: unknown): part is string {
  return typeof part === 'string' && part !== '' && !part.includes(NUL)
}

/** The JSON of a cursor; null for a string that has none. */
function decoded(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_CHARS) return null
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown
  } catch {
    // The caller rejects null as it rejects JSON of another shape.
    return null
  }
}

/** The place of a view in the list of views with a name, as an opaque string. It contains nothing but name and id. */
export function viewCursor({ name, id }: Pick<SavedView, 'name' | 'id'>): string {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url')
}

/** The place that `viewCursor` wrote. `invalid_field` for any other string. */
export function parseViewCursor(cursor: string): NamedPlace {
  const place = decoded(cursor)
  if (Array.isArray(place) && place.length === 2 && place.every(isPart)) return { name: place[0]!, id: place[1]! }
  throw new GatewayError('invalid_field', 'cursor is not a cursor of saved views; begin again', { field: 'cursor' })
}
