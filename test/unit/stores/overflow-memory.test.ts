import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import { OverflowMemory } from '../../../src/stores/metrics/overflow-memory.js'
import { MEMBER_BYTES } from '../../../src/stores/metrics/overflow-series.js'
import { ManualTime } from '../../support/manual-time.js'

const NS = 'n1' as NamespaceId
const OTHER = 'n2' as NamespaceId
const HOUR_MS = 3_600_000
const NS_PER_MS = 1_000_000n

function openMemory(maxBytes = 1_000_000, namespaces: readonly NamespaceId[] = [NS]) {
  const clock = new ManualTime(10 * HOUR_MS)
  const memory = new OverflowMemory(clock, maxBytes)
  for (const ns of namespaces) memory.begin(ns, [])
  return { memory, clock }
}

function point(user: string, ms: number, value: number, rest: Partial<MetricPoint> = {}): MetricPoint {
  const labels = [{ name: 'user', value: user }]
  return { index: 0, name: 'hits', type: 'counter', labels, timestampNs: BigInt(ms) * NS_PER_MS, value, ...rest }
}

function countFolded(memory: OverflowMemory, ns: NamespaceId, points: readonly MetricPoint[]): number {
  const rounds = memory.add(ns, points)
  for (const { series } of rounds) series.noteWritten()
  return rounds.reduce((sum, round) => sum + round.points.length, 0)
}

it('adds up exactly what the counters rose, and never falls', () => {
  // Steps of some counters: how much each rises, or that it begins again.
  const steps = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.oneof(fc.nat({ max: 50 }), fc.constant('reset' as const))), {
    maxLength: 60
  })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 7 }), (walk, perRequest) => {
      const { memory } = openMemory()
      const values = new Map<number, number>()
      const written = new Map<bigint, number>()
      let rise = 0
      const points = walk.map(([user, step], i) => {
        const last = values.get(user)
        const value = step === 'reset' ? 1 : (last ?? 100) + step
        if (last !== undefined) rise += value >= last ? value - last : value
        values.set(user, value)
        return point(String(user), i, value)
      })
      for (let i = 0; i < points.length; i += perRequest) {
        for (const { samples } of memory.add(NS, points.slice(i, i + perRequest)))
          for (const { timestampNs, value } of samples) written.set(timestampNs, value)
      }
      const totals = [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
      expect(totals.at(-1) ?? 0).toBe(rise)
      expect(totals).toEqual([...totals].sort((a, b) => a - b))
    })
  )
})

it('has no room beyond its bound, a quarter of it for one namespace, and room again an hour later', () => {
  const { memory, clock } = openMemory(4 * 5 * MEMBER_BYTES, [NS, OTHER])
  const users = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const all = users.map(user => point(user, 1, 5))
  expect(countFolded(memory, NS, all)).toBe(5)
  expect(countFolded(memory, OTHER, all)).toBe(5)
  expect(countFolded(memory, NS, all)).toBe(5)
  expect(memory.size).toBe(10)
  clock.pass(HOUR_MS + 1)
  const g = [point('g', 2, 5), point('g', 3, 7)]
  expect(countFolded(memory, NS, g)).toBe(2)
  expect(memory.add(NS, [point('g', 4, 9)])[0]!.samples).toEqual([{ timestampNs: 4n * NS_PER_MS, value: 4 }])
  memory.drop(NS)
  expect(memory.size).toBe(0)
})

it('keeps a silent series that speaks again while room is made for another', () => {
  const { memory, clock } = openMemory(4 * 2 * MEMBER_BYTES)
  expect(countFolded(memory, NS, [point('a', 1, 5), point('b', 1, 5)])).toBe(2)
  clock.pass(HOUR_MS + 1)
  const rounds = memory.add(NS, [point('a', 2, 8), point('c', 3, 5)])
  expect(rounds[0]!.points).toHaveLength(2)
  expect(rounds[0]!.samples.at(-1)!.value).toBe(3)
})

it('does not count a series whole that may be one that it has forgotten', () => {
  const { memory, clock } = openMemory(4 * MEMBER_BYTES)
  const began = { startNs: clock.nowNs() + 1n }
  clock.pass(1)
  expect(memory.add(NS, [point('a', 1, 5, began)])[0]!.samples.at(-1)!.value).toBe(5)
  clock.pass(2 * HOUR_MS)
  expect(memory.add(NS, [point('b', 2, 5, began)])[0]!.samples.at(-1)!.value).toBe(5)
  expect(memory.add(NS, [point('b', 3, 6, began)])[0]!.samples.at(-1)!.value).toBe(6)
})

