import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { ElasticsearchStores } from '../../src/stores/elasticsearch/elasticsearch-stores.js'
import { toError, toRum, type RumSketch } from '../contract/event-fixtures.js'
import { known } from '../contract/log-fixtures.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId, newNamespace } from '../contract/store-under-test.js'
import { seededRandom } from '../differential/metric-world.js'
import { openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

const PERCENTILES = [0.01, 0.5, 0.75, 0.95, 0.99]
/** More different values than one look at a percentile lists. */
const EVENTS = 6_500

function interpolated(sorted: readonly number[], percentile: number): number {
  const rank = percentile * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
  return low + (high - low) * (rank - Math.floor(rank))
}

for (const server of SEARCH_SERVERS) {
  describeOn(server, `events of ${server}`, access => {
    let site: ElasticsearchSite
    let stores: ElasticsearchStores

    beforeAll(async () => {
      site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
      stores = await site.open()
    }, 60_000)

    afterAll(() => site.close())

    async function storeRum(ns: NamespaceId, sketches: readonly RumSketch[]): Promise<void> {
      await stores.events.appendRum(ns, { ingestId: newIngestId(), items: sketches.map(toRum) })
      await stores.events.settle(ns)
    }

    it('have exact percentiles and sessions, however many values there are', async () => {
      const ns = newNamespace()
      const random = seededRandom(7)
      // Dense at first and with a long tail, as page timings are.
      const sketches = Array.from({ length: EVENTS }, (_, i) => ({
        country: i % 10 === 0 ? 'CH' : 'DE',
        sessionId: `s${Math.floor(random() * 3_000)}`,
        vitals: { largest_contentful_paint_ms: Math.round(1e6 / (random() + 0.01)) / 1e3 }
      }))
      await storeRum(ns, sketches)
      const request = {
        range: EVERY_TIME,
        filter: MATCH_ALL,
        groupBy: known('country'),
        vitals: ['largest_contentful_paint_ms'],
        percentiles: PERCENTILES,
        limit: 5
      } as const
      const { rows } = await stores.events.vitals(ns, request, NEVER)
      expect(rows.map(({ key }) => key)).toEqual(['DE', 'CH'])
      for (const { key, events, sessions, vitals } of rows) {
        const own = sketches.filter(({ country }) => country === key)
        const values = own.map(each => each.vitals.largest_contentful_paint_ms).sort((a, b) => a - b)
        expect(events).toBe(own.length)
        expect(sessions).toBe(new Set(own.map(({ sessionId }) => sessionId)).size)
        expect(vitals[0]!.percentiles).toEqual(PERCENTILES.map(percentile => interpolated(values, percentile)))
      }
    }, 60_000)

    it('order groups of errors of one millisecond by nanoseconds', async () => {
      const ns = newNamespace()
      const groups = 120
      // Newest last, so that order of names and of times are opposite.
      const items = Array.from({ length: groups * 2 }, (_, i) =>
        toError({ at: i, fingerprint: `f${String(i % groups).padStart(3, '0')}`, message: `m${i}` }, i)
      )
      await stores.events.appendErrors(ns, { ingestId: newIngestId(), items })
      await stores.events.settle(ns)
      const found = await stores.events.errorGroups(ns, { range: EVERY_TIME, filter: MATCH_ALL, limit: 10 }, NEVER)
      expect(found.hasMore).toBe(true)
      expect(found.groups.map(({ message, count }) => [message, count])).toEqual(
        Array.from({ length: 10 }, (_, i) => [`m${groups * 2 - 1 - i}`, 2])
      )
      expect(found.groups[0]).toMatchObject({ firstSeenNs: BASE_NS + 119n, lastSeenNs: BASE_NS + 239n })
    }, 60_000)
  })
}
