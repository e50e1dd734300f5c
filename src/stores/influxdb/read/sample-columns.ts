const FIRST_CAPACITY = 256
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1
const LOW_WORD = isLittleEndian ? 0 : 1
const HIGH_WORD = 1 - LOW_WORD
const WORD = 2 ** 32
const HALF_WORD = 2 ** 16
const NS_PER_S = 1e9

/** Times and values of one series in typed arrays that grow by doubling: no object and no bigint per sample. */
export class SampleColumns {
  #timesNs = new BigInt64Array(FIRST_CAPACITY)
  #words = new Uint32Array(this.#timesNs.buffer)
  #values = new Float64Array(FIRST_CAPACITY)
  #bits = new BigInt64Array(this.#values.buffer)
  #length = 0
  /** In the order of the times, where strings were added. */
  readonly strings: string[] = []

  get length(): number {
    return this.#length
  }

  get timestampsNs(): BigInt64Array {
    return this.#timesNs.subarray(0, this.#length)
  }

  /** The values' bits. As numbers some NaNs would come out as others. */
  get bits(): BigInt64Array {
    return this.#bits.subarray(0, this.#length)
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }

  /** Adds a sample. `seconds` since 1970 may be negative, `nanos` may not. */
  add(seconds: number, nanos: number, value: number): void {
    if (this.#length === this.#values.length) this.#grow()
    this.#values[this.#length] = value
    this.#addTime(seconds, nanos)
  }

  /** As `add` for a value given by its bits. */
  addBits(seconds: number, nanos: number, bits: bigint): void {
    if (this.#length === this.#values.length) this.#grow()
    this.#bits[this.#length] = bits
    this.#addTime(seconds, nanos)
  }

  /** As `add` for a string. */
  addText(seconds: number, nanos: number, text: string): void {
    this.addBits(seconds, nanos, 0n)
    this.strings.push(text)
  }

  #addTime(seconds: number, nanos: number): void {
    const at = this.#length++
    // seconds * 1e9 + nanos in 64 bits, in steps that a double holds exactly.
    const upper = Math.floor(seconds / HALF_WORD)
    const high = upper * NS_PER_S
    const low = (seconds - upper * HALF_WORD) * NS_PER_S + nanos
    const highOver = Math.floor(high / HALF_WORD)
    const sum = (high - highOver * HALF_WORD) * HALF_WORD + low
    const carry = Math.floor(sum / WORD)
    this.#words[2 * at + LOW_WORD] = sum - carry * WORD
    this.#words[2 * at + HIGH_WORD] = highOver + carry
  }

  #grow(): void {
    const timesNs = new BigInt64Array(this.#values.length * 2)
    const values = new Float64Array(this.#values.length * 2)
    timesNs.set(this.#timesNs)
    const bits = new BigInt64Array(values.buffer)
    bits.set(this.#bits)
    this.#timesNs = timesNs
    this.#words = new Uint32Array(timesNs.buffer)
    this.#values = values
    this.#bits = bits
  }
}
