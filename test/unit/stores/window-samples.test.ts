import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { SampleWindows } from '../../../src/ports/metric-store.js'
import { windowSamples } from '../../../src/stores/metrics/window-samples.js'

const STALE = 0x7ff0000000000002n
const NAN = 0x7ff8000000000001n
const NS_PER_MS = 1_000_000n

/** A sample as milliseconds and a value, or the bits of a NaN. */
type Sample = readonly [ms: number, value: number | bigint]

function columns(samples: readonly Sample[]): { timestampsNs: BigInt64Array; values: Float64Array } {
  const values = new Float64Array(samples.length)
  const bits = new BigUint64Array(values.buffer)
  for (const [i, [, value]] of samples.entries()) {
    if (typeof value === 'bigint') bits[i] = value
    else values[i] = value
  }
  return { timestampsNs: BigInt64Array.from(samples, ([ms]) => BigInt(ms) * NS_PER_MS), values }
}

function shown({ timestampsNs, values }: ReturnType<typeof columns>): readonly Sample[] {
  const bits = new BigUint64Array(values.buffer, values.byteOffset, values.length)
  return Array.from(timestampsNs, (ns, i) => [Number(ns / NS_PER_MS), Number.isNaN(values[i]!) ? bits[i]! : values[i]!])
}

/** The definition of `SampleWindows`, computed window by window. */
function plainly(samples: readonly Sample[], { firstEndMs, stepMs, lengthMs, keep }: SampleWindows): readonly Sample[] {
  const kept = new Set<Sample>()
  for (let endMs = firstEndMs; endMs < 1_000 + stepMs; endMs += stepMs) {
    const within = samples.filter(([ms]) => ms > endMs - lengthMs && ms <= endMs)
    const numbers = within.filter(([, value]) => typeof value === 'number')
    const all = numbers.map(([, value]) => value as number)
    for (const sample of within) if (typeof sample[1] === 'bigint' || keep === 'all') kept.add(sample)
    if (numbers.length === 0) continue
    if (keep === 'first') kept.add(numbers[0]!)
    if (keep === 'last') kept.add(numbers.at(-1)!)
    if (keep === 'highest') kept.add(numbers[all.indexOf(Math.max(...all))]!)
    if (keep === 'lowest') kept.add(numbers[all.indexOf(Math.min(...all))]!)
  }
  return samples.filter(sample => kept.has(sample))
}

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(Infinity, -Infinity, NAN, STALE))
const sampleList = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_000 }), { maxLength: 60 })
  .chain(times => fc.tuple(...times.sort((a, b) => a - b).map(ms => value.map(one => [ms, one] as Sample))))
const windows = fc
  .record({
    firstEndMs: fc.integer({ min: -50, max: 200 }),
    lengthMs: fc.integer({ min: 1, max: 90 }),
    more: fc.integer({ min: 0, max: 60 }),
    keep: fc.constantFrom<SampleWindows['keep']>('all', 'first', 'last', 'highest', 'lowest')
  })
  .map(({ more, ...rest }) => ({ ...rest, stepMs: rest.lengthMs + more }))

/** As `plainly`, where one value represents each window. */
function aggregatedPlainly(samples: readonly Sample[], { firstEndMs, stepMs, lengthMs, keep }: SampleWindows): readonly Sample[] {
  const found: Sample[] = []
  for (let endMs = firstEndMs; endMs < 1_000 + stepMs; endMs += stepMs) {
    const within = samples.filter(([ms, one]) => ms > endMs - lengthMs && ms <= endMs && one !== STALE)
    if (within.length === 0) continue
    const total = within.reduce((sum, [, one]) => sum + (typeof one === 'bigint' ? Number.NaN : one), 0)
    const value = keep === 'count' ? within.length : keep === 'sum' ? total : total / within.length
    found.push([within.at(-1)![0], value])
  }
  return found
}

describe('what windows need of a series', () => {
  it('is some of its samples and nothing else, NaNs with their bits', () => {
    fc.assert(
      fc.property(sampleList, windows, (samples, requested) => {
        expect(shown(windowSamples(columns(samples), requested))).toEqual(plainly(samples, requested))
      }),
      { numRuns: 500 }
    )
  })

  it.each(['count', 'sum', 'mean'] as const)('is the %s of each window, without the marks of an ended series', keep => {
    fc.assert(
      fc.property(sampleList, windows, (samples, requested) => {
        const { timestampsNs, values, isAggregated } = windowSamples(columns(samples), { ...requested, keep })
        const given = Array.from(timestampsNs, (ns, i) => [Number(ns / NS_PER_MS), values[i]!])
        expect([given, isAggregated]).toEqual([aggregatedPlainly(samples, { ...requested, keep }), true])
      })
    )
  })

  it('is judged by the times that evaluation takes: a sample just below a millisecond is of the one before', () => {
    const samples = columns([
      [100, 1],
      [200, 2]
    ])
    samples.timestampsNs[0] = 1_700_000_000_101n * NS_PER_MS - 300n
    samples.timestampsNs[1] = 1_700_000_000_102n * NS_PER_MS
    const requested = { firstEndMs: 1_700_000_000_100, stepMs: 10, lengthMs: 10, keep: 'last' } as const
    expect([...windowSamples(samples, requested).values]).toEqual([1, 2])
    expect([...windowSamples(samples, { ...requested, firstEndMs: 1_700_000_000_099 }).values]).toEqual([2])
  })

  it('is the same arrays where nothing is left out', () => {
    const samples = columns([[5, 1]])
    expect(windowSamples(samples, { firstEndMs: 5, stepMs: 5, lengthMs: 5, keep: 'last' })).toBe(samples)
  })
})
