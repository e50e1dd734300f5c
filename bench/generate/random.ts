/** Seeded pseudo-random numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform whole number in [0, n). */
  below(n: number): number
  /** `digits` random lower-case hexadecimal digits. */
  hex(digits: number): string
  pick<T>(items: readonly T[]): T
}

const TWO_POW_32 = 4294967296
const HEX_WORD = 8

/** The sfc32 generator: four 32-bit words of state, period about 2^127. */
export function seededRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const word = (): number => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) word()
  const below = (n: number): number => Math.floor((word() / TWO_POW_32) * n)
  const hex = (digits: number): string => {
    let text = ''
    while (text.length < digits) text += word().toString(16).padStart(HEX_WORD, '0')
    return text.slice(0, digits)
  }
  return { next: () => word() / TWO_POW_32, below, hex, pick: items => items[below(items.length)]! }
}
