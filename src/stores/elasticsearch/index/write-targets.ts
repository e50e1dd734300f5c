import type { NamespaceId } from '../../../domain/ids.js'
import { DEFAULT_STORAGE, type StoragePlan } from '../../../domain/storage-plan.js'
import type { Clock } from '../../../ports/clock.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'
import type { DocumentKind } from '../document/field-names.js'
import { isRetired, pinnedAt, type Generations } from './generations.js'
import type { IndexMaker } from './index-maker.js'
import { indexName, poolOf, type Owner } from './index-names.js'

/** How a namespace is in the store. Those that the directory does not know share a pool. */
export function planOf(namespaces: NamespaceDirectory, ns: NamespaceId): StoragePlan {
  return namespaces.byId(ns)?.storage ?? DEFAULT_STORAGE.personal
}

/** Who owns the indices of a namespace. */
export function ownerOf(namespaces: NamespaceDirectory, ns: NamespaceId): Owner {
  return planOf(namespaces, ns).placement === 'dedicated' ? ns : poolOf(ns)
}

/** Finds the index of a batch, and makes it when it is the first of its kind. */
export class WriteTargets {
  readonly #generations: Generations
  readonly #maker: IndexMaker
  readonly #namespaces: NamespaceDirectory
  readonly #clock: Clock
  readonly #installation: string
  readonly #mapped: () => Promise<void>
  /** Indices that proved to be gone though later ones take their place. */
  readonly #gone = new Set<string>()
  readonly #starting = new Map<string, Promise<IndexGeneration>>()

  constructor(deps: {
    generations: Generations
    maker: IndexMaker
    namespaces: NamespaceDirectory
    clock: Clock
    installation: string
    /** Resolves once the indices that are there have the fields of this version. */
    mapped: () => Promise<void>
  }) {
    this.#generations = deps.generations
    this.#maker = deps.maker
    this.#namespaces = deps.namespaces
    this.#clock = deps.clock
    this.#installation = deps.installation
    this.#mapped = deps.mapped
  }

  /** The generation for an ingest id made at `atMs`. */
  async find(ns: NamespaceId, kind: DocumentKind, atMs: number): Promise<IndexGeneration> {
    await this.#mapped()
    const owner = ownerOf(this.#namespaces, ns)
    const generations = await this.#generations.of(owner, kind)
    const pinned = pinnedAt(
      generations.filter(({ index }) => !this.#gone.has(index)),
      atMs
    )
    return pinned ?? this.#start(ns, owner, kind)
  }

  /**
   * Puts right that the index of `generation` was not there. A generation that takes writes is made again; the index of
   * one that no longer does was deleted for good, so that the next one takes its place.
   */
  async repair({ owner, kind, index }: IndexGeneration): Promise<void> {
    await this.#generations.read()
    const generations = await this.#generations.of(owner, kind)
    const current = generations.find(generation => generation.index === index)
    if (!current) return
    if (current.madeAtMs !== null) await this.#generations.noteLost(current)
    if (isRetired(current, generations, this.#clock.nowMs())) this.#gone.add(index)
    else await this.#maker.make(current)
  }

  #start(ns: NamespaceId, owner: Owner, kind: DocumentKind): Promise<IndexGeneration> {
    const key = `${kind}/${owner}`
    const starting = this.#starting.get(key) ?? this.#startOnce(ns, owner, kind).finally(() => this.#starting.delete(key))
    this.#starting.set(key, starting)
    return starting
  }

  async #startOnce(ns: NamespaceId, owner: Owner, kind: DocumentKind): Promise<IndexGeneration> {
    const plan = planOf(this.#namespaces, ns)
    const first: IndexGeneration = {
      owner,
      kind,
      number: 1,
      index: indexName(kind, owner, 1, this.#installation),
      fromMs: 0,
      search: plan.placement === 'dedicated' ? plan.search : DEFAULT_STORAGE.personal.search,
      createdAtMs: this.#clock.nowMs(),
      madeAtMs: null,
      lostAtMs: null
    }
    const current = await this.#generations.add(first)
    await this.#maker.make(current)
    return current
  }
}
