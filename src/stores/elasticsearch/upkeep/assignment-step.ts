import type { AssignedPatterns, WrittenPatterns } from '../../../ports/unassigned-logs.js'
import { engineToGatewayError } from '../client/engine-errors.js'
import type { WrittenDocument } from '../read/unassigned-documents.js'
import type { ItemOutcome } from '../write/item-outcome.js'

function storedOf(outcomes: readonly ItemOutcome[]): number {
  return outcomes.filter(({ kind }) => kind === 'stored').length
}

/** Patterns that are written into documents of one index, chunk by chunk, and what was written so far. */
export class AssignmentStep {
  readonly #places: Float64Array
  readonly #patterns: ReadonlyMap<number, string>
  /** Places before have their outcome. */
  #tried = 0
  #assigned = 0
  #missed = 0
  #refused = 0
  #refusal: string | null = null

  constructor({ places, of, ids }: AssignedPatterns) {
    this.#places = places
    this.#patterns = new Map(Array.from(places, (place, i) => [place, ids[of[i]!]!]))
  }

  /** Whether every place has its outcome. */
  get isWhole(): boolean {
    return this.#tried === this.#places.length
  }

  /** Whether a caller has to learn of this step. */
  get hasWritten(): boolean {
    return this.#tried > 0 || this.#assigned > 0
  }

  /** The first places without an outcome. */
  nextPlaces(rows: number): Float64Array {
    return this.#places.subarray(this.#tried, this.#tried + rows)
  }

  /** The pattern of the document at one of the places. */
  patternAt(place: number): string {
    return this.#patterns.get(place)!
  }

  /**
   * Notes the outcomes of the documents at the next `size` places, in the order of these. Throws the first error of the
   * store: the step goes on at its document, and what was stored behind it is found to have a pattern then.
   */
  note(documents: readonly WrittenDocument[], outcomes: readonly ItemOutcome[], size: number): void {
    const failed = outcomes.findIndex(({ kind }) => kind === 'failed')
    const tried = failed === -1 ? outcomes : outcomes.slice(0, failed)
    const end = failed === -1 ? this.#tried + size : this.#places.indexOf(documents[failed]!.place, this.#tried)
    const reasons = tried.flatMap(outcome => (outcome.kind === 'refused' ? [outcome.reason] : []))
    this.#assigned += storedOf(outcomes)
    this.#refused += reasons.length
    this.#refusal ??= reasons[0] ?? null
    this.#missed += end - this.#tried - storedOf(tried) - reasons.length
    this.#tried = end
    const fault = outcomes[failed]
    if (fault?.kind === 'failed') throw engineToGatewayError(fault.fault)
  }

  /** What was done; where the places that are left begin. */
  written(part: string): WrittenPatterns {
    const after = this.isWhole ? (this.#places.at(-1) ?? -1) : this.#places[this.#tried]! - 1
    const [assigned, missed, refused] = [this.#assigned, this.#missed, this.#refused]
    return { assigned, missed, refused, refusal: this.#refusal, isWhole: this.isWhole, next: { part, after } }
  }
}
