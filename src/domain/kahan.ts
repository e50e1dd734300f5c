/** Adds numbers with Neumaier's correction, as Prometheus does: errors of rounding do not pile up. */
export class KahanSum {
  #sum: number
  #correction: number

  constructor(sum = 0, correction = 0) {
    this.#sum = sum
    this.#correction = correction
  }

  add(value: number): void {
    const sum = this.#sum + value
    if (!Number.isFinite(sum)) this.#correction = 0
    else if (Math.abs(this.#sum) >= Math.abs(value)) this.#correction += this.#sum - sum + value
    else this.#correction += value - sum + this.#sum
    this.#sum = sum
  }

  /** The sum times a number, its correction too. */
  times(factor: number): KahanSum {
    return new KahanSum(this.#sum * factor, this.#correction * factor)
  }

  get value(): number {
    return Number.isFinite(this.#sum) ? this.#sum + this.#correction : this.#sum
  }
}
