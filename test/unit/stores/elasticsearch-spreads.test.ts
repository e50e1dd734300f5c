import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SPREAD_PERCENTILES } from '../../../src/domain/search.js'
import { cutsOf } from '../../../src/query/number-cuts.js'
import { spreadOfCounts } from '../../../src/stores/elasticsearch/read/spreads.js'

const field = { in: 'log_fields', name: 'ms' } as const
/** Of the arithmetic of doubles alone. */
const ROUNDING = 1e-9

function ascending(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b)
}

function cutsLike(sample: readonly number[]): readonly number[] {
  const sorted = ascending(sample)
  return cutsOf({ quantiles: Array.from({ length: 17 }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / 16)]!) })
}

function spreadOf(numbers: readonly number[], bounds: readonly number[]) {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  for (const number of numbers) counts[bounds.filter(bound => bound <= number).length]! += 1
  return spreadOfCounts({ field, bounds }, counts)
}

/** Interpolated between the closest ranks. */
function percentileOf(sorted: readonly number[], at: number): number {
  const rank = at * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
  return low + (high - low) * (rank - Math.floor(rank))
}

function expectWithinError(numbers: readonly number[], sample: readonly number[]): void {
  const { percentiles, relativeError, min, max } = spreadOf(numbers, cutsLike(sample))
  const sorted = ascending(numbers)
  expect(min).toBeLessThanOrEqual(sorted[0]!)
  expect(max).toBeGreaterThanOrEqual(sorted.at(-1)!)
  for (const [i, at] of SPREAD_PERCENTILES.entries()) {
    const truth = percentileOf(sorted, at)
    if (relativeError === null) expect(percentiles[i]).not.toBeNull()
    else expect(Math.abs(percentiles[i]! - truth)).toBeLessThanOrEqual(Math.abs(truth) * (relativeError + ROUNDING))
  }
}

const FEW = { minLength: 1, maxLength: 40 } as const
const POSITIVE = fc.double({ min: 1e-3, max: 1e6, noNaN: true })
const ANY = fc.double({ min: -1e6, max: 1e6, noNaN: true })

it.each([
  ['of one sign', POSITIVE],
  ['of both signs', ANY]
])('percentiles %s are within their relative error, whatever the sample was', (_, number) => {
  fc.assert(fc.property(fc.array(number, FEW), fc.array(number, FEW), expectWithinError))
})

it('states no error where a percentile may be 0', () => {
  const numbers = [-3, -1, 2, 4]
  expect(spreadOf(numbers, [-5, 5]).relativeError).toBeNull()
  expect(spreadOf([1, 2, 3], [0, 5]).relativeError).toBeNull()
  // Next to 0 the error may be beyond all doubles.
  expect(spreadOf([0, 0, 5.43230922487e-312], cutsLike([-Number.MIN_VALUE])).relativeError).toBeNull()
  expect(spreadOf([1, 2, 3], [1, 3.5])).toMatchObject({ relativeError: 2.5, numbers: 3 })
})

it('finds the percentiles of numbers below the bounds of a sample', () => {
  // Response times around 20 ms, of which the sample has those from 1,000 ms on: one in a hundred.
  const numbers = Array.from({ length: 1_000 }, (_, i) => 20 * ((i + 0.5) / (999.5 - i)) ** 0.9)
  const slow = numbers.filter(ms => ms >= 1_000)
  expect(slow.length).toBeGreaterThan(0)
  const { percentiles, relativeError } = spreadOf(numbers, cutsLike(slow))
  expect(relativeError).toBeLessThanOrEqual(1)
  expect(percentiles[3]! / percentileOf(numbers, 0.95)).toBeGreaterThan(0.5)
  expect(percentiles[3]! / percentileOf(numbers, 0.95)).toBeLessThan(2)
})
