import type { NamespaceId } from '../ids.js'

/** Parts that the rules of all namespaces are divided into; each part has one evaluator at a time. */
export const ALERT_SHARDS = 16

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * FNV-1a, 32 bits, of the UTF-16 code units of `text`. Stored shards and evaluation times depend on it, so it never
 * changes.
 */
export function alertHash(text: string): number {
  let hash = FNV_OFFSET
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return hash >>> 0
}

/** The shard of a namespace, 0 to 15: all of its rules and notifications have one evaluator. Stored with its groups. */
export function shardOf(ns: NamespaceId): number {
  return alertHash(ns) % ALERT_SHARDS
}
