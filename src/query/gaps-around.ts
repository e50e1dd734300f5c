/**
 * Looks now and again when the answer is called, behind the read: records that wait for their store may reach it during the
 * read, and then may or may not be among what was read.
 */
export function gapsAround(look: () => readonly string[] | undefined): () => readonly string[] {
  const before = look() ?? []
  return () => [...new Set([...before, ...(look() ?? [])])]
}
