import type { SpoolLimits } from './limits.js'

/** Pauses between attempts. */
export type Backoff = Pick<SpoolLimits, 'backoffMs' | 'maxBackoffMs'>

/** The pause after `failures` in a row (1 or more): doubling, bounded, the upper half of it left to chance. */
export function pauseMs(failures: number, { backoffMs, maxBackoffMs }: Backoff, random: () => number): number {
  const whole = Math.min(maxBackoffMs, backoffMs * 2 ** (failures - 1))
  return whole / 2 + (whole / 2) * random()
}

/** What a circuit works with. */
export interface CircuitDeps {
  readonly limits: Backoff & Pick<SpoolLimits, 'failuresToOpen'>
  readonly monotonicMs: () => number
  readonly random: () => number
}

/** Whether appends go to an engine: after some failures in a row only one append at a time tests whether it is back. */
export class Circuit {
  readonly #parts: CircuitDeps
  /** In a row. */
  #failures = 0
  #probeAtMs = 0
  #isProbing = false
  #reason = ''
  #diagnosis = ''

  constructor(parts: CircuitDeps) {
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#failures >= this.#parts.limits.failuresToOpen
  }

  /** Why the last append failed; empty when it did not. */
  get reason(): string {
    return this.#reason
  }

  /** The same for operators. */
  get diagnosis(): string {
    return this.#diagnosis
  }

  /** Milliseconds until the next probe may go out; 0 when appends may go out at any time, null while a probe is in progress. */
  get waitMs(): number | null {
    if (!this.isOpen) return 0
    return this.#isProbing ? null : Math.max(0, this.#probeAtMs - this.#parts.monotonicMs())
  }

  /** Whether an append may go out now. A caller that gets true reports its end by `succeeded`, `failed` or `abandoned`. */
  mayTry(): boolean {
    if (!this.isOpen) return true
    if (this.waitMs !== 0) return false
    this.#isProbing = true
    return true
  }

  /** The next append may go out at once. */
  hurry(): void {
    this.#probeAtMs = this.#parts.monotonicMs()
  }

  /** The engine responded, even with a refusal. */
  succeeded(): void {
    this.#failures = 0
    this.#isProbing = false
    this.#reason = ''
    this.#diagnosis = ''
  }

  /** The append did not go out after all. */
  abandoned(): void {
    this.#isProbing = false
  }

  /** The engine did not respond. */
  failed(reason: string, diagnosis = reason): void {
    const { limits, monotonicMs, random } = this.#parts
    this.#reason = reason
    this.#diagnosis = diagnosis
    const isLate = this.isOpen && !this.#isProbing
    this.#isProbing = false
    // Failures of appends from before the circuit opened are not news.
    if (isLate) return
    this.#failures++
    const beyond = this.#failures - limits.failuresToOpen
    if (beyond >= 0) this.#probeAtMs = monotonicMs() + pauseMs(beyond + 1, limits, random)
  }
}
