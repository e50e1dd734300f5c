import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { IndexGeneration, IndexKind } from '../../../ports/index-catalog.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'
import type { Cut } from '../../../domain/warning.js'
import type { GapSignal, ReadGaps } from '../../../ports/read-gaps.js'
import { deletionCut } from '../../shared/cuts.js'
import type { Generations } from './generations.js'
import { ownerOf } from './write-targets.js'

const KINDS: Readonly<Partial<Record<GapSignal, readonly [kind: IndexKind, name: string]>>> = {
  logs: ['logs', 'logs'],
  traces: ['spans', 'spans'],
  rum: ['rum', 'page views'],
  errors: ['errors', 'errors']
}
const NS_PER_MS = 1_000_000n

/** Indices that were deleted externally: what is known of them, and how reads and writes handle one. */
export class IndexLosses implements ReadGaps {
  readonly #generations: Generations
  readonly #namespaces: NamespaceDirectory

  constructor(generations: Generations, namespaces: NamespaceDirectory) {
    this.#generations = generations
    this.#namespaces = namespaces
  }

  /** Whether all indices are known to have been made, and none to be gone: one that is not there then is a loss. */
  areWhole(indices: readonly string[]): boolean {
    return indices.every(index => {
      const generation = this.#generations.byIndex(index)
      return generation !== undefined && generation.madeAtMs !== null && generation.lostAtMs === null
    })
  }

  /** An index was not there. Notes the loss, unless the catalog has forgotten the index meanwhile or never saw it made. */
  async met(index: string): Promise<boolean> {
    await this.#generations.read()
    const generation = this.#generations.byIndex(index)
    if (generation === undefined || generation.madeAtMs === null) return false
    await this.#generations.noteLost(generation)
    return true
  }

  of(ns: NamespaceId, signal: GapSignal, range: { readonly startNs: bigint }): readonly Cut[] {
    const [kind, name] = KINDS[signal] ?? []
    if (kind === undefined || name === undefined) return []
    const lostAtMs = Math.max(0, ...this.#generations.known(ownerOf(this.#namespaces, ns), kind).map(lostAt))
    if (range.startNs >= BigInt(lostAtMs) * NS_PER_MS) return []
    return [deletionCut(name, lostAtMs, 'an index')]
  }
}

function lostAt({ lostAtMs }: IndexGeneration): number {
  return lostAtMs ?? 0
}

/** The error of the read that meets a loss first; later reads return what is left, and report the gap. */
export function lostIndex(index: string): GatewayError {
  const sentence = 'an index of the search store was deleted and its records are lost; retry to read the remaining ones'
  return new GatewayError('store_unavailable', sentence, { diagnosis: `${index} was deleted`, retryAfterS: 1 })
}
