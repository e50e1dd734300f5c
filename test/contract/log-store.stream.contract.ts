import { expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { known, store, toLog } from './log-fixtures.js'
import { describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

const ROWS = 5_200

async function storeMany(logs: Parameters<typeof store>[0], ns: Parameters<typeof store>[1]): Promise<void> {
  for (let batch = 0; batch < 2; batch++) {
    const items = Array.from({ length: ROWS / 2 }, (_, i) => toLog({ at: i >> 3, service: i % 2 ? 'odd' : 'even' }, i))
    await logs.append(ns, { ingestId: newIngestId(), items })
  }
  await logs.settle(ns)
}

/** Streams, aborts and the end. */
export function logStreamContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore stream`, open, of => {
    it.each(['asc', 'desc'] as const)('gives out everything once, %s', async order => {
      const ns = newNamespace()
      await storeMany(of().logs, ns)
      const keys: string[] = []
      for await (const page of of().logs.stream(ns, { range: EVERY_TIME, filter: MATCH_ALL, order }, NEVER)) {
        keys.push(...page.map(({ timestampNs, id }) => `${timestampNs} ${id}`))
      }
      const ascending = keys.toSorted()
      expect(keys).toHaveLength(ROWS)
      expect(new Set(keys).size).toBe(ROWS)
      expect(keys).toEqual(order === 'asc' ? ascending : ascending.toReversed())
    })

    it('streams what matches only, and nothing of nothing', async () => {
      const ns = newNamespace()
      await storeMany(of().logs, ns)
      let rows = 0
      const filter = { kind: 'eq', field: known('service'), value: 'odd' } as const
      for await (const page of of().logs.stream(ns, { range: EVERY_TIME, filter, order: 'desc' }, NEVER)) rows += page.length
      expect(rows).toBe(ROWS / 2)
      const pages: unknown[] = []
      const empty = of().logs.stream(newNamespace(), { range: EVERY_TIME, filter: MATCH_ALL, order: 'asc' }, NEVER)
      for await (const page of empty) pages.push(...page)
      expect(pages).toEqual([])
    })

    it('rejects with the reason of an abort, before and in the middle', async () => {
      const ns = newNamespace()
      await storeMany(of().logs, ns)
      const reason = new Error('the reader went away')
      const before = AbortSignal.abort(reason)
      const request = { range: EVERY_TIME, filter: MATCH_ALL, total: true }
      await expect(of().logs.search(ns, request, before)).rejects.toBe(reason)
      const controller = new AbortController()
      const running = of().logs.search(ns, { ...request, rows: { limit: 5_000, order: 'desc' } }, controller.signal)
      controller.abort(reason)
      await expect(running).rejects.toBe(reason)
      const midway = new AbortController()
      const readAll = async () => {
        const stream = of().logs.stream(ns, { range: EVERY_TIME, filter: MATCH_ALL, order: 'asc' }, midway.signal)
        for await (const page of stream) if (page.length > 0) midway.abort(reason)
      }
      await expect(readAll()).rejects.toBe(reason)
      expect((await of().logs.search(ns, request, NEVER)).total!.value).toBe(ROWS)
    })

    it('survives a reader that leaves a stream early', async () => {
      const ns = newNamespace()
      await storeMany(of().logs, ns)
      for await (const page of of().logs.stream(ns, { range: EVERY_TIME, filter: MATCH_ALL, order: 'asc' }, NEVER)) {
        expect(page.length).toBeGreaterThan(0)
        break
      }
      expect((await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, total: true }, NEVER)).total!.value).toBe(ROWS)
    })
  })
}

/** Closes the stores that it opens. */
export function closingContract(name: string, open: OpenStores): void {
  it(`${name}: closes twice`, async () => {
    const opened = await open()
    await store(opened.stores.logs, newNamespace(), [{}])
    await opened.stores.close()
    await opened.stores.close()
    await opened.close()
  })
}
