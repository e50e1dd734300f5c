import { expect, it } from '@jest/globals'
import type { CardinalityRequest } from '../../src/ports/metric-store.js'
import { type Sketch, store } from './metric-fixtures.js'
import { BASE_NS, describeStores, NEVER, newNamespace, type OpenStores } from './store-under-test.js'

const HOUR_AGO = 1_000
const DAY_AGO = 500
const REQUEST: CardinalityRequest = {
  ...{ order: 'series', limit: 10, withSavings: true },
  ...{ hourAgoNs: BASE_NS + BigInt(HOUR_AGO), dayAgoNs: BASE_NS + BigInt(DAY_AGO) }
}

/** 4 old series of 2 services and 2 pods, 2 of yesterday, 1 of this hour; one metric next to them. */
const SERIES: readonly Sketch[] = [
  { name: 'requests', labels: { service: 'a', pod: 'p1' } },
  { name: 'requests', labels: { service: 'a', pod: 'p2' } },
  { name: 'requests', labels: { service: 'b', pod: 'p1' } },
  { name: 'requests', labels: { service: 'b', pod: 'p2' } },
  { name: 'requests', labels: { service: 'a', pod: 'p3' }, at: DAY_AGO },
  { name: 'requests', labels: { service: 'a' }, at: HOUR_AGO - 1 },
  { name: 'requests', labels: { service: 'a', pod: 'p4', zone: 'z' }, at: HOUR_AGO },
  { name: 'up', labels: { job: 'c' }, at: HOUR_AGO }
]

/** Counting series by what they are made of. */
export function cardinalityContract(name: string, open: OpenStores): void {
  describeStores(`${name}: MetricStore.cardinality`, open, of => {
    it('counts series by metric, service and label, and those that are new', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, SERIES)
      const found = await of().metrics.cardinality(ns, REQUEST, NEVER)
      expect(found).toMatchObject({ series: 8, activeSeries: 8, newHour: 2, newDay: 4, overflowSeries: 0 })
      expect(found.metrics).toEqual([
        { name: 'requests', series: 7, newHour: 1, newDay: 3 },
        { name: 'up', series: 1, newHour: 1, newDay: 1 }
      ])
      expect(found.services).toEqual([
        { name: 'a', series: 5, newHour: 1, newDay: 3 },
        { name: 'b', series: 2, newHour: 0, newDay: 0 },
        { name: 'c', series: 1, newHour: 1, newDay: 1 }
      ])
      expect(
        found.labels.map(({ name, series, values, newValuesHour, newValuesDay }) => [
          name,
          series,
          values,
          newValuesHour,
          newValuesDay
        ])
      ).toEqual([
        ['pod', 6, 4, 1, 2],
        ['service', 7, 2, 0, 0],
        ['job', 1, 1, 1, 1],
        ['zone', 1, 1, 1, 1]
      ])
      expect(found.found).toEqual({ metrics: 2, services: 3, labels: 4 })
    })

    it('reports how many series would be left without a label', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, SERIES)
      const { labels } = await of().metrics.cardinality(ns, REQUEST, NEVER)
      // Without pod: {a}, {b}, {a, zone} and up. Without service: {p1}, {p2}, {p3}, {}, {p4, zone} and up.
      expect(Object.fromEntries(labels.map(({ name, seriesWithout }) => [name, seriesWithout]))).toEqual({
        ...{ pod: 4, service: 6, job: 8, zone: 8 }
      })
      const light = await of().metrics.cardinality(ns, { ...REQUEST, withSavings: false }, NEVER)
      expect(light.labels.every(({ seriesWithout }) => seriesWithout === null)).toBe(true)
    })

    it('keeps to a metric, an order and a limit', async () => {
      const ns = newNamespace()
      await store(of().metrics, ns, SERIES)
      const one = await of().metrics.cardinality(ns, { ...REQUEST, metric: 'up' }, NEVER)
      expect(one).toMatchObject({ series: 1, activeSeries: 8, labels: [{ name: 'job', seriesWithout: 1 }] })
      const hour = await of().metrics.cardinality(ns, { ...REQUEST, order: 'hour', limit: 1 }, NEVER)
      expect(hour).toMatchObject({ found: { metrics: 2, services: 3, labels: 4 }, labels: [{ name: 'pod' }] })
      expect([hour.metrics.length, hour.services.length, hour.labels.length]).toEqual([1, 1, 1])
      const day = await of().metrics.cardinality(ns, { ...REQUEST, order: 'day' }, NEVER)
      expect(day.labels.map(label => label.name)).toEqual(['pod', 'job', 'zone', 'service'])
    })

    it('handles a namespace that was never written, and keeps namespaces apart', async () => {
      const ns = newNamespace()
      await store(of().metrics, newNamespace(), SERIES)
      expect(await of().metrics.cardinality(ns, REQUEST, NEVER)).toMatchObject({ series: 0, activeSeries: 0, labels: [] })
    })
  })
}
