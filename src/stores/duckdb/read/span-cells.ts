import { LRUCache } from 'lru-cache'

/** Grids whose steps and start are whole slots can be counted from cells. */
export const SLOT_NS = 300_000_000_000n

/** What is counted of one group of spans, in some stretch of time. */
export interface GroupCounts {
  /** Values of the fields that spans are grouped by. */
  readonly key: readonly (string | null)[]
  readonly spans: number
  readonly errors: number
  readonly lastNs: bigint
  /** Spans at most as long as each of the requested bounds. */
  readonly atMost: readonly number[]
  /** Of those the failed ones, where they were requested. */
  readonly failedAtMost: readonly number[]
  /** Bin of duration, number of spans, bin, number, ... */
  readonly bins: Int32Array
  /** Slot of time, spans, errors, slot, ... */
  readonly slots: Float64Array
  /** Slot by slot, where it was requested: spans at most as long as each bound, and the sum of durations in nanoseconds. */
  readonly slotsAtMost: Float64Array
  readonly slotsNs: readonly bigint[]
}

/** The groups of one hour of one segment; segments never change, so a cell never does. */
export type SpanCell = readonly GroupCounts[]

const CELL_BYTES = 200
const GROUP_BYTES = 400
const BIGINT_BYTES = 32
const MAX_BYTES = 32 * 1024 * 1024

function bytesOf(cell: SpanCell): number {
  const strings = cell.flatMap(({ key }) => key).reduce((sum, text) => sum + 2 * (text?.length ?? 0), 0)
  const groupBytes = ({ bins, slots, slotsAtMost, slotsNs }: GroupCounts): number =>
    GROUP_BYTES + bins.byteLength + slots.byteLength + slotsAtMost.byteLength + BIGINT_BYTES * slotsNs.length
  return cell.reduce((sum, group) => sum + groupBytes(group), CELL_BYTES + strings)
}

/** Cells that were counted already, by segment, hour and request; the one idle longest is evicted first. */
export class SpanCells {
  readonly #cells: LRUCache<string, SpanCell>

  constructor(maxBytes = MAX_BYTES) {
    this.#cells = new LRUCache({ maxSize: maxBytes, sizeCalculation: (cell, key) => bytesOf(cell) + 2 * key.length })
  }

  get bytes(): number {
    return this.#cells.calculatedSize
  }

  get(key: string): SpanCell | undefined {
    return this.#cells.get(key)
  }

  set(key: string, cell: SpanCell): void {
    this.#cells.set(key, cell)
  }
}
