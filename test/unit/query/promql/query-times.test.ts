import { describe, expect, it } from '@jest/globals'
import { everyMinute, PromqlBench } from '../../../support/promql.js'
import { PromqlBadQuery } from '../../../../src/query/promql/promql-error.js'

const bench = new PromqlBench([everyMinute({ __name__: 'm' }, ...Array.from({ length: 30 }, (_, i) => i))])
/** From minute 10 to 15.5, by two minutes: the last step is at 14. */
const RANGE = { startMs: 600_000, stepMs: 120_000, count: 3, endMs: 930_000 }

async function valuesOf(query: string, steps: Parameters<PromqlBench['run']>[1] = RANGE, isRange = true): Promise<number[]> {
  const { value } = await bench.run(query, steps, () => null, isRange)
  if (value.type === 'scalar') return [...value.values]
  if (value.type !== 'vector') throw new TypeError('expected a vector')
  return value.series.flatMap(({ values }) => [...values])
}

describe('a query knows its evaluation times', () => {
  it.each([
    ['step()', [120, 120, 120]],
    ['range()', [330, 330, 330]],
    ['start()', [600, 600, 600]],
    ['end()', [930, 930, 930]],
    ['m offset step()', [8, 10, 12]],
    ['m offset -(step() / 2)', [11, 13, 15]],
    ['m offset range()', [4, 6, 8]],
    ['count_over_time(m[step() * 2])', [4, 4, 4]],
    ['count_over_time(m[max_of(step(), 7m) - 1s])', [7, 7, 7]],
    ['count_over_time(m[10m % 7m:min_of(step(), 30s)])', [6, 6, 6]],
    // The end that was requested, not the last step.
    ['m @ end()', [15, 15, 15]],
    ['max_over_time(m[2m] @ end())', [15, 15, 15]],
    ['count_over_time(vector(step())[4m:step()])', [2, 2, 2]]
  ])('%s', async (query, values) => {
    expect(await valuesOf(query)).toEqual(values)
  })

  it('and that one time has neither range nor step', async () => {
    const at = { startMs: 600_000, stepMs: 60_000, count: 1 }
    expect(await valuesOf('step() + range()', at)).toEqual([0])
    expect(await valuesOf('step() + range()', at, false)).toEqual([0])
    expect(await valuesOf('m offset range()', at, false)).toEqual([10])
    // A range of one step has that step among its durations all the same.
    expect(await valuesOf('m offset step()', at)).toEqual([9])
    await expect(valuesOf('rate(m[step()])', at, false)).rejects.toThrow('7:13: duration must be greater than 0')
  })
})

describe('a duration that is invalid once it is computed', () => {
  it.each([
    ['rate(m[5m - 1h])', '7:14: duration must be greater than 0'],
    ['rate(m[step() - 2m])', '7:18: duration must be greater than 0'],
    ['rate(m[1 / 1e6 * 1])', '7:18: duration must be greater than 0'],
    ['rate(m[5m / (1 - 1)])', '7:18: division by zero'],
    ['m offset (5m % (1 - 1))', '10:21: modulo by zero'],
    ['rate(m[9 ^ 999])', '7:14: duration is NaN or infinite'],
    ['m offset (9 ^ 99)', '10:16: duration is out of range'],
    ['rate(m[0 - 9 ^ 99])', '7:17: duration must be greater than 0'],
    ['m offset (max_of(1 / (2 - 2), 3))', '17:27: division by zero']
  ])('%s', async (query, text) => {
    await expect(valuesOf(query)).rejects.toThrow(text)
    await expect(valuesOf(query)).rejects.toBeInstanceOf(PromqlBadQuery)
  })
})
