import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { InfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { bucketsNamed, influxApi, influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append, EVER, HOUR_NS, NOW_NS, point, select } from '../support/influx-points.js'
import { describeOn } from '../support/servers.js'
import { warningSentence } from '../../src/domain/warning.js'

const WARNING = /^metrics that were stored before .* may be missing: a bucket of the store was deleted$/
const LATER = { startNs: NOW_NS + HOUR_NS, endNs: NOW_NS + 2n * HOUR_NS }

function lacks({ gaps }: InfluxStores, ns: NamespaceId, range = EVER): readonly string[] {
  return gaps.of(ns, 'metrics', range).map(warningSentence)
}

async function values({ metrics }: InfluxStores, ns: NamespaceId): Promise<readonly number[]> {
  return (await select(metrics, ns)).flatMap(found => [...found.values])
}

describeOn('influx', 'buckets of InfluxDB that someone deleted', access => {
  let site: InfluxSite
  beforeAll(async () => {
    site = await openInfluxSite(access)
  })
  afterAll(() => site.close())

  async function deleteBucket(name: string): Promise<void> {
    for (const { id } of await bucketsNamed(access, name)) {
      await influxApi(access, `/api/v2/buckets/${id}`, { method: 'DELETE' })
    }
  }

  it('are not an empty response: the first read fails, later ones find what is left and report it', async () => {
    const ns = influxNamespace()
    const stores = await site.open()
    await append(stores.metrics, ns, [point(0, {})])
    expect([await values(stores, ns), lacks(stores, ns)]).toEqual([[0], []])
    await deleteBucket(`ns_${ns}`)
    await expect(select(stores.metrics, ns)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'a bucket of the metric store was deleted and its points are lost; retry to read the remaining ones'
    })
    expect([await values(stores, ns), lacks(stores, ns)]).toEqual([[], [expect.stringMatching(WARNING)]])
    expect(lacks(stores, ns, LATER)).toEqual([])
    expect(stores.gaps.of(ns, 'logs', EVER)).toEqual([])
  })

  it('are reported when a write makes them again, also after a restart and on other gateways', async () => {
    const ns = influxNamespace()
    const stores = await site.open()
    await append(stores.metrics, ns, [point(0, {})])
    await deleteBucket(`ns_${ns}`)
    expect(await append(stores.metrics, ns, [point(1, {})])).toMatchObject({ accepted: 1, failures: [] })
    expect([await values(stores, ns), lacks(stores, ns)]).toEqual([[1], [expect.stringMatching(WARNING)]])
    const other = await site.open()
    expect([await values(other, ns), lacks(other, ns)]).toEqual([[1], lacks(stores, ns)])
  })

  it('are reported when the first write after a restart makes them again', async () => {
    const ns = influxNamespace()
    await append((await site.open()).metrics, ns, [point(0, {})])
    await deleteBucket(`ns_${ns}`)
    const stores = await site.open()
    await append(stores.metrics, ns, [point(1, {})])
    expect([await values(stores, ns), lacks(stores, ns)]).toEqual([[1], [expect.stringMatching(WARNING)]])
  })

  it('are named by health, to operators with bucket and namespace, before they are made again and after', async () => {
    const own = await openInfluxSite(access)
    try {
      const ns = influxNamespace()
      const first = await own.open({ nameOf: () => 'shop' })
      await append(first.metrics, ns, [point(0, {})])
      expect(await first.health()).toMatchObject([{ healthy: true, detail: '' }])
      await deleteBucket(`ns_${ns}`)
      const detail = '1 of our buckets: deleted outside of the service; its records are lost'
      const reported = [{ healthy: true, detail, diagnosis: `${detail} (ns_${ns}; namespaces: shop)` }]
      const stores = await own.open({ nameOf: () => 'shop' })
      expect(await stores.health()).toMatchObject(reported)
      expect(lacks(stores, ns)).toEqual([expect.stringMatching(WARNING)])
      await append(stores.metrics, ns, [point(1, {})])
      expect(await (await own.open({ nameOf: () => 'shop' })).health()).toMatchObject(reported)
      await stores.metrics.dropNamespace(ns)
      expect(await (await own.open()).health()).toMatchObject([{ healthy: true, detail: '' }])
    } finally {
      await own.close()
    }
  })

  it('are missed by each namespace of a pool, and by none that came later', async () => {
    const own = await openInfluxSite(access)
    try {
      const [a, b, c] = [influxNamespace(), influxNamespace(), influxNamespace()] as const
      const stores = await own.open({ limits: { maxDedicated: 0 } })
      for (const ns of [a, b]) await append(stores.metrics, ns, [point(0, {})])
      await deleteBucket(own.poolBucket)
      await append(stores.metrics, c, [point(2, {})])
      expect(await values(stores, c)).toEqual([2])
      expect([a, b, c].map(ns => lacks(stores, ns).length)).toEqual([1, 1, 0])
    } finally {
      await own.close()
    }
  })

  it('are nothing of the sort when their namespace was deleted, or nothing was written yet', async () => {
    const [deleted, unwritten] = [influxNamespace(), influxNamespace()] as const
    const [stores, other] = [await site.open(), await site.open()]
    for (const { metrics } of [stores, other]) await append(metrics, deleted, [point(0, {})])
    await stores.metrics.dropNamespace(deleted)
    expect(await values(other, deleted)).toEqual([])
    for (const each of [stores, other]) {
      expect(await values(each, unwritten)).toEqual([])
      expect([lacks(each, deleted), lacks(each, unwritten)]).toEqual([[], []])
    }
  })
})
