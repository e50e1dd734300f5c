import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { Label, MetricPoint } from '../../src/domain/metric-point.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import type { Clock } from '../../src/ports/clock.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import type { SeriesCatalog } from '../../src/ports/series-catalog.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { newIngestId } from '../contract/store-under-test.js'
import {
  bucketsNamed,
  influxApi,
  influxNamespace,
  type InfluxSite,
  openInfluxSite,
  systemClock
} from '../support/influx-fixture.js'
import { describeOn } from '../support/servers.js'

const NOW_NS = BigInt(Date.now()) * 1_000_000n
const MINUTE_NS = 60_000_000_000n
const HOUR_NS = 60n * MINUTE_NS
const EVER: TimeRange = { startNs: -(1n << 63n), endNs: (1n << 63n) - 1n }
const { signal: NEVER } = new AbortController()

function labelsOf(labels: Readonly<Record<string, string>>): readonly Label[] {
  return Object.keys(labels)
    .sort()
    .map(name => ({ name, value: labels[name]! }))
}

function point(index: number, labels: Readonly<Record<string, string>>, rest: Partial<MetricPoint> = {}): MetricPoint {
  return { index, name: 'cpu', type: 'gauge', labels: labelsOf(labels), timestampNs: NOW_NS, value: index, ...rest }
}

function append(metrics: MetricStore, ns: NamespaceId, items: readonly MetricPoint[]) {
  return metrics.append(ns, { ingestId: newIngestId(), items })
}

function select(metrics: MetricStore, ns: NamespaceId, range = EVER, matchers: Parameters<MetricStore['series']>[1] = []) {
  return metrics.select(ns, { matchers, range, maxSeries: 1_000, maxSamples: 1_000_000 }, NEVER)
}

function bits(value: number): bigint {
  return new BigInt64Array(Float64Array.of(value).buffer)[0]!
}

/** A clock that stands where it is put. */
function handClock(): Clock & { now: number } {
  return {
    now: Date.now(),
    nowNs() {
      return BigInt(this.now) * 1_000_000n
    },
    nowMs() {
      return this.now
    },
    monotonicMs() {
      return this.now
    }
  }
}

