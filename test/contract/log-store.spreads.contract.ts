import { expect, it } from '@jest/globals'
import { MATCH_ALL, type Field, type Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { SPREAD_PERCENTILES, type SearchRequest, type SpreadRequest, type SpreadResult } from '../../src/domain/search.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { cutsOf } from '../../src/query/number-cuts.js'
import { free, known, storeApart } from './log-fixtures.js'
import { describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'

const NUMBERS = 200

async function spreadsOf(
  logs: LogStore,
  ns: NamespaceId,
  spreads: readonly SpreadRequest[],
  more: Partial<SearchRequest> = {}
): Promise<readonly SpreadResult[]> {
  const found = await logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, spreads, ...more }, NEVER)
  expect(found.complete).toBe(true)
  return found.spreads!
}

function spread(field: Field, cuts: readonly number[] = [0], filter: Filter = MATCH_ALL): SpreadRequest {
  return { field, filter, cuts }
}

/** Cuts of a sample that has these sorted numbers. */
function cutsLike(sorted: readonly number[]): readonly number[] {
  return cutsOf({ quantiles: Array.from({ length: 17 }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / 16)]!) })
}

/** Percentiles of sorted numbers, interpolated between the closest ranks. */
function percentilesOf(sorted: readonly number[]): readonly number[] {
  return SPREAD_PERCENTILES.map(at => {
    const rank = at * (sorted.length - 1)
    const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
    return low + (high - low) * (rank - Math.floor(rank))
  })
}

function expectPercentiles({ percentiles, relativeError }: SpreadResult, sorted: readonly number[]): void {
  for (const [i, expected] of percentilesOf(sorted).entries()) {
    const most = relativeError === null ? sorted.at(-1)! - sorted[0]! : Math.abs(expected) * relativeError
    expect(Math.abs(percentiles[i]! - expected)).toBeLessThanOrEqual(most + 1e-9)
  }
}

/** Extremes and percentiles of the numbers of a field. */
export function logSpreadsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore spreads`, open, of => {
    it('have extremes and numbers, exact or as bounds, and percentiles within their error', async () => {
      const ns = newNamespace()
      // Negative ones, fractions, and many equal ones.
      const numbers = Array.from({ length: NUMBERS }, (_, i) => (i % 4 === 0 ? 7 : (i - 60) * 1.25))
      await storeApart(
        of().logs,
        ns,
        numbers.map(ms => ({ fields: { ms } }))
      )
      const sorted = numbers.toSorted((a, b) => a - b)
      const [found] = await spreadsOf(of().logs, ns, [spread(free('ms'), cutsLike(sorted))])
      expect(found).toMatchObject({
        field: free('ms'),
        numbers: NUMBERS,
        min: sorted[0],
        max: sorted.at(-1),
        areExtremesExact: true
      })
      expectPercentiles(found!, sorted)
      // As if the sample had the lower half of the numbers alone.
      const [low] = await spreadsOf(of().logs, ns, [spread(free('ms'), cutsLike(sorted.slice(0, NUMBERS / 2)))])
      expect(low!.min).toBe(sorted[0])
      expect(low!.max).toBeGreaterThanOrEqual(sorted.at(-1)!)
      expect(low!.areExtremesExact).toBe(low!.max === sorted.at(-1))
      expectPercentiles(low!, sorted)
    })

    it('read strings that are numbers, and leave out others', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { fields: { ms: '1e3' } },
        { fields: { ms: [-2.5, 'slow'] } },
        { fields: { ms: 'slow' } },
        { fields: { ms: null } },
        { tags: { ms: '0.5' } },
        { fields: { 'ms.x': -9_999 } },
        { severityNumber: 17 }
      ])
      const [ms, absent, severity] = await spreadsOf(of().logs, ns, [
        spread(free('ms'), cutsLike([-2.5, 0.5, 1_000])),
        spread(free('absent'), [0]),
        spread(known('severity_number'), cutsLike([0, 17]))
      ])
      expect(ms).toMatchObject({ numbers: 3, min: -2.5, max: 1_000 })
      const nothing = { numbers: 0, min: null, max: null, areExtremesExact: true, relativeError: 0 }
      expect(absent).toEqual({ field: free('absent'), ...nothing, percentiles: [null, null, null, null, null] })
      expect(severity).toMatchObject({ numbers: 7, max: 17 })
    })

    it('have filters of their own, and come with other parts of one view', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { service: 'web', fields: { ms: 1 } },
        { service: 'api', fields: { ms: 7 } },
        { service: 'api', fields: { ms: 3 } }
      ])
      const isApi: Filter = { kind: 'eq', field: known('service'), value: 'api' }
      const cuts = cutsLike([1, 3, 7])
      const facets = [{ field: known('service'), filter: MATCH_ALL, limit: 5 }]
      const more = { filter: isApi, facets, total: true, distributions: [{ field: free('ms'), bounds: [2] }] }
      const [own, all] = await spreadsOf(of().logs, ns, [spread(free('ms'), cuts, isApi), spread(free('ms'), cuts)], more)
      expect(own).toMatchObject({ numbers: 2, min: 3, max: 7 })
      expect(all).toMatchObject({ numbers: 3, min: 1, max: 7 })
      const range = { ...EVERY_TIME, endNs: EVERY_TIME.startNs }
      expect(await spreadsOf(of().logs, ns, [spread(free('ms'))], { range })).toMatchObject([{ numbers: 0, min: null }])
      expect(await spreadsOf(of().logs, newNamespace(), [spread(free('ms'))])).toMatchObject([{ numbers: 0, max: null }])
    })

    it('of one number have it everywhere', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [{ fields: { ms: 0.1 } }, { fields: { ms: 0.1 } }])
      const [found] = await spreadsOf(of().logs, ns, [spread(free('ms'), cutsLike([0.1]))])
      expect(found).toMatchObject({ numbers: 2, min: 0.1, max: 0.1, areExtremesExact: true, relativeError: 0 })
      expect(found!.percentiles).toEqual([0.1, 0.1, 0.1, 0.1, 0.1])
    })
  })
}
