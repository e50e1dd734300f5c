import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { SeriesSamples } from '../../../src/domain/metric-point.js'
import { drawLine } from '../../support/chart.js'

interface Sample {
  readonly tMs: number
  readonly v: number
}

/** Prometheus's extrapolatedRate for a counter, step by step as its documentation and source describe it. */
function prometheusRate(all: readonly Sample[], startMs: number, endMs: number): number | null {
  const samples = all.filter(s => s.tMs > startMs && s.tMs <= endMs)
  if (samples.length < 2) return null
  const first = samples[0]!
  const last = samples[samples.length - 1]!
  let result = last.v - first.v
  let previous = first.v
  for (const { v } of samples.slice(1)) {
    if (v < previous) result += previous
    previous = v
  }
  let durationToStart = (first.tMs - startMs) / 1000
  let durationToEnd = (endMs - last.tMs) / 1000
  const sampledInterval = (last.tMs - first.tMs) / 1000
  const averageDurationBetweenSamples = sampledInterval / (samples.length - 1)
  const extrapolationThreshold = averageDurationBetweenSamples * 1.1
  if (durationToStart >= extrapolationThreshold) durationToStart = averageDurationBetweenSamples / 2
  if (result > 0 && first.v >= 0) {
    const durationToZero = sampledInterval * (first.v / result)
    if (durationToZero < durationToStart) durationToStart = durationToZero
  }
  if (durationToEnd >= extrapolationThreshold) durationToEnd = averageDurationBetweenSamples / 2
  return (result * ((sampledInterval + durationToStart + durationToEnd) / sampledInterval)) / ((endMs - startMs) / 1000)
}

const MS = 1_000_000n

function series(samples: readonly Sample[]): SeriesSamples {
  return {
    name: 'requests',
    type: 'counter',
    labels: [],
    timestampsNs: BigInt64Array.from(samples, s => BigInt(s.tMs) * MS),
    values: Float64Array.from(samples, s => s.v)
  }
}

function rates(samples: readonly Sample[], grid: { startMs: number; stepMs: number; length: number }, endMs: number) {
  const range = { startNs: BigInt(grid.startMs) * MS, endNs: BigInt(endMs) * MS }
  return drawLine(
    'rate',
    [series(samples)],
    { startNs: range.startNs, stepNs: BigInt(grid.stepMs) * MS, length: grid.length },
    range
  )
}

const counter = fc
  .array(
    fc.record({
      gapMs: fc.integer({ min: 1, max: 40_000 }),
      rise: fc.double({ min: 0, max: 1e6, noNaN: true }),
      reset: fc.nat(9)
    }),
    {
      maxLength: 60
    }
  )
  .map(steps => {
    let tMs = 0
    let v = 0
    return steps.map(step => {
      tMs += step.gapMs
      v = step.reset === 0 ? step.rise / 2 : v + step.rise
      return { tMs, v }
    })
  })

describe('rate', () => {
  it("is Prometheus's rate(metric[step]) at the end of each bucket, resets, gaps and ragged ends included", () => {
    fc.assert(
      fc.property(counter, fc.integer({ min: 500, max: 120_000 }), fc.integer({ min: 1, max: 12 }), (samples, stepMs, length) => {
        const got = rates(samples, { startMs: 0, stepMs, length }, stepMs * length)
        const catalogNeed = Array.from({ length }, (_, i) => prometheusRate(samples, i * stepMs, (i + 1) * stepMs))
        expect(got.map(value => value === null)).toEqual(catalogNeed.map(value => value === null))
        for (const [i, value] of got.entries())
          if (value !== null) expect(value).toBeCloseTo(catalogNeed[i]!, 6 - Math.ceil(Math.log10(Math.abs(catalogNeed[i]!) + 1)))
      }),
      { numRuns: 500 }
    )
  })

  it('cuts the last bucket to the window', () => {
    const samples = Array.from({ length: 10 }, (_, i) => ({ tMs: 10_000 * (i + 1), v: 10 * i }))
    expect(rates(samples, { startMs: 0, stepMs: 60_000, length: 2 }, 100_000)[1]).toBeCloseTo(
      prometheusRate(samples, 60_000, 100_000)!,
      12
    )
  })

  it('is 1 for a counter that rises by 10 every 10 seconds, also across a reset', () => {
    const samples = [100, 110, 120, 10, 20, 30, 40].map((v, i) => ({ tMs: 10_000 * i, v }))
    expect(rates(samples, { startMs: -10_000, stepMs: 70_000, length: 1 }, 60_000)).toEqual([expect.closeTo(1, 12)])
  })

  it('needs two samples in a bucket', () => {
    expect(rates([{ tMs: 5, v: 1 }], { startMs: 0, stepMs: 1_000, length: 2 }, 2_000)).toEqual([null, null])
  })
})
