import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import type { CatalogSeries, SeriesCatalog } from '../../../src/ports/series-catalog.js'
import { mostVaried } from '../../../src/stores/influxdb/series/most-varied.js'
import { NamespaceSeries } from '../../../src/stores/influxdb/series/namespace-series.js'
import { SeriesRegistry } from '../../../src/stores/influxdb/series/series-registry.js'
import { SeriesSaver } from '../../../src/stores/influxdb/series/series-saver.js'
import {
  mayHaveSamples,
  newSeries,
  noteSaved,
  seriesKey,
  toCatalog,
  touch,
  want
} from '../../../src/stores/influxdb/series/series.js'
import { BucketQueue } from '../../../src/stores/influxdb/write/bucket-queue.js'
import { type LineChunk, planLines } from '../../../src/stores/influxdb/write/plan-lines.js'
import type { Refusal } from '../../../src/stores/influxdb/write/send-lines.js'
import { QUIET_MONITOR } from '../../support/quiet-jobs.js'

const A = 'testnamespace01' as NamespaceId
const B = 'testnamespace02' as NamespaceId
const MINUTE_NS = 60_000_000_000n

function chunk(text: string): LineChunk {
  const lines = text.split('\n').slice(0, -1)
  return { text, sizeBytes: text.length, places: lines.map((_line, i) => i) }
}

/** Everything that follows from what has happened. */
function turn(): Promise<void> {
  return new Promise(setImmediate)
}

/** Requests that end when the test says so. */
function openQueue(limits: { requestPoints?: number; requestBytes?: number } = {}) {
  const sent: { text: string; answer(refusals?: readonly Refusal[]): void; fail(error: Error): void }[] = []
  const queue = new BucketQueue({
    ...{ requestPoints: 100, requestBytes: 1_000, maxRequests: 1, ...limits },
    send: text =>
      new Promise((resolve, reject) => {
        sent.push({ text, answer: (refusals = []) => resolve(refusals), fail: reject })
      })
  })
  return { queue, sent }
}

describe('the queue of a bucket', () => {
  it('sends at once what comes alone, and together what comes meanwhile', async () => {
    const { queue, sent } = openQueue()
    const first = queue.write(A, chunk('1\n'))
    const later = ['2\n', '3\n', '4\n'].map(text => queue.write(A, chunk(text)))
    expect(sent.map(({ text }) => text)).toEqual(['1\n'])
    sent[0]!.answer()
    expect(await first).toEqual([])
    await turn()
    sent[1]!.answer([{ line: 1, reason: 'bad' }])
    expect(await Promise.all(later)).toEqual([[], [{ line: 0, reason: 'bad' }], []])
    expect(sent.map(({ text }) => text)).toEqual(['1\n', '2\n3\n4\n'])
    expect(queue.isIdle).toBe(true)
  })

  it('lets namespaces take turns, however much one of them has', async () => {
    const { queue, sent } = openQueue({ requestPoints: 3 })
    void queue.write(A, chunk('0\n'))
    const texts = ['a\n', 'b\n', 'c\n', 'd\n', 'e\n']
    const all = [...texts.map(text => queue.write(A, chunk(text))), queue.write(B, chunk('B\n'))]
    sent[0]!.answer()
    for (let i = 1; i < 3; i++) {
      await turn()
      sent[i]!.answer()
    }
    await Promise.all(all)
    expect(sent.map(({ text }) => text)).toEqual(['0\n', 'a\nB\nb\n', 'c\nd\ne\n'])
  })

  it('keeps to its bounds, but takes one chunk of any size', async () => {
    const { queue, sent } = openQueue({ requestBytes: 6 })
    void queue.write(A, chunk('0\n'))
    const all = ['large, large\n', '1\n', '2\n', '3\n', '4\n'].map(text => queue.write(A, chunk(text)))
    for (let i = 0; i < 4; i++) {
      sent[i]!.answer()
      await turn()
    }
    await Promise.all(all)
    expect(sent.map(({ text }) => text)).toEqual(['0\n', 'large, large\n', '1\n2\n3\n', '4\n'])
  })

  it('fails all that travelled together, and goes on with the rest', async () => {
    const { queue, sent } = openQueue()
    const first = queue.write(A, chunk('1\n'))
    const second = queue.write(B, chunk('2\n'))
    sent[0]!.fail(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await turn()
    sent[1]!.answer()
    expect(await second).toEqual([])
  })

  it('refuses what waits for a namespace that goes', async () => {
    const { queue, sent } = openQueue()
    const running = queue.write(A, chunk('1\n'))
    const doomed = queue.write(A, chunk('2\n'))
    const other = queue.write(B, chunk('3\n'))
    queue.discard(A, new Error('deleted'))
    await expect(doomed).rejects.toThrow('deleted')
    sent[0]!.answer()
    await running
    await turn()
    sent[1]!.answer()
    await other
    expect(sent.map(({ text }) => text)).toEqual(['1\n', '3\n'])
  })
})

function point(labels: Readonly<Record<string, string>>, timestampNs = 0n): MetricPoint {
  const sorted = Object.entries(labels).map(([name, value]) => ({ name, value }))
  return { index: 0, name: 'cpu', type: 'gauge', labels: sorted, timestampNs, value: 1 }
}

describe('a plan of lines', () => {
  it('cuts a batch into chunks and numbers its lines', () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((host, index) => ({ ...point({ host }, BigInt(index)), index }))
    const plan = planLines(new NamespaceSeries(4), items, { pooledNs: A, oldestNs: 1n, maxChunkPoints: 2 })
    expect(plan.chunks.map(({ text, places }) => [text, places])).toEqual([
      [`cpu,_ns=${A},host=b value=1 1\ncpu,_ns=${A},host=c value=1 2\n`, [1, 2]],
      [`cpu,_ns=${A},host=d value=1 3\ncpu,_ns=${A},host=e value=1 4\n`, [3, 4]]
    ])
    expect(plan.failures).toEqual([{ index: 0, reason: "the point is older than the namespace's retention" }])
    expect(plan.chunks.map(({ text, sizeBytes }) => Buffer.byteLength(text) - sizeBytes)).toEqual([0, 0])
  })

  it('gives no place to a series that InfluxDB cannot hold', () => {
    const known = new NamespaceSeries(1)
    const items = [point({ long: 'x'.repeat(70_000) }), point({ host: 'a' })]
    const plan = planLines(known, items, { pooledNs: null, oldestNs: 0n, maxChunkPoints: 10 })
    expect(plan.failures).toEqual([{ index: 0, reason: 'the name and labels of the series are longer than InfluxDB takes' }])
    expect(known.size).toBe(1)
  })
})

