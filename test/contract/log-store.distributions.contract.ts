import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MATCH_ALL, type Field, type Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { nextUp } from '../../src/domain/next-up.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import type { DistributionRequest, SearchRequest } from '../../src/domain/search.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { matchesFilter } from '../support/reference-filter.js'
import { logArbitraries, PLAIN_VOCABULARY } from './log-arbitraries.js'
import { free, known, storeApart, toLog } from './log-fixtures.js'
import { describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

const BATCHES = 8
const RUNS = 60

const { sketch, filter } = logArbitraries(PLAIN_VOCABULARY)
const fields = fc.constantFrom<Field>(free('x'), free('y.z'), { in: 'tags', name: 'x' }, { in: 'log_fields', name: 'q"' })
const bounds = fc.uniqueArray(fc.constantFrom(-3, -2.5, 0, 1, 1.5, 2, 9.99, 10, 11, 1e21), { minLength: 1, maxLength: 6 })
const requests = fc.array(fc.record({ field: fields, bounds: bounds.map(all => all.toSorted((a, b) => a - b)) }), {
  minLength: 1,
  maxLength: 3
})

/** What a plain reading of the rules counts. */
function expected(logs: readonly LogRecord[], selected: Filter, { field, bounds: limits }: DistributionRequest): number[] {
  return Array.from({ length: limits.length + 1 }, (_, i) => {
    const interval: Filter = {
      ...{ kind: 'range', field },
      ...(i > 0 && { gte: String(limits[i - 1]) }),
      ...(i < limits.length && { lt: String(limits[i]) })
    } as const
    return logs.filter(log => matchesFilter(log, selected) && matchesFilter(log, interval)).length
  })
}

async function countsOf(
  logs: LogStore,
  ns: NamespaceId,
  request: Partial<SearchRequest>
): Promise<readonly (readonly number[])[]> {
  const found = await logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, ...request }, NEVER)
  expect(found.complete).toBe(true)
  return found.distributions!.map(({ counts }) => counts)
}

/** Counts of the numbers of a field by interval. */
export function logDistributionsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore distributions`, open, of => {
    it('counts numbers and strings that are numbers, a row once in each of its intervals', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { fields: { ms: 5 } },
        { fields: { ms: '10' }, tags: { ms: 12 } },
        { fields: { ms: [1, 2, 99.5] } },
        { fields: { ms: 'slow' } },
        { fields: { ms: null } },
        { severityNumber: 17 }
      ])
      const ms = { field: free('ms'), bounds: [2, 10, 50] }
      const severity = { field: known('severity_number'), bounds: [9] }
      expect(await countsOf(of().logs, ns, { distributions: [ms, severity] })).toEqual([
        [1, 2, 1, 1],
        [5, 1]
      ])
    })

    it('counts a number that equals a bound behind it, and the next smaller one before it', async () => {
      const ns = newNamespace()
      const numbers = [10, -nextUp(-10), nextUp(10), 0, -Number.MIN_VALUE]
      await storeApart(
        of().logs,
        ns,
        numbers.map(ms => ({ fields: { ms }, severityNumber: 9 }))
      )
      const ms = { field: free('ms'), bounds: [0, 10] }
      const severity = { field: known('severity_number'), bounds: [9, 10] }
      expect(await countsOf(of().logs, ns, { distributions: [ms, severity] })).toEqual([
        [1, 2, 2],
        [0, 5, 0]
      ])
    })

    it('counts under the filter and in the range, together with other parts', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { at: 1, service: 'web', fields: { ms: 1 } },
        { at: 2, service: 'api', fields: { ms: 7 } },
        { at: 3, service: 'api', fields: { ms: 1 } }
      ])
      const isApi: Filter = { kind: 'eq', field: known('service'), value: 'api' }
      const distributions = [{ field: free('ms'), bounds: [5] }]
      const facets = [{ field: known('service'), filter: MATCH_ALL, limit: 1 }]
      expect(await countsOf(of().logs, ns, { filter: isApi, distributions, facets, total: true })).toEqual([[1, 1]])
      const range = { ...EVERY_TIME, endNs: EVERY_TIME.startNs }
      expect(await countsOf(of().logs, ns, { range, distributions })).toEqual([[0, 0]])
      expect(await countsOf(of().logs, newNamespace(), { distributions })).toEqual([[0, 0]])
    })

    it('agrees with the conditions of filters', async () => {
      const ns = newNamespace()
      const stored: LogRecord[] = []
      for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 15 }), { numRuns: BATCHES, seed: 11 })) {
        const items = sketches.map(toLog)
        await of().logs.append(ns, { ingestId: newIngestId(), items })
        stored.push(...items)
      }
      await of().logs.settle(ns)
      const agree = async (selected: Filter, distributions: readonly DistributionRequest[]) => {
        const counts = await countsOf(of().logs, ns, { filter: selected, distributions })
        expect(counts).toEqual(distributions.map(each => expected(stored, selected, each)))
      }
      await fc.assert(fc.asyncProperty(filter, requests, agree), { numRuns: RUNS, seed: 5 })
    }, 120_000)
  })
}
