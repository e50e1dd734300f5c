import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import { FoldMemory } from '../../../src/stores/fold-memory.js'

const NS = 'n1' as NamespaceId
const OTHER = 'n2' as NamespaceId
const HOUR_MS = 3_600_000
const NS_PER_MS = 1_000_000n

function openMemory(maxBytes = 1_000_000, namespaces: readonly NamespaceId[] = [NS]) {
  const clock = {
    ms: 10 * HOUR_MS,
    nowMs: () => clock.ms,
    monotonicMs: () => clock.ms,
    nowNs: () => BigInt(clock.ms) * NS_PER_MS
  }
  const memory = new FoldMemory(clock, maxBytes)
  for (const ns of namespaces) memory.begin(ns, [])
  return { memory, clock }
}

function point(user: string, ms: number, value: number, rest: Partial<MetricPoint> = {}): MetricPoint {
  const labels = [{ name: 'user', value: user }]
  return { index: 0, name: 'hits', type: 'counter', labels, timestampNs: BigInt(ms) * NS_PER_MS, value, ...rest }
}

function countFolded(memory: FoldMemory, ns: NamespaceId, points: readonly MetricPoint[]): number {
  const rounds = memory.fold(ns, points)
  for (const { series } of rounds) series.noteWritten()
  return rounds.reduce((sum, round) => sum + round.points.length, 0)
}

it('adds up exactly what the counters rose, and never falls', () => {
  // Steps of some counters: how much each rises, or that it begins anew.
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
        for (const { samples } of memory.fold(NS, points.slice(i, i + perRequest)))
          for (const { timestampNs, value } of samples) written.set(timestampNs, value)
      }
      const totals = [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
      expect(totals.at(-1) ?? 0).toBe(rise)
      expect(totals).toEqual([...totals].sort((a, b) => a - b))
    })
  )
})

it('has no room beyond its bound, a quarter of it for one namespace, and room again an hour later', () => {
  // 160 bytes and the key each: 5 have room in a quarter.
  const { memory, clock } = openMemory(4 * 5 * 200, [NS, OTHER])
  const users = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const all = users.map(user => point(user, 1, 5))
  expect(countFolded(memory, NS, all)).toBe(5)
  expect(countFolded(memory, OTHER, all)).toBe(5)
  expect(countFolded(memory, NS, all)).toBe(5)
  expect(memory.size).toBe(10)
  clock.ms += HOUR_MS + 1
  const g = [point('g', 2, 5), point('g', 3, 7)]
  expect(countFolded(memory, NS, g)).toBe(2)
  expect(memory.fold(NS, [point('g', 4, 9)])[0]!.samples).toEqual([{ timestampNs: 4n * NS_PER_MS, value: 4 }])
  memory.drop(NS)
  expect(memory.size).toBe(0)
})

it('keeps a silent series that speaks again while room is made for another', () => {
  const { memory, clock } = openMemory(4 * 2 * 200)
  expect(countFolded(memory, NS, [point('a', 1, 5), point('b', 1, 5)])).toBe(2)
  clock.ms += HOUR_MS + 1
  const rounds = memory.fold(NS, [point('a', 2, 8), point('c', 3, 5)])
  expect(rounds[0]!.points).toHaveLength(2)
  expect(rounds[0]!.samples.at(-1)!.value).toBe(3)
})

it('does not count a series whole that may be one that it has forgotten', () => {
  const { memory, clock } = openMemory(4 * 200)
  const began = { startNs: clock.nowNs() + 1n }
  clock.ms += 1
  expect(memory.fold(NS, [point('a', 1, 5, began)])[0]!.samples.at(-1)!.value).toBe(5)
  clock.ms += 2 * HOUR_MS
  expect(memory.fold(NS, [point('b', 2, 5, began)])[0]!.samples.at(-1)!.value).toBe(5)
  expect(memory.fold(NS, [point('b', 3, 6, began)])[0]!.samples.at(-1)!.value).toBe(6)
})

it('makes a thousand overflow series of a namespace at most', () => {
  const { memory, clock } = openMemory(10_000_000)
  const names = Array.from({ length: 1_001 }, (_, i) => point('a', 1, 1, { name: `m${i}` }))
  expect(countFolded(memory, NS, names)).toBe(1_000)
  const another = () => countFolded(memory, NS, [point('a', 1, 1, { name: 'another' })])
  expect(another()).toBe(0)
  clock.ms += HOUR_MS + 1
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
  clock.ms += HOUR_MS + 1
  expect(countFolded(memory, NS, [point('a', 1, 1, { name: 'another' })])).toBe(1)
  const [round] = memory.fold(NS, [point('a', 40, 1, { name: 'old' })])
  expect(round!.samples).toEqual([
    { timestampNs: 51n * NS_PER_MS, value: 0 },
    { timestampNs: 52n * NS_PER_MS, value: 0 }
  ])
})

it('writes what is ahead of the clock at the time of the clock', () => {
  const { memory, clock } = openMemory()
  const [round] = memory.fold(NS, [point('a', clock.ms + HOUR_MS, 1)])
  expect(round!.samples.at(-1)!.timestampNs).toBe(clock.nowNs())
})
