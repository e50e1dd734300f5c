// A point whose sample is a native histogram has a NaN of its own as its value; the histogram is in a table of its own,
// so that numbers are read as fast as if there were none.
const MARK_LOW = 0x00000068
const MARK_HIGH = 0x7ff80000

/** Writes the mark as the value at `i`. */
export function markHistogram(values: Float64Array, i: number): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  words[2 * i] = MARK_LOW
  words[2 * i + 1] = MARK_HIGH
}

/** Whether a value, given as two words, is the mark. */
export function isHistogramMark(low: number, high: number): boolean {
  return low === MARK_LOW && high === MARK_HIGH
}
