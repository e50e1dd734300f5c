const EPOCH_BITS = 32n

/** Number of the start that gave a number out. */
export function epochOf(number: bigint): bigint {
  return number >> EPOCH_BITS
}

/** Numbers that grow and are never given out twice, over all starts of the store process. */
export class UniqueNumbers {
  readonly #epoch: bigint
  #last: bigint

  /** @param epoch number of this start, durable before the first number is used. */
  constructor(epoch: bigint) {
    this.#epoch = epoch
    this.#last = epoch << EPOCH_BITS
  }

  /** Whether this start gave the number out. */
  isOwn(number: bigint): boolean {
    return epochOf(number) === this.#epoch
  }

  next(): bigint {
    return ++this.#last
  }

  /** A number as part of a table's or file's name. */
  nextName(): string {
    return `${this.#epoch}_${this.next() - (this.#epoch << EPOCH_BITS)}`
  }
}
