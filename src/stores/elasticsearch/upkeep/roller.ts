import type { NamespaceId } from '../../../domain/ids.js'
import type { Clock } from '../../../ports/clock.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'
import type { Generations } from '../index/generations.js'
import { indexName, isPool } from '../index/index-names.js'
import { planOf } from '../index/write-targets.js'
import type { ElasticsearchLimits } from '../limits.js'
import type { IndexSize } from './index-calls.js'

type RollLimits = Pick<ElasticsearchLimits, 'rollBytes' | 'rollAgeMs' | 'rollAgedBytes' | 'rollOldMs' | 'rollAheadMs'>

/** Begins new generations of indices. */
export class Roller {
  readonly #generations: Generations
  readonly #namespaces: NamespaceDirectory
  readonly #clock: Clock
  readonly #limits: RollLimits
  readonly #installation: string

  constructor(deps: {
    generations: Generations
    namespaces: NamespaceDirectory
    clock: Clock
    limits: RollLimits
    installation: string
  }) {
    this.#generations = deps.generations
    this.#namespaces = deps.namespaces
    this.#clock = deps.clock
    this.#limits = deps.limits
    this.#installation = deps.installation
  }

  /** Whether an index of this size and age should take no more. */
  isDue({ createdAtMs }: IndexGeneration, { bytes, documents }: IndexSize): boolean {
    const { rollBytes, rollAgeMs, rollAgedBytes, rollOldMs } = this.#limits
    const ageMs = this.#clock.nowMs() - createdAtMs
    if (documents === 0) return false
    return bytes >= rollBytes || (ageMs >= rollAgeMs && bytes >= rollAgedBytes) || ageMs >= rollOldMs
  }

  /** Adds the generation behind `last`, which begins once every gateway knows of it. Its index is made by its first write. */
  async roll({ owner, kind, number, search }: IndexGeneration): Promise<void> {
    const nowMs = this.#clock.nowMs()
    await this.#generations.add({
      owner,
      kind,
      number: number + 1,
      index: indexName(kind, owner, number + 1, this.#installation),
      fromMs: nowMs + this.#limits.rollAheadMs,
      search: isPool(owner) ? search : planOf(this.#namespaces, owner as NamespaceId).search,
      createdAtMs: nowMs,
      madeAtMs: null,
      lostAtMs: null
    })
  }
}
