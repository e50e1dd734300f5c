// Which segments of a path are ids: numbers, UUIDs, ULIDs, long hex, and long tokens that mix digits with letters.
const NUMBER = /^\d+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HEX = /^(?=[a-f]*\d)[0-9a-f]{8,}$/i
const TOKEN = /^(?=[^\d]*\d)(?=[^a-z]*[a-z])[a-z0-9_-]{20,}$/i
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i
const MAX_SEGMENT = 256

function isId(segment: string): boolean {
  if (segment.length > MAX_SEGMENT) return true
  return NUMBER.test(segment) || UUID.test(segment) || HEX.test(segment) || TOKEN.test(segment)
}

/** The authority without the name and password that a URL may carry. */
function withoutUser(authority: string): string {
  const at = authority.lastIndexOf('@')
  return at < 0 ? authority : authority.slice(0, authority.indexOf('//') + 2) + authority.slice(at + 1)
}

/**
 * The group of a page ("Vocabulary" in docs/conventions.md): its URL without query, fragment and user, and with `:id` in place of path
 * segments that are ids.
 */
export function pageGroup(url: string): string {
  const end = url.search(/[?#]/)
  const page = end < 0 ? url : url.slice(0, end)
  const authority = AUTHORITY.exec(page)?.[0] ?? ''
  const path = page.slice(authority.length)
  const segments = path.split('/').map(segment => (isId(segment) ? ':id' : segment))
  return withoutUser(authority) + segments.join('/')
}
