import { describe, expect, it } from '@jest/globals'
import type { TimeRange } from '../../../src/domain/time-range.js'
import { counterSamples, sampleGrid } from '../../../src/stores/virtual/counter-samples.js'
import { PromqlBench } from '../../support/promql.js'

const MS_NS = 1_000_000n
const BASE_MS = 1_800_000_000_000

/** Times of records, milliseconds: uneven, with a burst. */
const RECORDS = Array.from({ length: 2_000 }, (_, i) => BASE_MS - 7_200_000 + Math.floor((i * i * 7_919) % 7_200_000))

function between(fromMs: number, toMs: number): number {
  return RECORDS.filter(ms => ms >= fromMs && ms < toMs).length
}

/** What the store would return for a selector: the records counted in the steps of the grid. */
function samples(range: TimeRange, windowMs: number, stepMs?: number): (readonly [number, number])[] {
  const grid = sampleGrid(range, { windowMs, stepMs, firstNs: range.startNs })
  const counts = Array.from({ length: grid.count }, (_, i) => {
    const fromMs = Number((grid.startNs + BigInt(i) * grid.stepNs) / MS_NS)
    return between(fromMs, fromMs + Number(grid.stepNs / MS_NS))
  })
  const { timestampsNs, values } = counterSamples(counts, grid, range)
  return Array.from(timestampsNs, (ns, i) => [Number(ns / MS_NS), values[i]!] as const)
}

async function increase(window: string, windowMs: number, endMs: number, steps = { count: 1, stepMs: 0 }): Promise<number[]> {
  const startMs = endMs - (steps.count - 1) * steps.stepMs
  const range = { startNs: BigInt(startMs - windowMs + 1) * MS_NS, endNs: BigInt(endMs + 1) * MS_NS }
  const found = samples(range, windowMs, steps.count > 1 ? steps.stepMs : undefined)
  const bench = new PromqlBench([{ labels: { __name__: 'log_records_total' }, samples: found }])
  const { value } = await bench.run(`increase(log_records_total[${window}])`, { startMs, ...steps })
  if (value.type !== 'vector') throw new Error(value.type)
  return [...value.series[0]!.values]
}

describe('increase of a counted metric', () => {
  it.each([
    ['1m', 60_000],
    ['5m', 300_000],
    ['7m', 420_000],
    ['100s', 100_000],
    ['1h', 3_600_000]
  ])('is the number of records in [%s], at whole minutes and at any other time', async (window, windowMs) => {
    for (const endMs of [BASE_MS, BASE_MS - 1, BASE_MS - 12_345, BASE_MS - 59_999, BASE_MS - 1_000_003]) {
      expect(await increase(window, windowMs, endMs)).toEqual([between(endMs - windowMs, endMs)])
    }
  })

  it.each([15_000, 20_000, 60_000, 300_000])('is that at each step of a range query of %d ms, too', async stepMs => {
    const endMs = BASE_MS - 12_345
    const values = await increase('5m', 300_000, endMs, { count: 10, stepMs })
    const ends = Array.from({ length: 10 }, (_, i) => endMs - (9 - i) * stepMs)
    expect(values).toEqual(ends.map(end => between(end - 300_000, end)))
  })
})
