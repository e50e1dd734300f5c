import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Field, Filter } from '../../../domain/filter.js'
import { ID_COLUMNS } from '../id-index.js'
import type { Segment } from '../snapshot.js'
import type { Scope } from './source.js'

/** Fewer rows are counted in less time than a statement of their own takes to plan. */
const LEAST_ROWS = 50_000
/** Requests that are remembered without their counts. */
const MAX_KEYS = 2_000

/** Bounds of a `SegmentMemory`. */
export interface MemoryLimits {
  /** Rows of the smallest segments that are counted apart. */
  readonly leastRows?: number
  readonly maxBytes: number
  /** The share of it that the cells of one request may take. */
  readonly shareOfRequest: number
}

/** What is counted: equal requests have equal keys. */
export function countKey(field: Field, filter: Filter, ...options: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([field.in, field.name, filter, options]))
    .digest('base64')
}

/** Whether each match has one of some ids: an index finds these few rows. */
function requiresId(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.some(requiresId)
    case 'eq':
    case 'in':
      return filter.field.in === 'known' && ID_COLUMNS.some(column => column === filter.field.name)
    default:
      return false
  }
}

/**
 * What was counted in single segments, by segment and request. Segments never change, so a cell never does; the least
 * recently used one is evicted first. A request is counted by cells from its second time on: each segment is a statement of
 * its own the first time, which would slow down filters that are used once.
 */
export class SegmentMemory<Cell extends object> {
  readonly #cells: LRUCache<string, Cell>
  readonly #keys = new LRUCache<string, 'requested' | 'large'>({ max: MAX_KEYS })
  readonly #limits: Required<MemoryLimits>

  constructor(bytesOf: (cell: Cell) => number, { leastRows = LEAST_ROWS, maxBytes, shareOfRequest }: MemoryLimits) {
    this.#limits = { leastRows, maxBytes, shareOfRequest }
    this.#cells = new LRUCache({ maxSize: maxBytes, sizeCalculation: (cell, key) => bytesOf(cell) + 2 * key.length })
  }

  /** Estimated bytes of all cells. */
  get bytes(): number {
    return this.#cells.calculatedSize
  }

  /** The large segments that are wholly in the range; none where few rows match. */
  segmentsOf(scope: Scope, filter: Filter): readonly Segment[] {
    if (requiresId(filter)) return []
    const { startNs, endNs } = scope.range
    return scope.snapshot.segments.filter(
      ({ rows, skips, minNs, maxNs }) => rows >= this.#limits.leastRows && !skips && minNs >= startNs && maxNs < endNs
    )
  }

  /** The keys of requests that were made before, and of which the cells have room. */
  worthCells(keys: readonly string[]): ReadonlySet<string> {
    const worth = new Set(keys.filter(key => this.#keys.get(key) === 'requested'))
    for (const key of keys) if (!this.#keys.has(key)) this.#keys.set(key, 'requested')
    return worth
  }

  /** Notes that the cells of a request are too large to be kept. */
  setLarge(key: string): void {
    this.#keys.set(key, 'large')
  }

  /** Whether cells of one request with so many bytes have room. */
  hasRoom(bytes: number): boolean {
    return bytes <= this.#limits.maxBytes * this.#limits.shareOfRequest
  }

  /** The cells of a segment by request. `count` makes those that are not known, in the order of their keys. */
  async cellsOf(
    { file }: Segment,
    keys: readonly string[],
    count: (unknown: readonly string[]) => Promise<readonly Cell[]>
  ): Promise<readonly Cell[]> {
    const found = new Map(keys.map(key => [key, this.#cells.get(`${file} ${key}`)]))
    const unknown = [...found.keys()].filter(key => found.get(key) === undefined)
    const counted = unknown.length > 0 ? await count(unknown) : []
    for (const [i, key] of unknown.entries()) {
      found.set(key, counted[i]!)
      this.#cells.set(`${file} ${key}`, counted[i]!)
    }
    return keys.map(key => found.get(key)!)
  }
}
