import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { formatNs } from '../../src/domain/timestamp.js'
import { find, store } from '../contract/log-fixtures.js'
import { BASE_NS, ingestIdAt } from '../contract/fresh-ids.js'
import { newNamespace } from '../contract/store-under-test.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { engineApi, openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'

const HOUR_MS = 3_600_000
const ON_HOST: Filter = { kind: 'eq', field: { in: 'known', name: 'host' }, value: 'new-host' }
const SEVERE: Filter = { kind: 'range', field: { in: 'known', name: 'severity_number' }, gte: '17' }

interface MadeIndex {
  readonly mappings: {
    readonly _meta: { readonly installation: string; readonly fields: string }
    readonly properties: Readonly<Record<string, { readonly properties: object }>>
  }
}

for (const server of SEARCH_SERVERS) {
  describeOn(server, `indices of earlier versions on ${server}`, access => {
    let site: ElasticsearchSite
    let ns: NamespaceId
    let index: string
    let made: MadeIndex
    const clock = new ClockAhead()

    beforeAll(async () => {
      site = await openElasticsearchSite(access, { placement: 'dedicated', search: 'exact' })
    })
    afterAll(() => site.close())
    beforeEach(async () => {
      ns = newNamespace()
      const { logs } = await site.open({ clock })
      await store(logs, ns, [{ message: 'of this version' }], ingestIdAt(clock.nowMs()))
      index = (await site.control.indices.of(ns, 'logs'))[0]!.index
      made = (await engineApi(access, 'GET', `/${index}`).then(reply => (reply as Record<string, MadeIndex>)[index]))!
    })

    /** Puts an index in the place of the one that was made: as an earlier version would have made it, with one log of its own. */
    async function becomesOld(properties: object): Promise<void> {
      const { installation } = made.mappings._meta
      const alias = index.replace('.app-', '.app.write-')
      await engineApi(access, 'DELETE', `/${index}`)
      await engineApi(access, 'PUT', `/${index}`, {
        settings: { index: { number_of_shards: 1, number_of_replicas: 0 } },
        mappings: { ...made.mappings, _meta: { installation }, properties: { ...made.mappings.properties, ...properties } },
        aliases: { [alias]: {} }
      })
      await engineApi(access, 'PUT', `/${alias}/_doc/old?refresh=true`, {
        '@timestamp': formatNs(BASE_NS),
        ...{ id: '00000000000000000000000000000000000', ns, message: 'old', 'event.severity': 18 }
      })
    }

    async function found(gateway: Awaited<ReturnType<ElasticsearchSite['open']>>, filter: Filter): Promise<readonly string[]> {
      return (await find(gateway.logs, ns, filter)).map(({ message }) => message).toSorted()
    }

    it('get the fields that they lack before anything is written to them', async () => {
      await becomesOld({ host: { properties: {} } })
      const gateway = await site.open({ clock })
      await store(gateway.logs, ns, [{ message: 'new', host: 'new-host' }], ingestIdAt(clock.nowMs()))
      expect(await found(gateway, ON_HOST)).toEqual(['new'])
      expect(await found(gateway, { kind: 'not', of: ON_HOST })).toEqual(['old'])
      const reply = (await engineApi(access, 'GET', `/${index}`)) as Record<string, MadeIndex>
      expect(reply[index]!.mappings._meta).toEqual(made.mappings._meta)
      expect(await site.control.indices.of(ns, 'logs')).toHaveLength(1)
    })

    it('get them from a gateway that runs already, when one of an earlier version made them since', async () => {
      const gateway = await site.open({ clock })
      await store(gateway.logs, ns, [{ message: 'first' }], ingestIdAt(clock.nowMs()))
      await becomesOld({ host: { properties: {} } })
      await gateway.upkeep()
      await store(gateway.logs, ns, [{ message: 'new', host: 'new-host' }], ingestIdAt(clock.nowMs()))
      expect(await found(gateway, ON_HOST)).toEqual(['new'])
    })

    it('are replaced by a new generation when they map a field otherwise, and are searched together with it', async () => {
      await becomesOld({ event: { properties: { severity: { type: 'short' } } } })
      const gateway = await site.open({ clock })
      await store(gateway.logs, ns, [{ message: 'meanwhile', severityNumber: 17 }], ingestIdAt(clock.nowMs()))
      await gateway.upkeep()
      const generations = await site.control.indices.of(ns, 'logs')
      expect(generations.map(({ number }) => number)).toEqual([1, 2])
      clock.aheadMs += HOUR_MS
      await store(gateway.logs, ns, [{ message: 'new', severityNumber: 19 }], ingestIdAt(clock.nowMs()))
      const reply = (await engineApi(access, 'GET', `/${generations[1]!.index}`)) as Record<string, MadeIndex>
      expect(reply[generations[1]!.index]!.mappings.properties['event']).toEqual({ properties: { severity: { type: 'byte' } } })
      expect(await found(gateway, SEVERE)).toEqual(['meanwhile', 'new', 'old'])
    })
  })
}
