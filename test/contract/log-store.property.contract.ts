import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Filter } from '../../src/domain/filter.js'
import { recordId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { matchesFilter } from '../support/reference-filter.js'
import { logArbitraries, PLAIN_VOCABULARY } from './log-arbitraries.js'
import { toLog } from './log-fixtures.js'
import { describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

const { sketch, filter } = logArbitraries(PLAIN_VOCABULARY)

const BATCHES = 12
const FILTERS = 150

function expectedIds(stored: readonly { id: string; log: LogRecord }[], target: Filter): readonly string[] {
  return stored
    .filter(({ log }) => matchesFilter(log, target))
    .sort((a, b) => Number(b.log.timestampNs - a.log.timestampNs) || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

/** Random records and filters, held against a plain evaluator of the rules. */
export function logPropertyContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore and the rules of filters`, open, of => {
    it('finds exactly what a plain reading of the rules finds', async () => {
      const ns = newNamespace()
      const stored: { id: string; log: LogRecord }[] = []
      for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 15 }), { numRuns: BATCHES, seed: 42 })) {
        const ingestId = newIngestId()
        const items = sketches.map(toLog)
        await of().logs.append(ns, { ingestId, items })
        stored.push(...items.map(log => ({ id: recordId(ingestId, log.index), log })))
      }
      await of().logs.settle(ns)
      const agree = async (selected: Filter) => {
        const request = { range: EVERY_TIME, filter: selected, rows: { limit: 500, order: 'desc' as const }, total: true }
        const found = await of().logs.search(ns, request, NEVER)
        const expected = expectedIds(stored, selected)
        expect(found.rows!.map(({ id }) => id)).toEqual(expected)
        expect(found.total!.value).toBe(expected.length)
      }
      await fc.assert(fc.asyncProperty(filter, agree), { numRuns: FILTERS, seed: 7 })
    }, 120_000)
  })
}
