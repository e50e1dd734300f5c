import { describe, expect, it } from '@jest/globals'
import { SeriesIds } from '../../../src/stores/duckdb/client/series-ids.js'
import { NS, OTHER_NS } from '../../support/duckdb-fixture.js'

describe('ids of series', () => {
  it('are those of their namespace', () => {
    const ids = new SeriesIds()
    ids.learn(NS, 'a', 1n)
    ids.learn(OTHER_NS, 'a', 2n)
    expect([ids.of(NS)('a')?.id, ids.of(OTHER_NS)('a')?.id, ids.of(NS)('b')]).toEqual([1n, 2n, undefined])
    ids.forget(NS)
    expect([ids.of(NS)('a'), ids.of(OTHER_NS)('a')?.id]).toEqual([undefined, 2n])
    ids.forget(OTHER_NS)
    expect(ids.bytes).toBe(0)
  })

  it('stay within the bound, and those that are requested stay longest', () => {
    const bound = 10_000
    const ids = new SeriesIds(bound)
    for (let i = 0; i < 1_000; i++) {
      ids.learn(i % 2 === 0 ? NS : OTHER_NS, `series ${i}`, BigInt(i + 1))
      expect(ids.of(NS)('series 0')?.id).toBe(1n)
      expect(ids.bytes).toBeLessThanOrEqual(bound)
    }
    expect(ids.of(OTHER_NS)('series 999')?.id).toBe(1000n)
    expect(ids.of(OTHER_NS)('series 1')).toBeUndefined()
  })

  it('that are learnt again take no more room', () => {
    const ids = new SeriesIds()
    ids.learn(NS, 'a', 1n)
    const { bytes } = ids
    ids.learn(NS, 'a', 2n)
    expect([ids.bytes, ids.of(NS)('a')?.id]).toEqual([bytes, 2n])
  })
})
