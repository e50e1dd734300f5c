import { KahanSum } from './kahan.js'

// Sums of samples in their order: a store that computes them must reach the same last digit as evaluation.

/** The sum of `values[from, to)`. */
export function sum(values: Float64Array, from: number, to: number): number {
  const total = new KahanSum()
  for (let i = from; i < to; i++) total.add(values[i]!)
  return total.value
}

/** The mean: sum by count, or step by step from where the sum is beyond what a double can contain. */
export function mean(values: Float64Array, from: number, to: number): number {
  const total = new KahanSum()
  for (let i = from; i < to; i++) {
    const before = total.value
    total.add(values[i]!)
    if (Math.abs(total.value) === Infinity && i > from) return meanFrom(before / (i - from), values, { from, at: i, to })
  }
  return total.value / (to - from)
}

function meanFrom(
  start: number,
  values: Float64Array,
  { from, at, to }: { readonly from: number; readonly at: number; readonly to: number }
): number {
  let running = new KahanSum(start)
  for (let i = at; i < to; i++) {
    const count = i - from + 1
    running = running.times((count - 1) / count)
    running.add(values[i]! / count)
  }
  return running.value
}
