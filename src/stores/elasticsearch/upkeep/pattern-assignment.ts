import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type {
  AssignedPatterns,
  PartFault,
  PartPlace,
  UnassignedLog,
  UnassignedLogs,
  UnassignedPart,
  WrittenPatterns
} from '../../../ports/unassigned-logs.js'
import { engineToGatewayError } from '../client/engine-errors.js'
import { logWithPattern } from '../document/log-with-pattern.js'
import type { Generations } from '../index/generations.js'
import { writeAlias } from '../index/index-names.js'
import { Scope, type ReadTargets } from '../read/scope.js'
import { EVERY_TIME } from '../read/scopes.js'
import type { UnassignedDocuments, WrittenDocument } from '../read/unassigned-documents.js'
import type { BatchWriter } from '../write/batch-writer.js'
import type { ItemOutcome } from '../write/item-outcome.js'
import { piecesOf } from '../write/pieces-of.js'
import type { IndexCalls } from './index-calls.js'

/** Logs of one step: so many are written in seconds. */
const MAX_ASSIGNED = 20_000
/** Documents that are rewritten at once at most. */
const CHUNK_ROWS = 500

/** What assigning patterns works with. */
export interface PatternAssignmentDeps {
  readonly documents: UnassignedDocuments
  readonly targets: ReadTargets
  readonly generations: Pick<Generations, 'byIndex'>
  readonly writer: Pick<BatchWriter, 'replace'>
  readonly calls: Pick<IndexCalls, 'refresh' | 'sizes'>
  /** Resolves once the indices that are there have the fields of this version. */
  readonly mapped: () => Promise<void>
}

/** An index of a namespace, and what of it the namespace may read. */
interface Part {
  readonly generation: IndexGeneration
  readonly scope: Scope
}

/** Documents are written one by one: each is replaced by itself with a pattern, unless it was changed meanwhile (docs/adr/0092). */
export class PatternAssignment implements UnassignedLogs {
  readonly maxAssigned = MAX_ASSIGNED
  readonly #deps: PatternAssignmentDeps

  constructor(deps: PatternAssignmentDeps) {
    this.#deps = deps
  }

  async parts(ns: NamespaceId): Promise<readonly UnassignedPart[]> {
    const { targets, calls, documents } = this.#deps
    const target = await targets.of(ns, 'logs')
    if (target.indices.length === 0) return []
    await calls.refresh(target.indices)
    const counts = await documents.counts(new Scope(target, EVERY_TIME))
    return target.indices.toReversed().flatMap(part => (counts.has(part) ? [{ part, logs: counts.get(part)! }] : []))
  }

  async page(ns: NamespaceId, { part, after }: PartPlace): Promise<readonly UnassignedLog[] | PartFault> {
    const found = await this.#part(ns, part)
    return found === null ? 'gone' : this.#deps.documents.page(found.scope, after)
  }

  async assign(ns: NamespaceId, part: string, assigned: AssignedPatterns): Promise<WrittenPatterns | PartFault> {
    const { calls, mapped } = this.#deps
    const { places } = assigned
    if ((await this.#part(ns, part)) === null) return 'gone'
    await mapped()
    const patterns = patternsByPlace(assigned)
    let stored = 0
    let rows = CHUNK_ROWS
    for (let start = 0; start < places.length;) {
      const chunk = await this.#assignSome(ns, part, places.subarray(start, start + rows), patterns)
      if (chunk === 'gone') return chunk
      stored += chunk.stored
      start += chunk.places
      // Documents near large ones are likely to be large.
      rows = Math.min(CHUNK_ROWS, 2 * chunk.places)
    }
    await calls.refresh([part])
    return { assigned: stored, next: { part, after: places.at(-1) ?? -1 } }
  }

  /** The first of these places, as many as fit. */
  async #assignSome(ns: NamespaceId, part: string, places: Float64Array, patterns: PatternsByPlace): Promise<Chunk | 'gone'> {
    const found = await this.#part(ns, part)
    if (found === null) return 'gone'
    const { documents, writer } = this.#deps
    const { result, size } = await documents.whole(found.scope, places)
    const pieces = await piecesOf(ns, replacements(ns, found.generation, result, patterns))
    const outcomes = await writer.replace(ns, pieces)
    if (outcomes.some(({ kind }) => kind === 'missing')) return this.#missing(part)
    return { places: size, stored: storedOf(outcomes) }
  }

  /** An index of the namespace; null for any other name, which comes from a caller. */
  async #part(ns: NamespaceId, part: string): Promise<Part | null> {
    const { targets, generations } = this.#deps
    const target = await targets.of(ns, 'logs')
    const generation = target.indices.includes(part) ? generations.byIndex(part) : undefined
    return generation ? { generation, scope: new Scope({ ...target, indices: [part] }, EVERY_TIME) } : null
  }

  /** Bulks did not find the alias of an index. */
  async #missing(part: string): Promise<'gone'> {
    const isThere = (await this.#deps.calls.sizes([part])).has(part)
    if (!isThere) return 'gone'
    const sentence = 'an index of the search store lacks its write alias; restore the alias and run the command again'
    throw new GatewayError('store_unavailable', sentence, { diagnosis: `${part} lacks the alias ${writeAlias(part)}` })
  }
}

type PatternsByPlace = ReadonlyMap<number, string>

function patternsByPlace({ places, of, ids }: AssignedPatterns): PatternsByPlace {
  return new Map(Array.from(places, (place, i) => [place, ids[of[i]!]!]))
}

/** What became of some places. */
interface Chunk {
  readonly places: number
  /** Documents that have their pattern now. */
  readonly stored: number
}

/** The entries of a bulk. Each demands that its document is as it was read. */
function* replacements(
  ns: NamespaceId,
  { index, search }: IndexGeneration,
  documents: readonly WrittenDocument[],
  patterns: PatternsByPlace
): Generator<string> {
  for (const { id, place, primaryTerm, source } of documents) {
    const action = { _index: writeAlias(index), _id: id, if_seq_no: place, if_primary_term: primaryTerm }
    yield `${JSON.stringify({ index: action })}\n${logWithPattern(ns, source, patterns.get(place)!, search !== 'off')}\n`
  }
}

/** Throws the first error of the store. What was refused or changed meanwhile is left. */
function storedOf(outcomes: readonly ItemOutcome[]): number {
  for (const outcome of outcomes) if (outcome.kind === 'failed') throw engineToGatewayError(outcome.fault)
  return outcomes.filter(({ kind }) => kind === 'stored').length
}
