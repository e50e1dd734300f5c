import type { NamespaceId } from '../domain/ids.js'
import { isNamespaceId } from '../domain/ids.js'
import { notAllowed } from './asked-namespace.js'

/** Takes an id as a caller sent it; one that cannot exist gets the same answer as one of others. */
export function requireNamespaceId(text: string): NamespaceId {
  if (!isNamespaceId(text)) throw notAllowed()
  return text
}
