import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { SeriesCatalog } from '../../src/ports/series-catalog.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { newIngestId } from '../contract/fresh-ids.js'
import { bucketsNamed, influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append, EVER, HOUR_NS, MINUTE_NS, NOW_NS, point, select } from '../support/influx-points.js'
import { ManualTime } from '../support/manual-time.js'
import { describeOn } from '../support/servers.js'
import { quietJobs } from '../support/quiet-jobs.js'

describeOn('influx', 'gateways on one InfluxDB', access => {
  let site: InfluxSite
  beforeAll(async () => {
    site = await openInfluxSite(access)
  })
  afterAll(() => site.close())

  it('knows all series after a restart, and places none of them in the future', async () => {
    const ns = influxNamespace()
    const clock = new ManualTime(Date.now())
    const first = await site.open({ clock })
    await append(first.metrics, ns, [
      point(0, { a: '1' }),
      point(1, { a: '2' }, { timestampNs: NOW_NS - HOUR_NS, type: 'counter' })
    ])
    const next = await site.open({ clock })
    const recent = { startNs: NOW_NS - MINUTE_NS, endNs: NOW_NS + MINUTE_NS }
    const { series } = await next.metrics.series(ns, [], EVER, 10)
    expect(series.map(({ type, labels }) => [type, labels[0]!.value])).toEqual([
      ['gauge', '1'],
      ['counter', '2']
    ])
    for (const { lastSeenNs } of series) expect(lastSeenNs <= clock.nowNs()).toBe(true)
    expect((await select(next.metrics, ns, recent)).map(({ labels }) => labels[0]!.value)).toEqual(['1'])
    // Within the bounds that the catalog already has nothing is saved again, and nothing is missed.
    await append(next.metrics, ns, [point(0, { a: '1' }, { timestampNs: NOW_NS + 20n * MINUTE_NS })])
    const third = await site.open({ clock })
    const later = { startNs: NOW_NS + 10n * MINUTE_NS, endNs: NOW_NS + HOUR_NS }
    expect((await select(third.metrics, ns, later)).map(({ labels }) => labels[0]!.value)).toEqual(['1'])
  })

  it('sees what another gateway writes: samples at once, new series within the refresh', async () => {
    const ns = influxNamespace()
    const clock = new ManualTime(Date.now())
    const choices = { clock, limits: { catalogRefreshMs: 15_000 } }
    const [a, b] = [await site.open(choices), await site.open(choices)]
    await append(a.metrics, ns, [point(0, { host: 'x' })])
    expect(await select(b.metrics, ns)).toHaveLength(1)
    // `a` knows of no sample in this range; only the bounds that it saved let it look.
    await append(b.metrics, ns, [point(0, { host: 'x' }, { timestampNs: NOW_NS + 10n * MINUTE_NS })])
    const later = { startNs: NOW_NS + MINUTE_NS, endNs: NOW_NS + HOUR_NS }
    expect(await select(a.metrics, ns, later)).toHaveLength(1)
    await append(b.metrics, ns, [point(0, { host: 'y' })])
    clock.pass(15_000)
    expect((await a.metrics.series(ns, [], EVER, 10)).series).toHaveLength(2)
    expect(await select(a.metrics, ns)).toHaveLength(2)
    // What one gateway deletes, the other forgets.
    await b.metrics.deleteBefore(ns, NOW_NS + 3n * HOUR_NS)
    clock.pass(15_000)
    expect((await a.metrics.series(ns, [], EVER, 10)).series).toEqual([])
    await b.metrics.dropNamespace(ns)
    clock.pass(15_000)
    await expect(append(a.metrics, ns, [point(0, {})])).rejects.toMatchObject({ code: 'namespace_deleted' })
  })

  it('refuses late writes of a deleted namespace on gateways that still know its bucket, and after a restart', async () => {
    const ns = influxNamespace()
    const [a, b] = [await site.open(), await site.open()]
    for (const { metrics } of [a, b]) await append(metrics, ns, [point(0, {})])
    await a.metrics.dropNamespace(ns)
    await a.metrics.dropNamespace(ns)
    await expect(append(b.metrics, ns, [point(0, {})])).rejects.toMatchObject({ code: 'namespace_deleted' })
    const fresh = await site.open()
    await expect(append(fresh.metrics, ns, [point(0, {})])).rejects.toMatchObject({ code: 'namespace_deleted' })
    expect(await select(fresh.metrics, ns)).toEqual([])
    expect(await bucketsNamed(access, `ns_${ns}`)).toEqual([])
  })

  it('acknowledges nothing that the catalog does not know, and takes it when it is sent again', async () => {
    const ns = influxNamespace()
    let isDown = true
    const { series } = site.control
    const failing: SeriesCatalog = {
      load: each => series.load(each),
      deleteBefore: (each, time) => series.deleteBefore(each, time),
      drop: each => series.drop(each),
      save: (each, rows) => (isDown ? Promise.reject(new Error('no room')) : series.save(each, rows))
    }
    const stores = await openInfluxStores({
      jobs: quietJobs(),
      ...{ url: access.url, org: access.org!, token: access.token!, clock: systemClock, maxSeries: 10 },
      ...{ catalog: failing, places: site.control.places, retentionOf: () => null }
    })
    const batch = { ingestId: newIngestId(), items: [point(0, {})] }
    await expect(stores.metrics.append(ns, batch)).rejects.toMatchObject({ code: 'store_unavailable' })
    const detail = 'the catalog of series could not be written'
    expect((await stores.health())[0]).toMatchObject({ healthy: true, detail, diagnosis: `${detail}: no room` })
    isDown = false
    expect(await stores.metrics.append(ns, batch)).toMatchObject({ accepted: 1, deduplicated: 0 })
    const fresh = await site.open()
    expect(await select(fresh.metrics, ns)).toHaveLength(1)
    await stores.close()
  })

  it('handles an append that arrives twice at once as one', async () => {
    const ns = influxNamespace()
    const { metrics } = await site.open({ maxSeries: 1, limits: { catalogRefreshMs: 60_000 } })
    const batch = { ingestId: newIngestId(), items: [point(0, {}), point(1, { a: 'b' })] }
    const [first, second] = await Promise.all([metrics.append(ns, batch), metrics.append(ns, batch)])
    expect(first).toMatchObject({ accepted: 1, deduplicated: 0, failures: [{ index: 1 }] })
    expect(second).toEqual({ accepted: 0, deduplicated: 1, failures: first.failures })
  })
})
