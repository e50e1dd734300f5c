import type { FacetRequest } from '../../../domain/search.js'
import { Pace } from '../../../threads/pace.js'
import type { Segment } from '../snapshot.js'
import type { TableFields } from './field-target.js'
import { countKey, type MemoryLimits, SegmentMemory } from './segment-memory.js'
import { inSegment, type Scope, without } from './source.js'
import { countFacetCells, type FacetCell, type ValueCount } from './value-counts.js'

const MAX_BYTES = 32 * 1024 * 1024
const CELL_BYTES = 300
const VALUE_BYTES = 140
/** Of the memory, for the cells of one facet. */
const SHARE_OF_REQUEST = 1 / 64
/** Values of all facets of a request: each is bound to the statement that counts the other rows. */
const MAX_VALUES = 5_000
/** Values that are added up without yielding to the event loop: some milliseconds. */
const VALUES_AT_ONCE = 20_000

/** Facets that are counted together. */
export interface FacetPart {
  readonly requests: readonly FacetRequest[]
  /** The rows that remain to be counted. */
  readonly remaining: Scope
  /** The counts of each facet in the other rows. */
  readonly counts: readonly (readonly ValueCount[])[]
}

/** Bounds of `FacetCells`. */
export interface FacetLimits extends Partial<MemoryLimits> {
  /** Values of all facets of a request. */
  readonly maxValues?: number
}

function bytesOf({ counts }: FacetCell): number {
  return (counts ?? []).reduce((sum, { value }) => sum + VALUE_BYTES + 2 * value.length, CELL_BYTES)
}

function sumOf(a: ValueCount, b: ValueCount): ValueCount {
  const lastNs = a.lastNs !== null && b.lastNs !== null && a.lastNs > b.lastNs ? a.lastNs : b.lastNs
  return { value: a.value, rows: a.rows + b.rows, firsts: a.firsts + b.firsts, lastNs }
}

/** The counts of one facet in the segments that were added. */
class FacetSum {
  readonly request: FacetRequest
  readonly key: string
  readonly counts = new Map<string, ValueCount>()
  /** Of the cells that were added. */
  bytes = 0

  constructor(request: FacetRequest) {
    const { field, filter, lastSeen = false } = request
    this.request = request
    this.key = countKey(field, filter, lastSeen)
  }

  add(cell: FacetCell): void {
    this.bytes += bytesOf(cell)
    for (const count of cell.counts ?? []) {
      const known = this.counts.get(count.value)
      this.counts.set(count.value, known ? sumOf(known, count) : count)
    }
  }
}

/** What facets have counted in large segments. */
export class FacetCells {
  readonly #memory: SegmentMemory<FacetCell>
  readonly #maxValues: number

  constructor({ maxValues = MAX_VALUES, ...limits }: FacetLimits = {}) {
    this.#memory = new SegmentMemory(bytesOf, { maxBytes: MAX_BYTES, shareOfRequest: SHARE_OF_REQUEST, ...limits })
    this.#maxValues = maxValues
  }

  /** Estimated bytes of all cells. */
  get bytes(): number {
    return this.#memory.bytes
  }

  /**
   * Divides facets that share a filter into those with few values, of which large segments are counted, and the others.
   * What is not known of these segments is counted now.
   */
  async partsOf(scope: Scope, fields: TableFields, requests: readonly FacetRequest[]): Promise<readonly FacetPart[]> {
    const segments = this.#memory.segmentsOf(scope, requests[0]!.filter)
    const sums = segments.length > 0 ? await this.#sumsOf(scope, fields, segments, requests) : []
    const counted = sums.map(({ request }) => request)
    const others = requests.filter(request => !counted.includes(request))
    const parts: readonly FacetPart[] = [
      { requests: counted, remaining: without(scope, segments), counts: sums.map(({ counts }) => [...counts.values()]) },
      { requests: others, remaining: scope, counts: others.map(() => []) }
    ]
    return parts.filter(part => part.requests.length > 0)
  }

  /** The sums over all segments of the facets that have few values in them. */
  async #sumsOf(
    scope: Scope,
    fields: TableFields,
    segments: readonly Segment[],
    requests: readonly FacetRequest[]
  ): Promise<readonly FacetSum[]> {
    const pace = new Pace(VALUES_AT_ONCE, scope.signal)
    const all = requests.map(request => new FacetSum(request))
    const worth = this.#memory.worthCells(all.map(({ key }) => key))
    let sums: readonly FacetSum[] = all.filter(({ key }) => worth.has(key))
    for (const segment of segments) {
      const cells = await this.#cellsOf(inSegment(scope, segment), fields, segment, sums)
      for (const [i, sum] of sums.entries()) {
        sum.add(cells[i]!)
        if (pace.isDue((cells[i]!.counts?.length ?? 0) + 1)) await pace.rest()
      }
      sums = this.#withoutLarge(sums, cells)
    }
    return this.#fewest(sums)
  }

  /** The sums that have room, and a cell of the last segment. */
  #withoutLarge(sums: readonly FacetSum[], cells: readonly FacetCell[]): readonly FacetSum[] {
    return sums.filter(({ key, counts, bytes }, i) => {
      const hasRoom = cells[i]!.counts !== null && counts.size <= this.#maxValues && this.#memory.hasRoom(bytes)
      if (!hasRoom) this.#memory.setLarge(key)
      return hasRoom
    })
  }

  /** The sums whose values can be bound to one statement, in the order of the requests. */
  #fewest(sums: readonly FacetSum[]): readonly FacetSum[] {
    let values = 0
    return sums.filter(({ counts }) => {
      const isBound = values + counts.size <= this.#maxValues
      if (isBound) values += counts.size
      return isBound
    })
  }

  #cellsOf(scope: Scope, fields: TableFields, segment: Segment, sums: readonly FacetSum[]): Promise<readonly FacetCell[]> {
    const requestOf = new Map(sums.map(({ key, request }) => [key, request]))
    return this.#memory.cellsOf(
      segment,
      sums.map(({ key }) => key),
      unknown =>
        countFacetCells(
          scope,
          fields,
          unknown.map(key => requestOf.get(key)!)
        )
    )
  }
}
