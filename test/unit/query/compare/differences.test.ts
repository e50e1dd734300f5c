import { describe, expect, it } from '@jest/globals'
import { type Random, seededRandom } from '../../../../bench/generate/random.js'
import { type Compared, type Difference, MOST_Q, significantDifferences } from '../../../../src/query/compare/differences.js'
import { compareBinned } from '../../../../src/query/statistics/binned-ranks.js'

/** A row by its fields: values, and one number as the number of its interval. */
interface Row {
  readonly fields: Readonly<Record<string, string>>
  readonly interval: number
}

const INTERVALS = 12
const ROWS = 900

/** Values of a field, the first ones most frequent. */
function valueOf(random: Random, different: number): string {
  return `v${Math.floor(different * random.next() ** 2)}`
}

function rowOf(random: Random): Row {
  const fields = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`field${i}`, valueOf(random, 2 + i * 4)]))
  return { fields, interval: Math.floor(INTERVALS * random.next() ** 3) }
}

function countsOf(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { fields } of rows)
    for (const [name, value] of Object.entries(fields)) counts.set(`${name} ${value}`, (counts.get(`${name} ${value}`) ?? 0) + 1)
  return counts
}

function intervalsOf(rows: readonly Row[]): number[] {
  return Array.from({ length: INTERVALS }, (_, at) => rows.filter(({ interval }) => interval === at).length)
}

function compare(base: readonly Row[], other: readonly Row[]): readonly Difference[] {
  const [before, after] = [countsOf(base), countsOf(other)]
  const totals = { total: other.length, baseTotal: base.length }
  const values = [...new Set([...before.keys(), ...after.keys()])].map((key): Compared => {
    const [name, value] = key.split(' ') as [string, string]
    return { kind: 'field_value', name, value, count: after.get(key) ?? 0, baseCount: before.get(key) ?? 0, ...totals }
  })
  const [counts, baseCounts] = [intervalsOf(other), intervalsOf(base)]
  const ranks = compareBinned(counts, baseCounts)!
  const tail = (all: readonly number[]) => all.slice(ranks.cut + 1).reduce((sum, count) => sum + count, 0)
  const measure = {
    kind: 'measure',
    name: 'ms',
    value: '>=1',
    count: tail(counts),
    baseCount: tail(baseCounts),
    ...totals
  } as const
  return significantDifferences([...values, { ...measure, ranks }]).differences
}

function shuffled(rows: readonly Row[], random: Random): readonly Row[] {
  return rows
    .map(row => ({ row, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

describe('significant differences', () => {
  it('are silent in at least 95 % of the runs over shuffled rows', () => {
    const random = seededRandom(29)
    const rows = Array.from({ length: 2 * ROWS }, () => rowOf(random))
    const runs = 200
    let silent = 0
    for (let run = 0; run < runs; run++) {
      const mixed = shuffled(rows, random)
      // Sides of different size, too.
      const at = run % 2 === 0 ? ROWS : ROWS / 3
      if (compare(mixed.slice(0, at), mixed.slice(at)).length === 0) silent++
    }
    expect(silent / runs).toBeGreaterThanOrEqual(0.95)
  })

  it.each([1, 2, 3, 4, 5])('have a planted cause first, seed %i', seed => {
    const random = seededRandom(seed)
    const base = Array.from({ length: ROWS }, () => rowOf(random))
    const other = Array.from({ length: ROWS }, (): Row => {
      const row = rowOf(random)
      const isNew = random.next() < 0.4
      return { fields: { ...row.fields, ...(isNew && { release: 'v2' }) }, interval: isNew ? INTERVALS - 1 : row.interval }
    })
    const [first, ...others] = compare(base, other)
    expect([first!.name, first!.value, first!.baseCount]).toEqual(['release', 'v2', 0])
    expect(first!.q).toBeLessThan(MOST_Q)
    expect(others.map(({ name }) => name)).toEqual(['ms'])
  })

  it('name the presence of a field only where no value of it differs', () => {
    const totals = { total: 1000, baseTotal: 1000 }
    const present = { kind: 'field_value', name: 'code', value: null, count: 900, baseCount: 100, ...totals } as const
    const spread = Array.from({ length: 9 }, (_, i) => ({ ...present, value: `c${i}`, count: 11, baseCount: 10 }))
    const named = (compared: readonly Compared[]) => significantDifferences(compared).differences.map(({ value }) => value)
    expect(named([present, ...spread])).toEqual([null])
    expect(named([present, { ...present, value: 'c1', count: 500, baseCount: 50 }])).toEqual(['c1'])
  })

  it('count what was tested, without what no split could make significant', () => {
    const rare = { kind: 'field_value', name: 'id', total: 100, baseTotal: 100, baseCount: 0 } as const
    const compared = [1, 2, 3, 4, 5].map(count => ({ ...rare, value: String(count), count }))
    expect(significantDifferences(compared)).toEqual({ tested: 1, differences: [] })
  })

  it('leave out what is certain and small', () => {
    const totals = { total: 1_000_000, baseTotal: 1_000_000 }
    const value = { kind: 'field_value', name: 'region', value: 'eu', count: 550_000, baseCount: 500_000, ...totals } as const
    const measure = { ...value, kind: 'measure', count: 700_000, ranks: { delta: 0.1, p: 1e-30 } } as const
    expect(significantDifferences([value, measure])).toEqual({ tested: 2, differences: [] })
  })
})
