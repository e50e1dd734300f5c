const words = new Float64Array(1)
const bits = new Uint32Array(words.buffer)
const SMALLEST_NORMAL = 2.2250738585072014e-308
const SUBNORMAL_SHIFT = 52
/** ln 2 / ln 10, rounded once. */
const LOG10_OF_2 = Math.LOG10E * Math.LN2

/** As Go computes it, so that `count_values` sees the same digits: a power of two by itself, and the logarithm of the rest. */
function log2(value: number): number {
  if (!(value > 0) || value === Infinity) return Math.log2(value)
  const isSubnormal = value < SMALLEST_NORMAL
  words[0] = isSubnormal ? value * 2 ** SUBNORMAL_SHIFT : value
  const exponent = ((bits[1]! >>> 20) & 0x7ff) - 1022 - (isSubnormal ? SUBNORMAL_SHIFT : 0)
  // The fraction is in [0.5, 1).
  bits[1] = (bits[1]! & 0x800fffff) | (1022 << 20)
  return words[0] === 0.5 ? exponent - 1 : Math.log(words[0]) * Math.LOG2E + exponent
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
  ['log10', value => log2(value) * LOG10_OF_2],
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

/** The calendar repeats itself after four hundred years. */
const CYCLE_S = 12_622_780_800n
const CYCLE_YEARS = 400
const MAX_INT64 = 2 ** 63

/** A date, and the years that are to be added to its own. */
interface CalendarDate {
  readonly date: Date
  readonly years: number
}

/** Any time that a count of seconds in 64 bits can represent; null beyond. */
function utc(seconds: number): CalendarDate | null {
  const whole = Math.trunc(seconds)
  if (!(Math.abs(whole) < MAX_INT64)) return null
  const date = new Date(whole * 1000)
  if (!Number.isNaN(date.getTime())) return { date, years: 0 }
  const cycles = BigInt(whole) / CYCLE_S
  return { date: new Date(Number(BigInt(whole) % CYCLE_S) * 1000), years: Number(cycles) * CYCLE_YEARS }
}

/** What NaN, the infinities and numbers beyond 64 bits give is that of Go's smallest integer. */
function calendar(run: (date: Date) => number, beyond: number): (seconds: number) => number {
  return seconds => {
    const found = utc(seconds)
    return found === null ? beyond : run(found.date)
  }
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

function year(seconds: number): number {
  const found = utc(seconds)
  return found === null ? 292_277_026_596 : found.date.getUTCFullYear() + found.years
}

/** Functions of a time in seconds, UTC. */
export const CALENDAR: ReadonlyMap<string, (seconds: number) => number> = new Map<string, (seconds: number) => number>([
  ['day_of_month', calendar(date => date.getUTCDate(), 4)],
  ['day_of_week', calendar(date => date.getUTCDay(), 0)],
  ['day_of_year', calendar(dayOfYear, 339)],
  ['days_in_month', calendar(daysInMonth, 31)],
  ['hour', calendar(date => date.getUTCHours(), 15)],
  ['minute', calendar(date => date.getUTCMinutes(), 30)],
  ['month', calendar(date => date.getUTCMonth() + 1, 12)],
  ['year', year]
])
