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
  ['log10', Math.log10],
  ['log2', Math.log2],
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
