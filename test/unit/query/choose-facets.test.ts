import { describe, expect, it } from '@jest/globals'
import { chooseFacets, MAX_CHOSEN, MAX_CHOSEN_SPREADS } from '../../../src/query/choose-facets.js'
import type { SampledField } from '../../../src/query/field-catalog.js'
import { cutsOf } from '../../../src/query/number-cuts.js'

const UNNAMED = { hasValues: () => false, hasBounds: () => false }
const QUANTILES = Array.from({ length: 17 }, (_, i) => i * 10)

function field(name: string, changes: Partial<SampledField> = {}): SampledField {
  return { name, type: 'string', count: 1_000, cardinality: 5, examples: ['a'], longest: 1, ...changes }
}

function numbers(name: string, changes: Partial<SampledField> = {}): SampledField {
  return field(name, {
    type: 'number',
    cardinality: 900,
    numbers: { quantiles: QUANTILES, countsUp: false, areSeveral: false },
    ...changes
  })
}

describe('automatic facets', () => {
  it('have the values of fields with few of them, and the range of many numbers', () => {
    const few = { ...numbers('status'), cardinality: 4 }
    const { facets, spreads, skipped } = chooseFacets(['level'], [field('region'), few, numbers('ms')], UNNAMED)
    expect(facets).toEqual(['level', 'region', 'status'])
    expect(spreads).toEqual([{ field: 'ms', cuts: cutsOf({ quantiles: QUANTILES }) }])
    expect(skipped).toEqual([])
  })
  it('have the range of few rows with different numbers, but not of one', () => {
    const given = [6, 5, 1].map(cardinality => numbers(`n${cardinality}`, { count: cardinality, cardinality }))
    const { facets, spreads, skipped } = chooseFacets([], given, UNNAMED)
    expect(spreads.map(({ field: name }) => name)).toEqual(['n6'])
    expect(skipped.map(({ field: name }) => name)).toEqual(['n5'])
    expect(facets).toEqual(['n1'])
  })
  it('skip ids, constants and long or unique values, and state why', () => {
    const { skipped } = chooseFacets(
      [],
      [
        numbers('offset', { numbers: { quantiles: QUANTILES, countsUp: true, areSeveral: false } }),
        field('version', { cardinality: 1 }),
        field('text', { longest: 257 }),
        field('user', { cardinality: 101 }),
        field('request', { count: 100, cardinality: 51 })
      ],
      UNNAMED
    )
    expect(skipped).toEqual([
      { field: 'offset', reason: 'numbers that count up, as ids do' },
      { field: 'version', reason: 'always "a"' },
      { field: 'text', reason: 'values of up to 257 characters' },
      { field: 'user', reason: 'about 101 different values' },
      { field: 'request', reason: 'nearly every log has a different value' }
    ])
  })
  it('have the fields that the filter names, in the way in which it does', () => {
    const given = [
      field('user', { cardinality: 900 }),
      numbers('offset', { numbers: { quantiles: QUANTILES, countsUp: true, areSeveral: false } })
    ]
    const named = { hasValues: (name: string) => name === 'user', hasBounds: (name: string) => name === 'offset' }
    const { facets, spreads } = chooseFacets([], given, named)
    expect([facets, spreads.map(({ field: name }) => name)]).toEqual([['user'], ['offset']])
  })
  it('have the fields that the filter names before more frequent ones', () => {
    const given = [
      ...Array.from({ length: MAX_CHOSEN + 1 }, (_, i) => field(`f${i}`)),
      ...Array.from({ length: MAX_CHOSEN_SPREADS + 1 }, (_, i) => numbers(`n${i}`))
    ]
    const named = { hasValues: (name: string) => name === 'f12', hasBounds: (name: string) => name === 'n6' }
    const { facets, spreads } = chooseFacets(['level'], given, named)
    expect([facets[1], spreads[0]!.field]).toEqual(['f12', 'n6'])
    expect([facets.length, spreads.length]).toEqual([MAX_CHOSEN, MAX_CHOSEN_SPREADS])
  })
  it('are bounded', () => {
    const { facets, spreads, skipped } = chooseFacets(
      ['level'],
      [
        ...Array.from({ length: MAX_CHOSEN }, (_, i) => field(`f${i}`)),
        ...Array.from({ length: MAX_CHOSEN_SPREADS + 1 }, (_, i) => numbers(`n${i}`))
      ],
      UNNAMED
    )
    expect([facets.length, spreads.length]).toEqual([MAX_CHOSEN, MAX_CHOSEN_SPREADS])
    expect(skipped).toEqual([
      { field: 'f11', reason: 'at most 12 facets are selected automatically' },
      { field: 'n6', reason: 'at most 6 ranges of numbers are selected automatically' }
    ])
  })
})

describe('cuts of numbers', () => {
  it.each([1, -1])('halve the distance to zero that a sample of one side lacks (%i)', sign => {
    const quantiles = QUANTILES.map(value => sign * (1_000 + value)).toSorted((a, b) => a - b)
    const near = cutsOf({ quantiles })
      .map(cut => sign * cut)
      .filter(cut => cut >= 1 && cut < 999)
    const steps = Array.from({ length: 9 }, (_, i) => 1_000 / 2 ** (9 - i))
    expect(near.toSorted((a, b) => a - b)).toEqual(steps)
  })
  it.each([[QUANTILES], [QUANTILES.map(i => -i).toReversed()], [[0, 0, 0, 5e-324, 1e308, 1.7e308]], [[7, 7, 7]], [[0]]])(
    'of %j rise strictly, with the extremes alone in intervals, and reach beyond them',
    quantiles => {
      const cuts = cutsOf({ quantiles })
      expect(cuts.every((cut, i) => Number.isFinite(cut) && (i === 0 || cut > cuts[i - 1]!))).toBe(true)
      expect([cuts[0], cuts.at(-1)]).toEqual([-Number.MAX_VALUE, Number.MAX_VALUE])
      for (const end of [quantiles[0]!, quantiles.at(-1)!]) {
        const at = cuts.indexOf(end)
        expect(at).toBeGreaterThan(0)
        const middle = end + (cuts[at + 1]! - end) / 2
        expect([end, cuts[at + 1]]).toContain(middle)
        expect(cuts.some(cut => cut < end) && cuts.some(cut => cut > cuts[at + 1]!)).toBe(true)
      }
      expect(cuts.length).toBeLessThan(60)
    }
  )
})
