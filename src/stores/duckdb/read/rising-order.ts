/** Numbers of 64 bits with a sign, as their words: low and high of each. A BigInt for each comparison would take most of the time. */
type Words = Uint32Array

function compared(a: Words, i: number, b: Words, j: number): number {
  // The high word has the sign.
  return (a[2 * i + 1]! | 0) - (b[2 * j + 1]! | 0) || a[2 * i]! - b[2 * j]!
}

/** Where each stretch begins that rises. */
function stretchesOf(times: Words): readonly number[] {
  const starts = [0]
  for (let i = 1; i < times.length / 2; i++) if (compared(times, i - 1, times, i) >= 0) starts.push(i)
  return starts
}

/** The positions stretch by stretch, where none reaches into the next; else null. */
function joined(times: Words, starts: readonly number[]): Uint32Array | null {
  const order = new Uint32Array(times.length / 2)
  const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? order.length]))
  let at = 0
  for (const start of starts.toSorted((a, b) => compared(times, a, times, b))) {
    if (at > 0 && compared(times, order[at - 1]!, times, start) >= 0) return null
    for (let i = start; i < ends.get(start)!; i++) order[at++] = i
  }
  return order
}

/**
 * Positions of samples by rising time, one for each time: of several the one with the highest number. Null when there are
 * several and `numbers` gives none. Samples come in few stretches that rise, one for each part that was read.
 */
export function risingOrder(times: Words, numbers: () => Words | null): Uint32Array | 'as it is' | null {
  const starts = stretchesOf(times)
  if (starts.length === 1) return 'as it is'
  const whole = joined(times, starts)
  if (whole !== null) return whole
  const seqs = numbers()
  const order = Uint32Array.from({ length: times.length / 2 }, (_, i) => i)
  order.sort((a, b) => compared(times, a, times, b) || (seqs === null ? 0 : compared(seqs, a, seqs, b)))
  const found = order.filter((at, i) => i + 1 === order.length || compared(times, at, times, order[i + 1]!) !== 0)
  return seqs === null && found.length < order.length ? null : found
}

/** The numbers at these positions. */
export function picked(words: Words, order: Uint32Array): Words {
  const found = new Uint32Array(2 * order.length)
  for (let i = 0; i < order.length; i++) {
    found[2 * i] = words[2 * order[i]!]!
    found[2 * i + 1] = words[2 * order[i]! + 1]!
  }
  return found
}