it('makes a thousand overflow series of a namespace at most', () => {
  const { memory, clock } = openMemory(10_000_000)
  const names = Array.from({ length: 1_001 }, (_, i) => point('a', 1, 1, { name: `m${i}` }))
  expect(countFolded(memory, NS, names)).toBe(1_000)
  const another = () => countFolded(memory, NS, [point('a', 1, 1, { name: 'another' })])
  expect(another()).toBe(0)
  clock.pass(HOUR_MS + 1)
  expect(another()).toBe(1)
})

it('goes on behind what was written of an overflow series that it has dropped', () => {
  const { memory, clock } = openMemory(10_000_000)
  countFolded(memory, NS, [point('a', 50, 1, { name: 'old' })])
  countFolded(
    memory,
    NS,
    Array.from({ length: 999 }, (_, i) => point('a', 1, 1, { name: `m${i}` }))
  )
  clock.pass(HOUR_MS + 1)
  expect(countFolded(memory, NS, [point('a', 1, 1, { name: 'another' })])).toBe(1)
  const [round] = memory.add(NS, [point('a', 40, 1, { name: 'old' })])
  expect(round!.samples).toEqual([
    { timestampNs: 51n * NS_PER_MS, value: 0 },
    { timestampNs: 52n * NS_PER_MS, value: 0 }
  ])
})

it('takes no more memory than it reports, however many labels the series have', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const maxBytes = 16 * 1024 * 1024
  const { memory } = openMemory(maxBytes)
  const labels = (i: number) => Array.from({ length: 10 }, (_, n) => ({ name: `label_${n}`, value: `value ${i} of ${n}` }))
  const before = used()
  let taken = 0
  for (let i = 0; i < 20_000; i++) taken += countFolded(memory, NS, [point('', 1, i, { labels: labels(i) })])
  expect(taken).toBe(maxBytes / 4 / MEMBER_BYTES)
  expect(used() - before).toBeLessThan(1.2 * (maxBytes / 4))
})

describe('gauges', () => {
  const DAY_MS = 24 * HOUR_MS
  const depth = (queue: string, ms: number, value: number) => point(queue, ms, value, { type: 'gauge' })
  const lastOf = (memory: OverflowMemory, points: readonly MetricPoint[]) => memory.add(NS, points)[0]!.samples.at(-1)!.value

  it('stay in the sum when the clock of one sender runs ahead', () => {
    const { memory, clock } = openMemory()
    expect(lastOf(memory, [depth('a', clock.nowMs() - 1, 5), depth('b', clock.nowMs(), 7)])).toBe(12)
    expect(lastOf(memory, [depth('fast', clock.nowMs() + HOUR_MS, 1)])).toBe(13)
    clock.pass(1_000)
    expect(lastOf(memory, [depth('a', clock.nowMs(), 6)])).toBe(14)
    // What came from the fast clock ends five minutes after it came.
    clock.pass(300_001)
    expect(lastOf(memory, [depth('a', clock.nowMs(), 2)])).toBe(2)
  })

  it('of yesterday are in no sum of today', () => {
    const { memory, clock } = openMemory()
    clock.pass(DAY_MS)
    expect(lastOf(memory, [depth('a', clock.nowMs(), 5)])).toBe(5)
    expect(lastOf(memory, [depth('old', clock.nowMs() - DAY_MS, 100), depth('a', clock.nowMs() - 1, 100)])).toBe(5)
    expect(lastOf(memory, [depth('b', clock.nowMs(), 7)])).toBe(12)
  })

  it('leave the sum within a request that spans a day', () => {
    const { memory, clock } = openMemory()
    const atMs = (ms: number) => clock.nowMs() - HOUR_MS + ms
    const points = [depth('a', atMs(0), 5), depth('b', atMs(1), 7), depth('a', atMs(300_002), 1), depth('b', atMs(300_003), 2)]
    const [round] = memory.add(NS, points)
    expect(round!.samples.map(({ value }) => value)).toEqual([5, 12, 1, 3])
    expect(round!.points).toHaveLength(4)
  })
})

it('writes what is ahead of the clock at the time of the clock', () => {
  const { memory, clock } = openMemory()
  const [round] = memory.add(NS, [point('a', clock.nowMs() + HOUR_MS, 1)])
  expect(round!.samples.at(-1)!.timestampNs).toBe(clock.nowNs())
})
