/**
 * The `k` best of some values, as Prometheus keeps them: a heap with the worst on top, which a better one replaces. NaN is
 * the worst. Which of equal values stay depends on how the heap moves, so it moves as Go's does (container/heap).
 */
export class BestValues {
  readonly #values: Float64Array
  readonly #k: number
  readonly #direction: 1 | -1
  /** Positions of the best values so far. */
  readonly heap: number[] = []

  /** `direction` 1: the highest are the best. */
  constructor(values: Float64Array, k: number, direction: 1 | -1) {
    this.#values = values
    this.#k = k
    this.#direction = direction
  }

  /** Takes in the value at a position. */
  add(i: number): void {
    const { heap } = this
    if (heap.length < this.#k) {
      heap.push(i)
      this.#up(heap.length - 1)
    } else if (this.#isBetter(this.#values[i]!, this.#values[heap[0]!]!)) {
      heap[0] = i
      this.#down()
    }
  }

  #isBetter(value: number, worst: number): boolean {
    return this.#direction * value > this.#direction * worst || (Number.isNaN(worst) && !Number.isNaN(value))
  }

  #isLess(a: number, b: number): boolean {
    const [left, right] = [this.#values[this.heap[a]!]!, this.#values[this.heap[b]!]!]
    return Number.isNaN(left) || this.#direction * left < this.#direction * right
  }

  #swap(a: number, b: number): void {
    const { heap } = this
    const first = heap[a]!
    heap[a] = heap[b]!
    heap[b] = first
  }

  #up(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#isLess(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #down(): void {
    for (let at = 0; ;) {
      let child = 2 * at + 1
      if (child >= this.heap.length) return
      if (child + 1 < this.heap.length && this.#isLess(child + 1, child)) child++
      if (!this.#isLess(child, at)) return
      this.#swap(at, child)
      at = child
    }
  }
}
