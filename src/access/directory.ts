import type { NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { NamespaceRecord } from '../ports/namespaces.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import { isGone } from './requested-namespace.js'
import { tombstone, tombstoneKey } from './name-tombstone.js'

/** All namespaces in memory. Every write calls `refresh` after it is committed and before its response. */
export class Directory implements NamespaceDirectory {
  readonly #store: ControlStore
  readonly #clock: Clock
  readonly #byId = new Map<NamespaceId, NamespaceRecord>()
  readonly #byName = new Map<string, Set<NamespaceId>>()
  #tombstoneKey: string | null = null
  readonly #onGone: ((id: NamespaceId) => void)[] = []
  #lastRefresh: Promise<void> = Promise.resolve()

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  byId(id: NamespaceId): Namespace | null {
    return this.#byId.get(id) ?? null
  }

  byName(name: string): Namespace | null {
    const present = this.#bestOf(name)
    if (present || this.#tombstoneKey === null) return present
    return this.#bestOf(tombstone(this.#tombstoneKey, name))
  }

  #bestOf(name: string): Namespace | null {
    let best: NamespaceRecord | null = null
    for (const id of this.#byName.get(name) ?? []) {
      const record = this.#byId.get(id)!
      if (record.state !== 'deleted') return record
      if ((record.nameHeldUntilMs ?? 0) > (best?.nameHeldUntilMs ?? this.#clock.nowMs())) best = record
    }
    return best
  }

  /** Whether the namespace has, or had before it was deleted, this name. */
  isNamed(namespace: Namespace, name: string): boolean {
    if (namespace.name === name) return true
    return this.#tombstoneKey !== null && namespace.state === 'deleted' && namespace.name === tombstone(this.#tombstoneKey, name)
  }

  all(): readonly Namespace[] {
    return [...this.#byId.values()]
  }

  /** Calls `listener` once for each namespace that was open here and is deleting or deleted now, whoever did it. */
  whenGone(listener: (id: NamespaceId) => void): void {
    this.#onGone.push(listener)
  }

  /** Reads all namespaces. */
  load(): Promise<void> {
    return this.#inSlices(async () => {
      await this.#loadKey()
      for (const record of await this.#store.namespaces.all()) this.#put(record)
    })
  }

  /** Reads one namespace again. */
  refresh(id: NamespaceId): Promise<void> {
    return this.#inSlices(async () => {
      const record = await this.#store.namespaces.byId(id)
      if (record?.state === 'deleted') await this.#loadKey()
      if (record) this.#put(record)
    })
  }

  /** One reading at a time, so that an older one never replaces a newer one. */
  #inSlices(read: () => Promise<void>): Promise<void> {
    const done = this.#lastRefresh.then(read)
    // The caller has the failure; the next reading only waits for the end of this one.
    this.#lastRefresh = done.catch(() => undefined)
    return done
  }

  async #loadKey(): Promise<void> {
    this.#tombstoneKey ??= await tombstoneKey(this.#store)
  }

  #put(record: NamespaceRecord): void {
    const before = this.#byId.get(record.id)
    this.#byId.set(record.id, record)
    if (before && before.name !== record.name) this.#byName.get(before.name)?.delete(record.id)
    const ids = this.#byName.get(record.name) ?? new Set()
    this.#byName.set(record.name, ids.add(record.id))
    if (before && !isGone(before) && isGone(record)) for (const notify of this.#onGone) notify(record.id)
  }
}
