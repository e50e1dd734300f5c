import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { EVERY_TIME, NEVER } from '../contract/store-under-test.js'
import { compareResults, fillLogs } from '../differential/compare-logs.js'
import { openTwoStores, type TwoStores } from '../differential/two-stores.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

const QUERIES = 100

for (const [i, server] of SEARCH_SERVERS.entries()) {
  describeOn(server, `embedded store and ${server}`, access => {
    let two: TwoStores

    beforeAll(async () => {
      two = await openTwoStores(access, fillLogs, { batches: 24, seed: i + 1 })
    }, 120_000)

    afterAll(() => two.close())

    it('hold the same records', async () => {
      const [one, other] = await Promise.all(
        two.stores.map(({ logs }) => logs.search(two.ns, { range: EVERY_TIME, filter: MATCH_ALL, total: true }, NEVER))
      )
      expect(one!.total!.value).toBeGreaterThan(200)
      expect(other).toEqual(one)
    })

    it('give the same responses to random queries', () => {
      const [one, other] = two.stores
      return compareResults([one.logs, other.logs], two.ns, { queries: QUERIES, seed: i + 1 })
    }, 300_000)
  })
}
