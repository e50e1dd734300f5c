import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { bucketsNamed, influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append, HOUR_NS, NOW_NS, point, select } from '../support/influx-points.js'
import { describeOn } from '../support/servers.js'

describeOn('influx', 'buckets of InfluxDB', access => {
  let site: InfluxSite
  beforeAll(async () => {
    site = await openInfluxSite(access)
  })
  afterAll(() => site.close())

  it('gives the first namespaces a bucket each and puts the 21st into the pool, whoever writes', async () => {
    const own = await openInfluxSite(access)
    try {
      const gateways = [await own.open(), await own.open()] as const
      const names = Array.from({ length: 21 }, () => influxNamespace())
      for (const [i, ns] of names.entries()) await append(gateways[i % 2]!.metrics, ns, [point(i, {})])
      const places = await own.control.places.all('influxdb')
      expect(names.map(ns => places.get(ns))).toEqual([...names.slice(0, 20).map(ns => `ns_${ns}`), own.poolBucket])
      for (const [i, ns] of names.entries()) {
        expect((await select(gateways[(i + 1) % 2]!.metrics, ns)).map(({ values }) => [...values])).toEqual([[i]])
      }
      await gateways[0].metrics.dropNamespace(names[3]!)
      const next = influxNamespace()
      await append(gateways[1].metrics, next, [point(0, {})])
      expect(await own.control.places.of('influxdb', next)).toBe(`ns_${next}`)
    } finally {
      await own.close()
    }
  })

  it('gives no more buckets than it may when many namespaces begin at once', async () => {
    const own = await openInfluxSite(access)
    try {
      const { metrics } = await own.open({ limits: { maxDedicated: 3 } })
      const names = Array.from({ length: 8 }, () => influxNamespace())
      await Promise.all(names.map(ns => append(metrics, ns, [point(0, {})])))
      const places = await own.control.places.all('influxdb')
      expect(names.filter(ns => places.get(ns) === own.poolBucket)).toHaveLength(5)
    } finally {
      await own.close()
    }
  })

  it('lets many first writers make one bucket', async () => {
    const ns = influxNamespace()
    const gateways = await Promise.all(Array.from({ length: 6 }, () => site.open()))
    const results = await Promise.all(gateways.map(({ metrics }, i) => append(metrics, ns, [point(0, { writer: String(i) })])))
    expect(results).toEqual(gateways.map(() => ({ accepted: 1, deduplicated: 0, failures: [] })))
    expect(await bucketsNamed(access, `ns_${ns}`)).toHaveLength(1)
    const fresh = await site.open()
    expect(await select(fresh.metrics, ns)).toHaveLength(6)
  })

  it('keeps a bucket a little longer than its namespace, and follows when that changes', async () => {
    const ns = influxNamespace()
    let keptMs: number | null = 3_600_000
    const { metrics } = await site.open({ retentionOf: () => keptMs })
    const rule = async () => {
      const buckets = (await bucketsNamed(access, `ns_${ns}`)) as unknown as { retentionRules: { everySeconds: number }[] }[]
      return buckets.map(({ retentionRules }) => retentionRules[0]!.everySeconds)
    }
    const old = point(0, { a: 'old' }, { timestampNs: NOW_NS - 2n * HOUR_NS })
    expect(await append(metrics, ns, [old, point(1, { a: 'new' })])).toEqual({
      ...{ accepted: 1, deduplicated: 0 },
      failures: [{ index: 0, reason: "the point is older than the namespace's retention" }]
    })
    expect(await rule()).toEqual([7_200])
    keptMs = 3 * 3_600_000
    expect(await append(metrics, ns, [old])).toMatchObject({ accepted: 1 })
    expect(await rule()).toEqual([4 * 3_600])
    keptMs = null
    await append(metrics, ns, [point(0, { a: 'new' })])
    expect(await rule()).toEqual([0])
  })
})
