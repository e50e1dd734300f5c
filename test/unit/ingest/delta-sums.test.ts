import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { DeltaSums } from '../../../src/ingest/delta-sums.js'

const NS = 'deltanamespace1' as NamespaceId
const OTHER = 'deltanamespace2' as NamespaceId
const LABELS = [{ name: 'a', value: 'b' }]

function add(sums: DeltaSums, of: readonly [NamespaceId, string, typeof LABELS], timeNs: bigint, delta: number): number {
  const [namespace, name, labels] = of
  return sums.add({ namespace, name, labels }, { timeNs, delta, nowNs: 100n + timeNs }).value
}

it('reports when a sum began: at the arrival of its first point', () => {
  const sums = new DeltaSums(10)
  const of = { namespace: NS, name: 'm', labels: LABELS }
  expect(sums.add(of, { timeNs: 5n, delta: 3, nowNs: 9n })).toEqual({ value: 3, startNs: 9n })
  expect(sums.add(of, { timeNs: 6n, delta: 4, nowNs: 12n })).toEqual({ value: 7, startNs: 9n })
})

it('adds up the points of a series, each once', () => {
  const sums = new DeltaSums(10)
  expect([1n, 2n, 2n, 1n, 3n].map(timeNs => add(sums, [NS, 'm', LABELS], timeNs, 5))).toEqual([5, 10, 10, 10, 15])
})

it('keeps series, metrics and namespaces apart', () => {
  const sums = new DeltaSums(10)
  add(sums, [NS, 'm', LABELS], 1n, 5)
  expect(add(sums, [NS, 'm', []], 2n, 1)).toBe(1)
  expect(add(sums, [NS, 'n', LABELS], 2n, 1)).toBe(1)
  expect(add(sums, [OTHER, 'm', LABELS], 2n, 1)).toBe(1)
})

it('forgets the series that was used least recently when there are too many', () => {
  const sums = new DeltaSums(2)
  for (const name of ['a', 'b', 'a', 'c']) add(sums, [NS, name, []], 1n, 5)
  expect(add(sums, [NS, 'b', []], 2n, 1)).toBe(1)
  expect(add(sums, [NS, 'c', []], 2n, 1)).toBe(6)
})
