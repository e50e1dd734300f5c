import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { writeMilliseconds } from '../../../src/domain/sample-times.js'

const NS_PER_MS = 1_000_000n
/** From here on a double holds nanoseconds to 1,024 of them: 2116-02-20. */
const FAR_NS = 2n ** 62n

function millisecondsOf(ns: bigint): number {
  const into = new Float64Array(2)
  writeMilliseconds(BigInt64Array.of(ns), into, 1)
  return into[1]!
}

function floored(ns: bigint): number {
  const ms = ns / NS_PER_MS
  return Number(ns % NS_PER_MS < 0n ? ms - 1n : ms)
}

it('writes the millisecond that contains a sample, for every possible time', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), ns => {
      expect(millisecondsOf(ns)).toBe(floored(ns))
    })
  )
})

it('keeps to the nanosecond where milliseconds begin, today, in 2116 and before 1970', () => {
  for (const near of [1_763_700_000_000n * NS_PER_MS, FAR_NS, 2n ** 63n - 20n * NS_PER_MS, -20n * NS_PER_MS, -FAR_NS]) {
    const first = near - (near % NS_PER_MS)
    for (let i = 0n; i < 16n; i++) {
      const begin = first + i * NS_PER_MS
      expect([begin - 1n, begin, begin + 1n].map(millisecondsOf)).toEqual([begin - 1n, begin, begin + 1n].map(floored))
    }
  }
})
