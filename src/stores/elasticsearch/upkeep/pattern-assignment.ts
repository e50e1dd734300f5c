import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { Clock } from '../../../ports/clock.js'
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
import { logWithPattern } from '../document/log-with-pattern.js'
import type { Generations } from '../index/generations.js'
import { writeAlias } from '../index/index-names.js'
import { Scope, type ReadTargets } from '../read/scope.js'
import { EVERY_TIME } from '../read/scopes.js'
import type { UnassignedDocuments, WrittenDocument } from '../read/unassigned-documents.js'
import type { BatchWriter } from '../write/batch-writer.js'
import { piecesOf } from '../write/pieces-of.js'
import { AssignmentStep } from './assignment-step.js'
import type { IndexCalls } from './index-calls.js'

/** Logs of one step at most. */
const MAX_ASSIGNED = 20_000
/** How long one step writes before its last chunk, in milliseconds. */
export const WRITE_MS = 10_000
/** Documents that are rewritten at once at most. */
const CHUNK_ROWS = 500

/** What assigning patterns works with. */
export interface PatternAssignmentDeps {
  readonly documents: UnassignedDocuments
  readonly targets: ReadTargets
  readonly generations: Pick<Generations, 'byIndex' | 'read'>
  readonly writer: Pick<BatchWriter, 'replace'>
  readonly calls: Pick<IndexCalls, 'refresh' | 'sizes'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Resolves once the indices that are there have the fields of this version. */
  readonly mapped: () => Promise<void>
}

/** An index of a namespace, and what of it the namespace may read. */
interface Part {
  readonly generation: IndexGeneration
  readonly scope: Scope
}

/** Replaces each document with a copy that has a pattern, unless it was changed meanwhile (docs/adr/0092). */
export class PatternAssignment implements UnassignedLogs {
  readonly maxAssigned = MAX_ASSIGNED
  readonly #deps: PatternAssignmentDeps

  constructor(deps: PatternAssignmentDeps) {
    this.#deps = deps
  }

  async parts(ns: NamespaceId): Promise<readonly UnassignedPart[]> {
    const { targets, generations, calls, documents } = this.#deps
    // Another gateway may just have begun an index.
    await generations.read()
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
    if ((await this.#part(ns, part)) === null) return 'gone'
    await mapped()
    const step = new AssignmentStep(assigned)
    try {
      if ((await this.#write(ns, part, step)) === 'gone') return 'gone'
    } catch (error) {
      // The next step meets what lasts.
      if (!step.hasWritten) throw error
    }
    await calls.refresh([part])
    return step.written(part)
  }

  /** Writes chunks until the step is whole, or its time is over. */
  async #write(ns: NamespaceId, part: string, step: AssignmentStep): Promise<'gone' | undefined> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    let rows = CHUNK_ROWS
    while (!step.isWhole && clock.monotonicMs() - startedMs < WRITE_MS) {
      const size = await this.#writeSome(ns, part, step, rows)
      if (size === 'gone') return size
      // Documents near large ones are likely to be large.
      rows = Math.min(CHUNK_ROWS, 2 * size)
    }
    return undefined
  }

  /** The next places of a step, as many as fit; their number. */
  async #writeSome(ns: NamespaceId, part: string, step: AssignmentStep, rows: number): Promise<number | 'gone'> {
    const found = await this.#part(ns, part)
    if (found === null) return 'gone'
    const { documents, writer } = this.#deps
    const { result, size } = await documents.whole(found.scope, step.nextPlaces(rows))
    const pieces = await piecesOf(ns, replacements(ns, found.generation, result, step))
    const outcomes = await writer.replace(ns, pieces)
    if (outcomes.some(({ kind }) => kind === 'missing')) return this.#missing(part)
    step.note(result, outcomes, size)
    return size
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
    const remedy = 'restore the alias and run the command again'
    const diagnosis = `the index ${part} of the search store lacks its write alias ${writeAlias(part)}; ${remedy}`
    throw new GatewayError('store_unavailable', `an index of the search store lacks its write alias; ${remedy}`, { diagnosis })
  }
}

/** The entries of a bulk. Each demands that its document is as it was read. */
function* replacements(
  ns: NamespaceId,
  { index, search }: IndexGeneration,
  documents: readonly WrittenDocument[],
  step: AssignmentStep
): Generator<string> {
  for (const { id, place, primaryTerm, source } of documents) {
    const action = { _index: writeAlias(index), _id: id, if_seq_no: place, if_primary_term: primaryTerm }
    yield `${JSON.stringify({ index: action })}\n${logWithPattern(ns, source, step.patternAt(place), search !== 'off')}\n`
  }
}
