/** Operators of two numbers; comparisons give 1 or 0. */
export const ARITHMETIC: ReadonlyMap<string, (left: number, right: number) => number> = new Map<
  string,
  (left: number, right: number) => number
>([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right],
  ['^', power],
  ['atan2', Math.atan2],
  ['==', (left, right) => Number(left === right)],
  ['!=', (left, right) => Number(left !== right)],
  ['>', (left, right) => Number(left > right)],
  ['<', (left, right) => Number(left < right)],
  ['>=', (left, right) => Number(left >= right)],
  ['<=', (left, right) => Number(left <= right)]
])

/** As Go's math.Pow, which follows IEEE 754 where JavaScript does not: 1 to any power, and -1 to an infinite one, is 1. */
function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1
  return base ** exponent
}
