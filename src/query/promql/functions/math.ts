const words = new Float64Array(1)
const bits = new Uint32Array(words.buffer)
const SMALLEST_NORMAL = 2.2250738585072014e-308
const SUBNORMAL_SHIFT = 52

/** As Go computes it, so that `count_values` sees the same digits: a power of two by itself, and the logarithm of the rest. */
function log2(value: number): number {
  if (!(value > 0) || value === Infinity) return Math.log2(value)
  const isSubnormal = value < SMALLEST_NORMAL
  words[0] = isSubnormal ? value * 2 ** SUBNORMAL_SHIFT : value
  const exponent = ((bits[1]! >>> 20) & 0x7ff) - 1022 - (isSubnormal ? SUBNORMAL_SHIFT : 0)
  // The fraction lies in [0.5, 1).
  bits[1] = (bits[1]! & 0x800fffff) | (1022 << 20)
  return words[0] === 0.5 ? exponent - 1 : Math.log(words[0]) * (1 / Math.LN2) + exponent
}

/** Functions of one number. */
export const MATH: ReadonlyMap<string, (value: number) => number> = new Map<string, (value: number) => number>([
  ['abs', Math.abs],
  ['acos', Math.acos],
  ['acosh', Math.acosh],
  ['asin', Math.asin],
  ['asinh', Math.asinh],
  ['atan', Math.atan],
  ['atanh', Math.atanh],
  ['ceil', Math.ceil],
  ['cos', Math.cos],
  ['cosh', Math.cosh],
  ['deg', value => (value * 180) / Math.PI],
  ['exp', Math.exp],
  ['floor', Math.floor],
  ['ln', Math.log],
  ['log10', value => log2(value) * (Math.LN2 / Math.LN10)],
  ['log2', log2],
  ['rad', value => (value * Math.PI) / 180],
  ['sgn', Math.sign],
  ['sin', Math.sin],
  ['sinh', Math.sinh],
  ['sqrt', Math.sqrt],
  ['tan', Math.tan],
  ['tanh', Math.tanh]
])

const DAY_MS = 86_400_000

function utc(seconds: number): Date {
  return new Date(Math.trunc(seconds) * 1000)
}

/** Functions of a time in seconds, UTC. */
export const CALENDAR: ReadonlyMap<string, (seconds: number) => number> = new Map<string, (seconds: number) => number>([
  ['day_of_month', seconds => utc(seconds).getUTCDate()],
  ['day_of_week', seconds => utc(seconds).getUTCDay()],
  [
    'day_of_year',
    seconds => {
      const date = utc(seconds)
      return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
    }
  ],
  [
    'days_in_month',
    seconds => {
      const date = utc(seconds)
      return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    }
  ],
  ['hour', seconds => utc(seconds).getUTCHours()],
  ['minute', seconds => utc(seconds).getUTCMinutes()],
  ['month', seconds => utc(seconds).getUTCMonth() + 1],
  ['year', seconds => utc(seconds).getUTCFullYear()]
])
