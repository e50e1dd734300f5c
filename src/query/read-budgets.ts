import { GatewayError } from '../domain/errors.js'

/** Bounds of what one request reads. */
export interface ReadBounds {
  /** Bytes of the rows of all reads together. */
  readonly maxRequestBytes: number
  /** Bytes of the rows of one read. */
  readonly maxPageBytes: number
}

/** The bytes of rows that the reads of one request share. */
class ReadBudget {
  readonly #bounds: ReadBounds
  readonly #waiting: (() => void)[] = []
  /** Bytes that are neither read nor granted to a read in progress; negative once a read exceeded its grant. */
  #free: number
  #running = 0

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds
    this.#free = bounds.maxRequestBytes
  }

  /** Resolves with the bytes that a read may have: a page, or for the last read what is left. */
  async take(): Promise<number> {
    // What a read in progress does not use is granted to the next one.
    while (this.#running > 0 && this.#free < this.#bounds.maxPageBytes) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    if (this.#free <= 0) throw this.#exceeded()
    const granted = Math.min(this.#free, this.#bounds.maxPageBytes)
    this.#free -= granted
    this.#running++
    return granted
  }

  /** Ends a read; `used` are the bytes of its rows. */
  settle(granted: number, used: number): void {
    this.#free += granted - used
    this.#running--
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #exceeded(): GatewayError {
    const { maxRequestBytes } = this.#bounds
    const used = maxRequestBytes - this.#free
    const detail = `the request has read ${used} bytes of rows, the limit is ${maxRequestBytes}; request fewer rows at once`
    return new GatewayError('query_unsupported', detail)
  }
}

/**
 * Bounds the rows that one request reads and keeps in memory, however many pages it requests. A request is known by its signal.
 * A read ends early, as a page does at its limit of bytes, and is refused once nothing is left.
 */
export class ReadBudgets {
  readonly #bounds: ReadBounds
  readonly #budgets = new WeakMap<AbortSignal, ReadBudget>()

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds
  }

  /**
   * Runs a read of at most the bytes that it is given; it may exceed them by one row. Waits while other reads of the request
   * may use what is left. Throws `query_unsupported` when the request has used its bytes.
   */
  async read<Result>(
    signal: AbortSignal,
    read: (maxBytes: number) => Promise<Result>,
    bytesOf: (result: Result) => number
  ): Promise<Result> {
    const budget = this.#budgetOf(signal)
    const granted = await budget.take()
    let used = 0
    try {
      const result = await read(granted)
      used = bytesOf(result)
      return result
    } finally {
      budget.settle(granted, used)
    }
  }

  #budgetOf(signal: AbortSignal): ReadBudget {
    const known = this.#budgets.get(signal)
    if (known) return known
    const budget = new ReadBudget(this.#bounds)
    this.#budgets.set(signal, budget)
    return budget
  }
}
