import { groupedBy } from '../../../domain/grouped-by.js'
import type { SpreadRequest } from '../../../domain/search.js'
import { Pace } from '../../../threads/pace.js'
import type { Segment } from '../snapshot.js'
import type { TableFields } from './field-target.js'
import { countNumbers, type NumberCounts, type NumberSum } from './number-counts.js'
import { countKey, type MemoryLimits, SegmentMemory } from './segment-memory.js'
import { inSegment, type Scope, without } from './source.js'

const MAX_BYTES = 32 * 1024 * 1024
const CELL_BYTES = 300
/** Of the memory: a hundred segments of a field have a hundred times a thousand bins. */
const SHARE_OF_REQUEST = 1 / 16
/** Bins that are added up without yielding to the event loop: some milliseconds. */
const BINS_AT_ONCE = 20_000

/** The numbers of a field in a segment. */
interface NumberCell {
  readonly min: number
  readonly max: number
  /** Bin, count, bin, count, ... */
  readonly bins: Int32Array
}

function toCell({ min, max, bins }: NumberCounts): NumberCell {
  return { min, max, bins: Int32Array.from([...bins].flat()) }
}

function bytesOf({ bins }: NumberCell): number {
  return CELL_BYTES + bins.byteLength
}

function addCell(sum: NumberSum, { min, max, bins }: NumberCell): void {
  for (let i = 0; i < bins.length; i += 2) sum.addBin(bins[i]!, bins[i + 1]!)
  sum.extend(min, max)
}

/** The numbers that spreads have counted in large segments. */
export class SpreadCells {
  readonly #memory: SegmentMemory<NumberCell>

  constructor(limits: Partial<MemoryLimits> = {}) {
    this.#memory = new SegmentMemory(bytesOf, { maxBytes: MAX_BYTES, shareOfRequest: SHARE_OF_REQUEST, ...limits })
  }

  /** Estimated bytes of all cells. */
  get bytes(): number {
    return this.#memory.bytes
  }

  /** Counts the numbers of fields by bins, in the order of the requests, which share a filter. */
  async numbersOf(scope: Scope, fields: TableFields, requests: readonly SpreadRequest[]): Promise<readonly NumberCounts[]> {
    const keys = requests.map(({ field, filter }) => countKey(field, filter))
    const worth = this.#memory.worthCells(keys)
    const byKey = groupedBy(new Map(keys.map((key, i) => [key, requests[i]!])), ([key]) => worth.has(key))
    const segments = this.#memory.segmentsOf(scope, requests[0]!.filter)
    const sums = new Map([
      ...(await this.#sumsOf(scope, fields, byKey.get(true) ?? [], segments)),
      ...(await this.#sumsOf(scope, fields, byKey.get(false) ?? [], []))
    ])
    return keys.map(key => sums.get(key)!)
  }

  /** The numbers of requests by their key, those in `segments` by cells. */
  async #sumsOf(
    scope: Scope,
    fields: TableFields,
    requests: readonly (readonly [key: string, request: SpreadRequest])[],
    segments: readonly Segment[]
  ): Promise<ReadonlyMap<string, NumberCounts>> {
    if (requests.length === 0) return new Map()
    const byKey = new Map(requests)
    const keys = [...byKey.keys()]
    const sums = await countNumbers(without(scope, segments), fields, [...byKey.values()])
    const bytes = keys.map(() => 0)
    const pace = new Pace(BINS_AT_ONCE, scope.signal)
    for (const segment of segments) {
      const cells = await this.#memory.cellsOf(segment, keys, async unknown => {
        const counted = unknown.map(key => byKey.get(key)!)
        return (await countNumbers(inSegment(scope, segment), fields, counted)).map(toCell)
      })
      for (const [i, cell] of cells.entries()) {
        addCell(sums[i]!, cell)
        bytes[i]! += bytesOf(cell)
        if (pace.isDue(cell.bins.length / 2 + 1)) await pace.rest()
      }
    }
    for (const [i, key] of keys.entries()) if (!this.#memory.hasRoom(bytes[i]!)) this.#memory.setLarge(key)
    return new Map(keys.map((key, i) => [key, sums[i]!]))
  }
}
