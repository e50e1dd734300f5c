import { expect, it } from '@jest/globals'
import type { AggregateResult } from '../../../src/domain/aggregate.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import { aggregatedLogs } from '../../../src/query/aggregate/aggregated-records.js'
import { Aggregation } from '../../../src/query/aggregate/aggregation.js'
import { LargeReads } from '../../../src/query/large-reads.js'
import { systemClock } from '../../../src/telemetry/system-clock.js'

const namespace = (id: string) => ({ id, retention: DEFAULT_RETENTION }) as unknown as Namespace

const NOTHING: AggregateResult = {
  rows: [],
  other: null,
  groups: { value: 0, relation: 'eq' },
  relativeError: 0,
  complete: true,
  warnings: []
}

it('computes one aggregation of a namespace at a time', async () => {
  const largeReads = new LargeReads()
  const begun: string[] = []
  const aggregate = async (ns: string) => {
    begun.push(ns)
    return NOTHING
  }
  const aggregation = new Aggregation(aggregatedLogs({ aggregate }), { clock: systemClock, largeReads })
  const [a, b] = [namespace('a'), namespace('b')]
  const first = new AbortController().signal
  await aggregation.aggregate(a, {}, first)
  const second = aggregation.aggregate(a, {}, new AbortController().signal)
  await aggregation.aggregate(b, {}, new AbortController().signal)
  expect(begun).toEqual([a.id, b.id])
  largeReads.end(first)
  await second
  expect(begun).toEqual([a.id, b.id, a.id])
})
