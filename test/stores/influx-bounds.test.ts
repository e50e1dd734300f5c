import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { GatewayError } from '../../src/domain/errors.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append, EVER, HOUR_NS, NEVER, NOW_NS, point } from '../support/influx-points.js'
import { describeOn } from '../support/servers.js'
import { quietJobs } from '../support/quiet-jobs.js'

describeOn('influx', 'bounds of the store on InfluxDB', access => {
  let site: InfluxSite
  beforeAll(async () => {
    site = await openInfluxSite(access)
  })
  afterAll(() => site.close())

  it('names the label with the most values when a namespace has too many series', async () => {
    const ns = influxNamespace()
    // Where other gateways write too, nothing is folded.
    const { metrics } = await site.open({ maxSeries: 3, limits: { catalogRefreshMs: 60_000 } })
    const items = [1, 2, 3, 4, 5].map(i => point(i, { pod: `p${i}`, zone: i < 3 ? 'a' : 'b' }))
    const reason = 'the namespace has reached its limit of 3 active series; the label "pod" has the most values, 4'
    expect(await append(metrics, ns, items)).toEqual({
      ...{ accepted: 3, deduplicated: 0 },
      failures: [
        { index: 4, reason, overBudgetAt: 3 },
        { index: 5, reason, overBudgetAt: 4 }
      ]
    })
    expect(await append(metrics, ns, items.slice(0, 3))).toMatchObject({ accepted: 3, failures: [] })
    await metrics.deleteBefore(ns, NOW_NS + 2n * HOUR_NS)
    expect(await append(metrics, ns, items.slice(3))).toMatchObject({ accepted: 2, failures: [] })
  })

  it('stops reading at the bound, at its own limit of time, and when the reader goes away', async () => {
    const ns = influxNamespace()
    const { metrics } = await site.open()
    const items = Array.from({ length: 10_000 }, (_, i) => point(i, { i: String(i % 50) }, { timestampNs: NOW_NS + BigInt(i) }))
    await append(metrics, ns, items)
    const request = { matchers: [], range: EVER, maxSeries: 50, maxSamples: 10_000 }
    expect(await metrics.select(ns, request, NEVER)).toHaveLength(50)
    await expect(metrics.select(ns, { ...request, maxSamples: 9_999 }, NEVER)).rejects.toMatchObject({
      code: 'query_unsupported'
    })
    await expect(metrics.select(ns, { ...request, maxSeries: 49 }, NEVER)).rejects.toMatchObject({ code: 'query_unsupported' })
    const controller = new AbortController()
    const reading = metrics.select(ns, request, controller.signal)
    setImmediate(() => controller.abort(new Error('gone')))
    await expect(reading).rejects.toThrow('gone')
    const hasty = await site.open({ limits: { queryTimeoutMs: 1 } })
    await expect(hasty.metrics.select(ns, request, NEVER)).rejects.toMatchObject({ code: 'query_timeout' })
    expect(await metrics.select(ns, request, NEVER)).toHaveLength(50)
  })

  it('survives reads that are given up at the moment when their response ends', async () => {
    const ns = influxNamespace()
    const { metrics } = await site.open()
    await append(metrics, ns, [point(0, {}), point(1, { a: 'b' })])
    const request = { matchers: [], range: EVER, maxSeries: 5, maxSamples: 5 }
    const outcomes = new Set<string>()
    for (let i = 0; i < 60; i++) {
      const controller = new AbortController()
      // The second sample is in the last bytes of the response.
      const tooMany = metrics.select(ns, { ...request, maxSamples: 1 }, NEVER)
      const aborted = metrics.select(ns, request, controller.signal)
      const whole = metrics.select(ns, request, NEVER)
      await tooMany.catch((error: GatewayError) => outcomes.add(error.code))
      controller.abort(new Error('gone'))
      await aborted.catch((error: Error) => outcomes.add(error.message))
      expect(await whole).toHaveLength(2)
    }
    expect(outcomes).toContain('query_unsupported')
  })

  it('refuses what does not fit the queue, and works on', async () => {
    const ns = influxNamespace()
    const stores = await site.open({ limits: { maxQueuedBytes: 1_000 } })
    const { metrics } = stores
    const appends = Array.from({ length: 30 }, (_, i) => append(metrics, ns, [point(0, { long: `${i}`.padStart(100, '0') })]))
    const outcomes = await Promise.allSettled(appends)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(30)
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } })
    expect(await stores.gauges()).toMatchObject({ queue_bytes: 0, queue_refused: refused.length, write_requests: 0 })
    expect(await append(metrics, ns, [point(0, {})])).toMatchObject({ accepted: 1 })
  })

  it('is unavailable, not broken, without its server or with a wrong token', async () => {
    const ns = influxNamespace()
    const open = (choices: { url?: string; token?: string; org?: string }) =>
      openInfluxStores({
        jobs: quietJobs(),
        ...{ url: access.url, org: access.org!, token: access.token!, clock: systemClock, maxSeries: 10 },
        ...{ catalog: site.control.series, places: site.control.places, retentionOf: () => null },
        ...choices
      })
    for (const choices of [{ url: 'http://127.0.0.1:1' }, { token: 'wrong' }, { org: 'absent' }]) {
      const stores = await open(choices)
      await expect(append(stores.metrics, ns, [point(0, {})])).rejects.toMatchObject({ code: 'store_unavailable' })
      await stores.close()
    }
    const gone = await open({ url: 'http://127.0.0.1:1' })
    expect(await gone.health()).toMatchObject([{ name: 'influxdb', healthy: false, latencyMs: null }])
    await gone.close()
    await gone.close()
    await expect(append(gone.metrics, ns, [point(0, {})])).rejects.toMatchObject({ code: 'store_unavailable' })
    const well = await site.open()
    expect(await well.health()).toMatchObject([{ name: 'influxdb', healthy: true, detail: '' }])
    expect(await append(well.metrics, ns, [point(0, {})])).toMatchObject({ accepted: 1 })
  })
})
