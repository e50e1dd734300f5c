import type { Namespace } from '../src/domain/namespace.js'
import type { NewestRecord, OrderedSignal } from '../src/query/newest-record.js'

/** Time of the newest record of a signal, looked up once a request. */
export type NewestLoader = (signal: OrderedSignal) => Promise<bigint | null>

/** A loader of one request. */
export function createNewestLoader(
  newest: NewestRecord,
  { namespace, signal: abort }: { readonly namespace: () => Promise<Namespace>; readonly signal: AbortSignal }
): NewestLoader {
  const found = new Map<OrderedSignal, Promise<bigint | null>>()
  return async signal => {
    const known = found.get(signal) ?? namespace().then(ns => newest.at(ns, signal, abort))
    found.set(signal, known)
    return known
  }
}
