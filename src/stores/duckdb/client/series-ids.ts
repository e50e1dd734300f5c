import type { NamespaceId } from '../../../domain/ids.js'
import type { KnownId } from '../wire/points.js'

/** Keys and what belongs to them in memory. */
const MAX_BYTES = 64 * 1024 * 1024
const ENTRY_BYTES = 128
const BYTES_PER_UNIT = 2

type IdsByKey = Map<string, KnownId>

/** What was asked for within one filling of the memory. */
interface Generation {
  readonly namespaces: Map<NamespaceId, IdsByKey>
  bytes: number
}

/**
 * What the store process calls the series of each namespace: a known series travels, and lies in the journal, as one
 * number. Bounded in two generations: what is not asked for while one fills is forgotten with the next, and sent in full.
 */
export class SeriesIds {
  readonly #maxBytes: number
  #recent: Generation = { namespaces: new Map(), bytes: 0 }
  #older: Generation = { namespaces: new Map(), bytes: 0 }

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Bytes that are in use. */
  get bytes(): number {
    return this.#recent.bytes + this.#older.bytes
  }

  /** The ids of a namespace, to be asked for those of one request. */
  of(ns: NamespaceId): (key: string) => KnownId | undefined {
    const recent = this.#recent.namespaces.get(ns)
    const older = this.#older.namespaces.get(ns)
    return key => recent?.get(key) ?? this.#again(ns, key, older?.get(key))
  }

  /** The store has answered the id of a series. */
  learn(ns: NamespaceId, key: string, id: bigint): void {
    this.#keep(ns, key, { id, request: 0, position: 0 })
  }

  /** Its ids are not known to the store, or it is gone. */
  forget(ns: NamespaceId): void {
    for (const generation of [this.#recent, this.#older]) {
      for (const key of generation.namespaces.get(ns)?.keys() ?? []) generation.bytes -= sizeOf(key)
      generation.namespaces.delete(ns)
    }
  }

  #again(ns: NamespaceId, key: string, known: KnownId | undefined): KnownId | undefined {
    if (known !== undefined) this.#keep(ns, key, known)
    return known
  }

  #keep(ns: NamespaceId, key: string, known: KnownId): void {
    if (this.#recent.bytes + sizeOf(key) > this.#maxBytes / 2) {
      this.#older = this.#recent
      this.#recent = { namespaces: new Map(), bytes: 0 }
    }
    const { namespaces } = this.#recent
    const ids = namespaces.get(ns) ?? new Map<string, KnownId>()
    namespaces.set(ns, ids)
    if (!ids.has(key)) this.#recent.bytes += sizeOf(key)
    ids.set(key, known)
  }
}

function sizeOf(key: string): number {
  return ENTRY_BYTES + BYTES_PER_UNIT * key.length
}
