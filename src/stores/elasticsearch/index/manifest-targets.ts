import type { NamespaceId } from '../../../domain/ids.js'
import { SUBSTRING_SEARCHES, type SubstringSearch } from '../../../domain/storage-plan.js'
import { formatNs } from '../../../domain/timestamp.js'
import type { IndexKind } from '../../../ports/index-catalog.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'
import { ID, NAMESPACE, TIME } from '../document/field-names.js'
import type { DeletionMark, DeletionMarks } from './deletion-marks.js'
import type { DroppedNamespaces } from './dropped-namespaces.js'
import type { Generations } from './generations.js'
import { ownerOf, planOf } from './write-targets.js'

type Clause = Readonly<Record<string, unknown>>

/** The location of the records of one kind of a namespace, and the condition of every read of them. */
export interface ManifestTarget {
  readonly indices: readonly string[]
  readonly mandatory: readonly Clause[]
  /** The weakest among the indices. */
  readonly search: SubstringSearch
}

/** What `date_nanos` can contain. */
const MAX_NS = 2n ** 63n - 1n

/** Clause for records of one namespace, whichever index they are in. */
export function ofNamespace(ns: NamespaceId): Clause {
  return { term: { [NAMESPACE]: ns } }
}

/** Clause for records with an event time before `timeNs`, or from it on. */
export function timeBound(op: 'lt' | 'gte', timeNs: bigint): Clause {
  return { range: { [TIME]: { [op]: formatNs(timeNs > MAX_NS ? MAX_NS : timeNs) } } }
}

function notDeleted({ timeNs, sinceId, indices }: DeletionMark): Clause {
  const cameLater = { range: { [ID]: { gte: sinceId } } }
  const elsewhere = indices ? [{ bool: { must_not: { terms: { _index: indices } } } }] : []
  return { bool: { should: [timeBound('gte', timeNs), cameLater, ...elsewhere], minimum_should_match: 1 } }
}

function weakest(searches: readonly SubstringSearch[]): SubstringSearch | undefined {
  return SUBSTRING_SEARCHES.findLast(search => searches.includes(search))
}

/** The reading side of the catalog. */
export class ManifestTargets {
  readonly #deps: {
    readonly generations: Generations
    readonly namespaces: NamespaceDirectory
    readonly dropped: DroppedNamespaces
    readonly marks: DeletionMarks
  }

  constructor(deps: {
    readonly generations: Generations
    readonly namespaces: NamespaceDirectory
    readonly dropped: DroppedNamespaces
    readonly marks: DeletionMarks
  }) {
    this.#deps = deps
  }

  /** Throws `store_unavailable` when the catalog cannot be read. */
  async of(ns: NamespaceId, kind: IndexKind): Promise<ManifestTarget> {
    const { generations, namespaces, dropped, marks } = this.#deps
    const mark = marks.of(ns, kind)
    const found = dropped.has(ns) ? [] : await generations.of(ownerOf(namespaces, ns), kind)
    return {
      indices: found.map(({ index }) => index),
      mandatory: [ofNamespace(ns), ...(mark ? [notDeleted(mark)] : [])],
      search: weakest(found.map(({ search }) => search)) ?? planOf(namespaces, ns).search
    }
  }
}