describeOn('influx', 'InfluxDB', access => {
  let site: InfluxSite
  beforeAll(async () => {
    site = await openInfluxSite(access)
  })
  afterAll(() => site.close())

  describe.each([
    ['a bucket of its own', 20],
    ['a pool', 0]
  ])('a namespace in %s', (_title, maxDedicated) => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 6 }).map(units => String.fromCharCode(...units)),
      fc.constantFrom('_value', '_time', '_field', '_measurement', '_ns', '_start', '_stop', 'time', 'table', 'result', 'error'),
      fc.constantFrom(
        '__name',
        ' ',
        ',',
        '=',
        '"',
        '\\',
        'a\\',
        '\n',
        '\r\n',
        '#',
        '%',
        '%41',
        '\u2028',
        '😀',
        '${r}',
        '\ufeff',
        ',,0,'
      )
    )
    const anyLabels = fc.dictionary(anyText, anyText, { maxKeys: 5, noNullPrototype: true })
    const anyValue = fc.oneof(
      fc.double(),
      fc.constantFrom(0, -0, 1.1e-15, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.constantFrom(5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER)
    )
    const anyPoint = fc.record({ name: anyText, labels: anyLabels, value: anyValue })

    it('keeps every name, label and value as it was', async () => {
      const { metrics } = await site.open({ limits: { maxDedicated } })
      await fc.assert(
        fc.asyncProperty(fc.array(anyPoint, { minLength: 1, maxLength: 30 }), async sketches => {
          const ns = influxNamespace()
          const items = sketches.map(({ labels, ...rest }, i) => point(i, labels, { ...rest, timestampNs: NOW_NS + BigInt(i) }))
          expect(await append(metrics, ns, items)).toEqual({ accepted: items.length, deduplicated: 0, failures: [] })
          const found = (await select(metrics, ns)).flatMap(({ name, labels, timestampsNs, values }) =>
            [...timestampsNs].map((timestampNs, i) => ({ name, labels, timestampNs, bits: bits(values[i]!) }))
          )
          const sent = items.map(({ name, labels, timestampNs, value }) => ({ name, labels, timestampNs, bits: bits(value) }))
          expect(found.sort((a, b) => Number(a.timestampNs - b.timestampNs))).toEqual(sent)
          const one = items.at(-1)!
          const matchers = [
            { name: '__name__', op: 'eq' as const, value: one.name },
            ...one.labels.map(label => ({ ...label, op: 'eq' as const }))
          ]
          const same = await select(metrics, ns, EVER, matchers)
          expect(same.map(({ name, labels }) => ({ name, labels }))).toContainEqual({ name: one.name, labels: one.labels })
          await metrics.dropNamespace(ns)
        }),
        { numRuns: 25 }
      )
    })

    it('keeps the bits of every NaN, also of the mark that ends a series', async () => {
      const { metrics } = await site.open({ limits: { maxDedicated } })
      const ns = influxNamespace()
      const patterns = [0x7ff0000000000002n, 0x7ff8000000000000n, -0x8000000000000n, 0x7ff8dead00000001n, 0x7ff4000000000000n]
      const values = new Float64Array(BigInt64Array.from(patterns).buffer)
      const items = patterns.map((_bits, i) => ({ ...point(i, {}), value: values[i]!, timestampNs: NOW_NS + BigInt(i) }))
      await append(metrics, ns, items)
      const [series] = await select(metrics, ns)
      expect([...new BigInt64Array(series!.values.slice().buffer)]).toEqual(patterns)
    })

    it('lets a value replace a NaN and a NaN a value', async () => {
      const { metrics } = await site.open({ limits: { maxDedicated } })
      const ns = influxNamespace()
      for (const value of [Number.NaN, 1, Number.NEGATIVE_INFINITY, 1.1e-15, 2]) {
        await append(metrics, ns, [point(0, {}, { value })])
        expect((await select(metrics, ns))[0]!.values[0]).toBe(value)
      }
    })

    it('takes the first and the last nanosecond and refuses those beyond', async () => {
      const { metrics } = await site.open({ limits: { maxDedicated } })
      const ns = influxNamespace()
      const times = [-(1n << 63n) + 1n, -(1n << 63n) + 2n, 0n, (1n << 63n) - 3n, (1n << 63n) - 2n]
      const result = await append(
        metrics,
        ns,
        times.map((timestampNs, i) => point(i, {}, { timestampNs }))
      )
      expect(result).toMatchObject({ accepted: 3, failures: [{ index: 0 }, { index: 4 }] })
      expect([...(await select(metrics, ns))[0]!.timestampsNs]).toEqual(times.slice(1, 4))
      await metrics.deleteBefore(ns, 0n)
      expect([...(await select(metrics, ns))[0]!.timestampsNs]).toEqual(times.slice(2, 4))
      expect((await metrics.series(ns, [], { startNs: times[3]!, endNs: times[4]! }, 9)).series).toHaveLength(1)
    })
  })

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

  it('lets many first writers make one bucket', async () => {
    const ns = influxNamespace()
    const gateways = await Promise.all(Array.from({ length: 6 }, () => site.open()))
    const results = await Promise.all(gateways.map(({ metrics }, i) => append(metrics, ns, [point(0, { writer: String(i) })])))
    expect(results).toEqual(gateways.map(() => ({ accepted: 1, deduplicated: 0, failures: [] })))
    expect(await bucketsNamed(access, `ns_${ns}`)).toHaveLength(1)
    const fresh = await site.open()
    expect(await select(fresh.metrics, ns)).toHaveLength(6)
  })

  it('knows all series after a restart, and says of none that it lives in the future', async () => {
    const ns = influxNamespace()
    const clock = handClock()
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
    const clock = handClock()
    const choices = { clock, limits: { catalogRefreshMs: 15_000 } }
    const [a, b] = [await site.open(choices), await site.open(choices)]
    await append(a.metrics, ns, [point(0, { host: 'x' })])
    expect(await select(b.metrics, ns)).toHaveLength(1)
    // `a` knows of no sample in this range; only the bounds that it saved let it look.
    await append(b.metrics, ns, [point(0, { host: 'x' }, { timestampNs: NOW_NS + 10n * MINUTE_NS })])
    const later = { startNs: NOW_NS + MINUTE_NS, endNs: NOW_NS + HOUR_NS }
    expect(await select(a.metrics, ns, later)).toHaveLength(1)
    await append(b.metrics, ns, [point(0, { host: 'y' })])
    clock.now += 15_000
    expect((await a.metrics.series(ns, [], EVER, 10)).series).toHaveLength(2)
    expect(await select(a.metrics, ns)).toHaveLength(2)
    // What one gateway deletes, the other forgets.
    await b.metrics.deleteBefore(ns, NOW_NS + 3n * HOUR_NS)
    clock.now += 15_000
    expect((await a.metrics.series(ns, [], EVER, 10)).series).toEqual([])
    await b.metrics.dropNamespace(ns)
    clock.now += 15_000
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

  it('makes a bucket anew that someone has taken away', async () => {
    const ns = influxNamespace()
    const { metrics } = await site.open()
    await append(metrics, ns, [point(0, {})])
    const [bucket] = await bucketsNamed(access, `ns_${ns}`)
    await influxApi(access, `/api/v2/buckets/${bucket!.id}`, { method: 'DELETE' })
    expect(await select(metrics, ns)).toEqual([])
    expect(await append(metrics, ns, [point(1, {})])).toMatchObject({ accepted: 1 })
    expect((await select(metrics, ns)).map(({ values }) => [...values])).toEqual([[1]])
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

  it('names the label to blame when a namespace has too many series', async () => {
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
      ...{ url: access.url, org: access.org!, token: access.token!, clock: systemClock, maxSeries: 10 },
      ...{ catalog: failing, places: site.control.places, retentionOf: () => null }
    })
    const batch = { ingestId: newIngestId(), items: [point(0, {})] }
    await expect(stores.metrics.append(ns, batch)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect((await stores.health())[0]).toMatchObject({ healthy: true, detail: expect.stringContaining('no room') })
    isDown = false
    expect(await stores.metrics.append(ns, batch)).toMatchObject({ accepted: 1, deduplicated: 0 })
    const fresh = await site.open()
    expect(await select(fresh.metrics, ns)).toHaveLength(1)
    await stores.close()
  })

  it('answers one append that comes twice at once as one', async () => {
    const ns = influxNamespace()
    const { metrics } = await site.open({ maxSeries: 1, limits: { catalogRefreshMs: 60_000 } })
    const batch = { ingestId: newIngestId(), items: [point(0, {}), point(1, { a: 'b' })] }
    const [first, second] = await Promise.all([metrics.append(ns, batch), metrics.append(ns, batch)])
    expect(first).toMatchObject({ accepted: 1, deduplicated: 0, failures: [{ index: 1 }] })
    expect(second).toEqual({ accepted: 0, deduplicated: 1, failures: first.failures })
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

  it('survives reads that are given up at the moment when their answer ends', async () => {
    const ns = influxNamespace()
    const { metrics } = await site.open()
    await append(metrics, ns, [point(0, {}), point(1, { a: 'b' })])
    const request = { matchers: [], range: EVER, maxSeries: 5, maxSamples: 5 }
    const outcomes = new Set<string>()
    for (let i = 0; i < 60; i++) {
      const controller = new AbortController()
      // The second sample is in the last bytes of the answer.
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
        ...{ url: access.url, org: access.org!, token: access.token!, clock: systemClock, maxSeries: 10 },
        ...{ catalog: site.control.series, places: site.control.places, retentionOf: () => null },
        ...choices
      })
    for (const choices of [{ url: 'http://127.0.0.1:1' }, { token: 'wrong' }, { org: 'nobody' }]) {
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
