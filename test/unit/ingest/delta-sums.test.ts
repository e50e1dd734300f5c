import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { DeltaSums } from '../../../src/ingest/delta-sums.js'

const NS = 'deltanamespace1' as NamespaceId
const OTHER = 'deltanamespace2' as NamespaceId
const LABELS = [{ name: 'a', value: 'b' }]

it('adds up the points of a series, each once', () => {
  const sums = new DeltaSums(10)
  expect([1n, 2n, 2n, 1n, 3n].map(timeNs => sums.add(NS, 'm', LABELS, timeNs, 5))).toEqual([5, 10, 10, 10, 15])
})

it('keeps series, metrics and namespaces apart', () => {
  const sums = new DeltaSums(10)
  sums.add(NS, 'm', LABELS, 1n, 5)
  expect(sums.add(NS, 'm', [], 2n, 1)).toBe(1)
  expect(sums.add(NS, 'n', LABELS, 2n, 1)).toBe(1)
  expect(sums.add(OTHER, 'm', LABELS, 2n, 1)).toBe(1)
})

it('forgets the series that was used least recently when there are too many', () => {
  const sums = new DeltaSums(2)
  for (const name of ['a', 'b', 'a', 'c']) sums.add(NS, name, [], 1n, 5)
  expect(sums.add(NS, 'b', [], 2n, 1)).toBe(1)
  expect(sums.add(NS, 'c', [], 2n, 1)).toBe(6)
})
