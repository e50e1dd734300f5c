import { distinctWarnings, type Warning } from '../domain/warning.js'

/**
 * Looks before the read, and again when the result is called after it: spooled records may reach their store during the
 * read, and the read may or may not have found them.
 */
export function gapsAround(look: () => readonly Warning[] | undefined): () => readonly Warning[] {
  const before = look() ?? []
  return () => distinctWarnings([...before, ...(look() ?? [])])
}
