import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import { INDEX_PREFIXES } from '../document/index-template.js'
import type { DocumentKind } from '../document/field-names.js'

/** Whose records an index holds: of a namespace, or of all that share it. */
export type Owner = IndexGeneration['owner']

const NUMBER_DIGITS = 6
const POOL = /^pool\d+$/
/** Must never change: namespaces are in their pool by it. */
const POOL_COUNT = 4
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Name of a generation's index. Installations may share a cluster: ids of namespaces are different everywhere, those of
 * pools are not.
 */
export function indexName(kind: DocumentKind, owner: Owner, number: number, installation: string): string {
  const name = isPool(owner) ? `${owner}_${installation}` : owner
  return `${INDEX_PREFIXES[kind]}${name}-${String(number).padStart(NUMBER_DIGITS, '0')}`
}

/**
 * Alias by which an index is written. Bulks demand an alias (`require_alias`), so that one that comes after the deletion
 * of its index finds nothing: engines would create the index again. Neither our templates nor data views match it.
 */
export function writeAlias(index: string): string {
  return index.replace(/^(logs|traces)-alidade\.(\w+)-/, '$1-alidade.$2.write-')
}

/** The pool that a namespace shares. */
export function poolOf(ns: NamespaceId): `pool${number}` {
  let hash = FNV_OFFSET
  for (let i = 0; i < ns.length; i++) hash = Math.imul(hash ^ ns.charCodeAt(i), FNV_PRIME)
  return `pool${(hash ^ (hash >>> 15)) & (POOL_COUNT - 1)}`
}

/** Whether namespaces share the indices of an owner. */
export function isPool(owner: Owner): boolean {
  return POOL.test(owner)
}

/** `_id` of a record. Two namespaces may send the same ingest id, so in shared indices the namespace is part of it. */
export function documentId(owner: Owner, ns: NamespaceId, id: RecordId): string {
  return isPool(owner) ? `${ns}-${id}` : id
}
