import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { append, EVER, NOW_NS, point, select } from '../support/influx-points.js'
import { describeOn } from '../support/servers.js'

function bits(value: number): bigint {
  return new BigInt64Array(Float64Array.of(value).buffer)[0]!
}

describeOn('influx', 'what InfluxDB keeps', access => {
  let site: InfluxSite
  beforeAll(async () => {
    site = await openInfluxSite(access)
  })
  afterAll(() => site.close())

  describe.each([
    ['a bucket of its own', 20],
    ['a pool', 0]
  ])('a namespace in %s', (_title, maxDedicated) => {
    const text = fc.oneof(
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
    const anyLabels = fc.dictionary(text, text, { maxKeys: 5, noNullPrototype: true })
    const anyValue = fc.oneof(
      fc.double(),
      fc.constantFrom(0, -0, 1.1e-15, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.constantFrom(5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER)
    )
    const anyPoint = fc.record({ name: text, labels: anyLabels, value: anyValue })

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
})
