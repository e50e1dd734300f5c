import { GenerationalCache } from '../../../domain/generations.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { KnownId } from '../wire/points.js'

/** Keys and what belongs to them in memory. */
const MAX_BYTES = 64 * 1024 * 1024
const ENTRY_BYTES = 128
const BYTES_PER_UNIT = 2

type IdsByKey = Map<string, KnownId>

/** Ids used since the previous generation was full. */
interface Generation {
  readonly namespaces: Map<NamespaceId, IdsByKey>
  bytes: number
}

/**
 * What the store process calls the series of each namespace: a known series travels, and is in the journal, as one
 * number. Bounded by `GenerationalCache`: what is forgotten is sent in full.
 */
export class SeriesIds {
  readonly #generations: GenerationalCache<Generation>

  constructor(maxBytes = MAX_BYTES) {
    this.#generations = new GenerationalCache(maxBytes, () => ({ namespaces: new Map(), bytes: 0 }))
  }

  /** Bytes that are in use. */
  get bytes(): number {
    return this.#generations.bytes
  }

  /** Looks up the ids of a namespace, for the series of one request. */
  of(ns: NamespaceId): (key: string) => KnownId | undefined {
    const recent = this.#generations.recent.namespaces.get(ns)
    const older = this.#generations.older.namespaces.get(ns)
    return key => recent?.get(key) ?? this.#again(ns, key, older?.get(key))
  }

  /** Keeps the id of a series from a response of the store. */
  learn(ns: NamespaceId, key: string, id: bigint): void {
    this.#keep(ns, key, { id, request: 0, position: 0 })
  }

  /** Its ids are not known to the store, or it is gone. */
  forget(ns: NamespaceId): void {
    for (const generation of [this.#generations.recent, this.#generations.older]) {
      for (const key of generation.namespaces.get(ns)?.keys() ?? []) generation.bytes -= sizeOf(key)
      generation.namespaces.delete(ns)
    }
  }

  #again(ns: NamespaceId, key: string, known: KnownId | undefined): KnownId | undefined {
    if (known !== undefined) this.#keep(ns, key, known)
    return known
  }

  #keep(ns: NamespaceId, key: string, known: KnownId): void {
    const generation = this.#generations.roomFor(sizeOf(key))
    if (generation === null) return
    const ids = generation.namespaces.get(ns) ?? new Map<string, KnownId>()
    generation.namespaces.set(ns, ids)
    if (!ids.has(key)) generation.bytes += sizeOf(key)
    ids.set(key, known)
  }
}

function sizeOf(key: string): number {
  return ENTRY_BYTES + BYTES_PER_UNIT * key.length
}
