import { isCustom, MAX_SCHEMA, type NativeHistogram } from './native-histogram.js'

/** Bits behind the point of the numbers that the bounds are computed with. */
const FRACTION_BITS = 200n
const ONE = 1n << FRACTION_BITS
/** The exponent of what is larger than the largest double. */
const BEYOND = 1_024

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/**
 * 2^(k / 2^MAX_SCHEMA) for one power of two, each the nearest double: `**` is off by one digit at most of them, and
 * responses contain the bounds.
 */
function boundsOfOctave(): Float64Array {
  let step = 2n * ONE
  for (let i = 0; i < MAX_SCHEMA; i++) step = squareRoot(step << FRACTION_BITS)
  const bounds = new Float64Array(1 << MAX_SCHEMA)
  let bound = ONE
  for (let k = 0; k < bounds.length; k++) {
    bounds[k] = Number(bound) / Number(ONE)
    bound = (bound * step) >> FRACTION_BITS
  }
  return bounds
}

const OCTAVE = boundsOfOctave()

/** Upper bound of bucket `index` of an exponential schema. */
export function exponentialBound(index: number, schema: number): number {
  const power = schema < 0 ? index * 2 ** -schema : index >> schema
  const place = schema < 0 ? 0 : (index & ((1 << schema) - 1)) << (MAX_SCHEMA - schema)
  // The last bucket of finite numbers ends at the largest of them; the one behind it counts infinities.
  if (power === BEYOND && place === 0) return Number.MAX_VALUE
  return OCTAVE[place]! * 2 ** power
}

/** Upper bound of a bucket of positive observations; the lower bound of bucket `index` is that of `index - 1`. */
export function upperBound({ schema, bounds }: Pick<NativeHistogram, 'schema' | 'bounds'>, index: number): number {
  if (!isCustom({ schema })) return exponentialBound(index, schema)
  if (index < 0) return -Infinity
  return index < bounds.length ? bounds[index]! : Infinity
}