describe('the bounds of a series in the catalog', () => {
  it('are told before a sample beyond them, and soon before they are reached', () => {
    const series = newSeries(point({}), 'k')
    const at = 1_000n * MINUTE_NS
    expect(want(series, at)).toBe('must')
    const row = toCatalog(series)
    expect([row.firstSeenNs, row.lastSeenNs]).toEqual([at - 10n * MINUTE_NS, at + 60n * MINUTE_NS])
    noteSaved(series, row)
    expect(want(series, at + 30n * MINUTE_NS)).toBe('none')
    expect(want(series, at + 31n * MINUTE_NS)).toBe('should')
    expect(want(series, at + 61n * MINUTE_NS)).toBe('must')
    expect(want(series, at - 10n * MINUTE_NS)).toBe('none')
    expect(want(series, at - 11n * MINUTE_NS)).toBe('must')
  })

  it('count where other gateways write too, and samples alone where none does', () => {
    const series = newSeries(point({}), 'k')
    want(series, 0n)
    noteSaved(series, toCatalog(series))
    touch(series, 0n)
    const later = { startNs: MINUTE_NS, endNs: 2n * MINUTE_NS }
    expect([mayHaveSamples(series, later, true), mayHaveSamples(series, later, false)]).toEqual([true, false])
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
    for (const series of made) want(series, 0n)
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

  it('says what went wrong until it goes well again', async () => {
    let isDown = true
    const catalog = {
      ...memoryCatalog(),
      save: () => (isDown ? Promise.reject(new Error('full')) : Promise.resolve())
    }
    const saver = new SeriesSaver(catalog, QUIET_MONITOR)
    const series = newSeries(point({}), 'k')
    want(series, 0n)
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

  it('tells series apart whose texts run together', () => {
    const keys = [point({ ab: 'c' }), point({ a: 'bc' }), point({ a: 'b', c: '' }), point({ a: 'b' })].map(seriesKey)
    expect(new Set(keys).size).toBe(3)
  })
})

describe('the label with the most values', () => {
  it.each([
    [
      [
        { a: '1', b: '1' },
        { a: '2', b: '1' }
      ],
      { label: 'a', values: 2 }
    ],
    [[{ b: '1' }, { b: '2' }, { a: '1' }, { a: '2' }], { label: 'a', values: 2 }],
    [[{}], null]
  ])('of %j', (labels, expected) => {
    expect(mostVaried(labels.map(each => point(each as Record<string, string>)))).toEqual(expected)
  })
})
