import { describe, expect, it } from '@jest/globals'
import type { Compared } from '../../../../src/query/compare/differences.js'
import { MAX_TRACED, rowsPerTrace, testedByTrace } from '../../../../src/query/compare/rows-per-trace.js'

const value = (name: string, count: number, baseCount: number): Compared => ({
  ...{ kind: 'field_value', name, value: 'x', count, baseCount, total: 1_500, baseTotal: 1_500 }
})

describe('rowsPerTrace', () => {
  it.each([
    [[], 1],
    [[null, null, null], 1],
    [['a', 'b'], 1],
    [['a', 'a', 'a'], 3],
    // The row of an average row: three of five rows are in a trace of three.
    [['a', 'a', 'a', 'b', null], (3 * 3 + 1 + 1) / 5]
  ])('of %j', (traceIds, rows) => {
    expect(rowsPerTrace(traceIds)).toBeCloseTo(rows, 12)
  })
})

describe('testedByTrace', () => {
  // Requests to one route leave five rows each: 73 against 51 of some 300 requests.
  const route = value('route', 365, 255)

  it('finds what is significant although rows come together, and nothing else', async () => {
    const alone = await testedByTrace([route], async () => 1)
    expect(alone.differences.map(({ name }) => name)).toEqual(['route'])
    const { differences, tested } = await testedByTrace([route, value('error', 40, 0)], async ({ name }) =>
      name === 'route' ? 5 : 1
    )
    expect([differences.map(({ name }) => name), tested]).toEqual([['error'], 2])
    expect(differences[0]).toMatchObject({ count: 40, baseCount: 0, total: 1_500 })
  })

  it('weighs ranks by the rows of a trace', async () => {
    const measure: Compared = { ...value('ms', 900, 600), kind: 'measure', ranks: { delta: 0.2, p: 1e-5, z: 4.4 } }
    expect((await testedByTrace([measure], async () => 1)).differences).toHaveLength(1)
    expect((await testedByTrace([measure], async () => 6)).differences).toEqual([])
  })

  it('reads the rows of the largest differences alone, and none of error groups and metrics', async () => {
    const many = Array.from({ length: MAX_TRACED + 1 }, (_, i) => value(`field${i}`, 1_000 - i, 0))
    const others = (['error_group', 'metric'] as const).map(kind => ({ ...value(kind, 1_400, 0), kind }))
    const read: string[] = []
    await testedByTrace([...many, ...others], async ({ name }) => {
      read.push(name)
      return 1
    })
    expect(read).toEqual(many.slice(0, MAX_TRACED).map(({ name }) => name))
  })
})
