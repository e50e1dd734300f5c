import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { IngestId, NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import type { MetricStore, SelectRequest } from '../../../src/ports/metric-store.js'
import { cachedSelects } from '../../../src/stores/metrics/cached-selects.js'
import { PlainStore } from '../../support/plain-store.js'

const NS = 'n1' as NamespaceId
const OTHER = 'n2' as NamespaceId
const NEVER = new AbortController().signal
const NS_PER_MS = 1_000_000n

function open(maxBytes = 1e6): { readonly plain: PlainStore; readonly cached: MetricStore; readonly clock: { now: number } } {
  const plain = new PlainStore()
  const clock = { now: 0 }
  const cached = cachedSelects(plain as unknown as MetricStore, maxBytes, { monotonicMs: () => clock.now })
  return { plain, cached, clock }
}

function point(series: string, ms: number, value: number): MetricPoint {
  const labels = [{ name: 's', value: series }]
  return { index: 0, name: 'm', type: 'gauge', labels, timestampNs: BigInt(ms) * NS_PER_MS, value }
}

function write(store: Pick<MetricStore, 'append'>, ...points: readonly MetricPoint[]) {
  return store.append(NS, { ingestId: 'i' as IngestId, items: points })
}

function request(from: number, to: number, changes: Partial<SelectRequest> = {}): SelectRequest {
  const range = { startNs: BigInt(from) * NS_PER_MS, endNs: BigInt(to) * NS_PER_MS }
  return { matchers: [{ name: '__name__', op: 'eq', value: 'm' }], range, maxSeries: 10, maxSamples: 100, ...changes }
}

async function read(store: Pick<MetricStore, 'select'>, from: number, to: number, ns = NS): Promise<readonly string[]> {
  const series = await store.select(ns, request(from, to), NEVER)
  return series.map(({ labels, timestampsNs, values }) => {
    return `${labels[0]!.value}:${Array.from(values, (value, i) => `${value}@${timestampsNs[i]! / NS_PER_MS}`).join(' ')}`
  })
}

describe('what selectors read last', () => {
  it('is read once, and later only what is new', async () => {
    const { plain, cached } = open()
    await write(cached, point('a', 10, 1), point('b', 20, 2))
    expect(await read(cached, 0, 30)).toEqual(['a:1@10', 'b:2@20'])
    expect(await read(cached, 5, 15)).toEqual(['a:1@10'])
    await write(cached, point('a', 30, 3), point('c', 31, 4))
    expect(await read(cached, 10, 40)).toEqual(['a:1@10 3@30', 'b:2@20', 'c:4@31'])
    await write(cached, point('a', 20, 9))
    expect(await read(cached, 10, 40)).toEqual(['a:1@10 9@20 3@30', 'b:2@20', 'c:4@31'])
    expect(plain.requested).toEqual(['0-30', '30-40', '20-40'])
  })

  it('is forgotten where it may be wrong', async () => {
    const { plain, cached, clock } = open()
    await write(cached, point('a', 10, 1))
    await read(cached, 0, 30)
    await cached.deleteBefore(NS, 11n * NS_PER_MS)
    expect(await read(cached, 0, 30)).toEqual([])
    await write(cached, point('a', 20, 1))
    expect(await read(cached, 0, 30)).toEqual(['a:1@20'])
    await cached.dropNamespace(NS)
    expect(await read(cached, 0, 30)).toEqual([])
    plain.isBroken = true
    await expect(write(cached, point('a', 20, 2))).rejects.toThrow('broken')
    expect(await read(cached, 0, 30)).toEqual(['a:2@20'])
    // The engine may still be at it.
    await write(plain, point('a', 20, 3)).catch(() => undefined)
    expect(await read(cached, 0, 30)).toEqual(['a:3@20'])
    clock.now += 120_000
    plain.requested.length = 0
    for (let i = 0; i < 3; i++) await read(cached, 0, 30)
    expect(plain.requested).toEqual(['0-30'])
  })

  it('belongs to a namespace and to a selector', async () => {
    const { cached } = open()
    await write(cached, point('a', 10, 1))
    await read(cached, 0, 30)
    expect(await read(cached, 0, 30, OTHER)).toEqual([])
    const matchers = [{ name: 's', op: 'neq', value: 'a' } as const]
    expect(await cached.select(NS, request(0, 30, { matchers }), NEVER)).toEqual([])
  })

  it('is bounded in bytes, the last used stay', async () => {
    const { plain, cached } = open(4 * 1_250)
    const selector = (i: number): Partial<SelectRequest> => ({ matchers: [{ name: 's', op: 'neq', value: String(i) }] })
    await write(cached, point('a', 10, 1))
    for (const i of [1, 2, 3, 4, 1, 5, 1, 2]) await cached.select(NS, request(0, 30, selector(i)), NEVER)
    expect(plain.requested).toHaveLength(6)
    await write(cached, ...Array.from({ length: 9 }, (_, i) => point('a', i, 1)))
    for (let i = 0; i < 2; i++) await read(cached, 0, 30)
    expect(plain.requested).toHaveLength(8)
  })

  it('leaves it to the store to refuse what is too much', async () => {
    const { plain, cached } = open()
    await write(cached, point('a', 10, 1), point('a', 11, 1))
    await read(cached, 0, 30)
    await cached.select(NS, request(0, 30, { maxSamples: 1 }), NEVER)
    expect(plain.requested).toEqual(['0-30', '0-30'])
  })

  it('is what the store would return, whatever is written and read', async () => {
    const writes = fc.record({
      points: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 50 }), fc.integer()), { maxLength: 4 })
    })
    const reads = fc.record({ from: fc.integer({ min: 0, max: 50 }), span: fc.integer({ min: 0, max: 30 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(writes, reads), { maxLength: 40 }), async steps => {
        const { plain, cached } = open(10_000)
        for (const step of steps) {
          if ('points' in step) await write(cached, ...step.points.map(([series, ms, value]) => point(series, ms, value)))
          else
            expect(await read(cached, step.from, step.from + step.span)).toEqual(
              await read(plain, step.from, step.from + step.span)
            )
        }
      }),
      { numRuns: 500 }
    )
  })

  it('holds with a write during the read', async () => {
    const { plain, cached } = open()
    await write(cached, point('a', 10, 1))
    const reading = read(cached, 0, 30)
    await write(cached, point('a', 5, 2))
    await reading
    expect(await read(cached, 0, 30)).toEqual(await read(plain, 0, 30))
  })
})
