import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import type { CatalogSeries, SeriesCatalog } from '../../../src/ports/series-catalog.js'
import { SeriesRegistry } from '../../../src/stores/influxdb/series/series-registry.js'
import { SeriesSaver } from '../../../src/stores/influxdb/series/series-saver.js'
import {
  canHaveSamples,
  newSeries,
  noteSaved,
  storedSeriesKey,
  toCatalog,
  touch,
  catalogNeed
} from '../../../src/stores/influxdb/series/series.js'
import { QUIET_MONITOR } from '../../support/quiet-jobs.js'

const A = 'testnamespace01' as NamespaceId
const B = 'testnamespace02' as NamespaceId
const MINUTE_NS = 60_000_000_000n

/** Everything that follows from what has happened. */
function turn(): Promise<void> {
  return new Promise(setImmediate)
}

function point(labels: Readonly<Record<string, string>>, timestampNs = 0n): MetricPoint {
  const sorted = Object.entries(labels).map(([name, value]) => ({ name, value }))
  return { index: 0, name: 'cpu', type: 'gauge', labels: sorted, timestampNs, value: 1 }
}

describe('the bounds of a series in the catalog', () => {
  it('are saved before a sample beyond them, and soon before they are reached', () => {
    const series = newSeries(point({}), 'k')
    const at = 1_000n * MINUTE_NS
    expect(catalogNeed(series, at)).toBe('must')
    const row = toCatalog(series)
    expect([row.firstSeenNs, row.lastSeenNs]).toEqual([at - 10n * MINUTE_NS, at + 60n * MINUTE_NS])
    noteSaved(series, row)
    expect(catalogNeed(series, at + 30n * MINUTE_NS)).toBe('none')
    expect(catalogNeed(series, at + 31n * MINUTE_NS)).toBe('should')
    expect(catalogNeed(series, at + 61n * MINUTE_NS)).toBe('must')
    expect(catalogNeed(series, at - 10n * MINUTE_NS)).toBe('none')
    expect(catalogNeed(series, at - 11n * MINUTE_NS)).toBe('must')
  })

  it('count where other gateways write too, and samples alone where none does', () => {
    const series = newSeries(point({}), 'k')
    catalogNeed(series, 0n)
    noteSaved(series, toCatalog(series))
    touch(series, 0n)
    const later = { startNs: MINUTE_NS, endNs: 2n * MINUTE_NS }
    expect([canHaveSamples(series, later, true), canHaveSamples(series, later, false)]).toEqual([true, false])
  })
})

function memoryCatalog(rows: readonly CatalogSeries[] = []): SeriesCatalog & { loads: number; saves: CatalogSeries[][] } {
  return {
    loads: 0,
    saves: [],
    async *load() {
      this.loads++
      yield rows
    },
    save(_ns, series) {
      this.saves.push([...series])
      return Promise.resolve()
    },
    deleteBefore: () => Promise.resolve(),
    drop: () => Promise.resolve()
  }
}

describe('telling the catalog', () => {
  it('takes together what comes while it is busy, one namespace not waiting for another', async () => {
    const catalog = memoryCatalog()
    const waiting: (() => void)[] = []
    const slow: SeriesCatalog = {
      ...catalog,
      save: (_ns, series) => {
        catalog.saves.push([...series])
        return new Promise(resolve => waiting.push(resolve))
      }
    }
    const saver = new SeriesSaver(slow, QUIET_MONITOR)
    const made = ['1', '2', '3'].map(host => newSeries(point({ host }), host))
    for (const series of made) catalogNeed(series, 0n)
    const saves = made.map(series => saver.save(A, [series]))
    const other = saver.save(B, [made[0]!])
    await turn()
    expect(catalog.saves.map(({ length }) => length)).toEqual([3, 1])
    const next = saver.save(A, [made[2]!])
    await turn()
    expect(catalog.saves).toHaveLength(2)
    for (const done of waiting.splice(0)) done()
    await Promise.all([...saves, other])
    for (const done of waiting.splice(0)) done()
    await next
    await saver.idle(A)
    expect(catalog.saves.map(([row]) => row!.labels[0]!.value)).toEqual(['1', '1', '3'])
  })

  it('reports the failure until it succeeds again', async () => {
    let isDown = true
    const catalog = {
      ...memoryCatalog(),
      save: () => (isDown ? Promise.reject(new Error('full')) : Promise.resolve())
    }
    const saver = new SeriesSaver(catalog, QUIET_MONITOR)
    const series = newSeries(point({}), 'k')
    catalogNeed(series, 0n)
    await expect(saver.save(A, [series])).rejects.toThrow('full')
    expect(saver.trouble.diagnosis).toContain('full')
    expect(saver.trouble.detail).not.toContain('full')
    isDown = false
    await saver.save(A, [series])
    expect(saver.trouble).toEqual({ detail: '', diagnosis: '' })
  })
})

describe('the registry of series', () => {
  const clock = { nowNs: () => 0n, nowMs: () => 0, monotonicMs: () => 0 }
  const row: CatalogSeries = { name: 'cpu', type: 'gauge', labels: [], firstSeenNs: 0n, lastSeenNs: 9n }

  it('reads the catalog once for all who come at once, and forgets idle namespaces when it is full', async () => {
    const catalog = memoryCatalog([row])
    const registry = new SeriesRegistry({
      catalog,
      clock,
      maxSeries: 10,
      maxLoadedSeries: 2,
      refreshMs: null,
      refresh: QUIET_MONITOR
    })
    await Promise.all([registry.read(A), registry.read(A), registry.write(A, () => Promise.resolve())])
    expect(catalog.loads).toBe(1)
    await registry.read(B)
    await registry.write(B, async () => {
      await registry.read('testnamespace03' as NamespaceId)
    })
    expect(registry.size).toBe(2)
    expect([registry.peek(A), registry.peek(B)?.size]).toEqual([undefined, 1])
    await registry.read(A)
    expect(catalog.loads).toBe(4)
  })

  it('tries again after a catalog that failed', async () => {
    let isDown = true
    const good = memoryCatalog([row])
    const catalog: SeriesCatalog = {
      ...good,
      async *load(ns) {
        if (isDown) throw new Error('away')
        yield* good.load(ns)
      }
    }
    const registry = new SeriesRegistry({
      catalog,
      clock,
      maxSeries: 10,
      maxLoadedSeries: 2,
      refreshMs: null,
      refresh: QUIET_MONITOR
    })
    await expect(registry.read(A)).rejects.toThrow('away')
    isDown = false
    expect((await registry.read(A)).size).toBe(1)
  })

  it('distinguishes series whose strings are equal when joined', () => {
    const keys = [point({ ab: 'c' }), point({ a: 'bc' }), point({ a: 'b', c: '' }), point({ a: 'b' })].map(storedSeriesKey)
    expect(new Set(keys).size).toBe(3)
  })
})
