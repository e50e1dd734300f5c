import { describe, expect, it } from '@jest/globals'
import { MAX_MEASURE_GROUPS, MeasureReader } from '../../../../src/alerting/measures/measure-reader.js'
import { MemoryMetrics } from '../../../../src/alerting/rule-tests/memory-metrics.js'
import type { SavedMeasure } from '../../../../src/domain/saved-measure.js'
import { MeasuredRecords, savedMeasure } from '../../../support/measured-records.js'

const MINUTE_MS = 60_000
const T0 = 1_000 * 3_600_000
const NEVER = new AbortController().signal

/** A reader over records, and the samples that it has written, of which a later one of the same time replaces the first. */
function bench(changes: Partial<SavedMeasure> = {}) {
  const store = new MeasuredRecords()
  const metrics = new MemoryMetrics()
  metrics.tillMs = Number.MAX_SAFE_INTEGER
  const reader = new MeasureReader({ logs: store.aggregate, spans: store.aggregate }, metrics)
  const measure = savedMeasure(T0, changes)
  const read = async (from: number, to: number) => {
    const measured = await reader.read(measure, { fromMs: T0 + from * MINUTE_MS, toMs: T0 + to * MINUTE_MS }, NEVER)
    for (const { name, labels, value, atMs } of measured.samples) metrics.add({ name, labels }, atMs, value)
    return measured
  }
  const stored = async (minute: number) => {
    const endNs = BigInt(T0 + minute * MINUTE_MS) * 1_000_000n
    const range = { startNs: endNs, endNs: endNs + 1n }
    const series = await metrics.select(null, { matchers: [], range, maxSeries: 1e9, maxSamples: 1e9 })
    return new Map(series.map(({ labels, values }) => [labels[0]?.value ?? '', values[0]!]))
  }
  return { store, read, stored }
}

const total = (values: ReadonlyMap<string, number>): number => [...values.values()].reduce((a, b) => a + b, 0)

describe('samples of a measure', () => {
  it('of steps next to one that cannot be read are as without it', async () => {
    const { store, read } = bench()
    store.records = [0, 1, 2, 3, 9].map(minute => ({ atMs: T0 + minute * MINUTE_MS, group: 'ann' }))
    store.records.push({ atMs: T0 + 2 * MINUTE_MS, group: 'bob', poison: true })
    const { samples, incomplete, error } = await read(0, 10)
    const ofMinutes = samples.map(({ atMs, value }) => [(atMs - T0) / MINUTE_MS, value])
    // Steps after it have zeros of the groups before them, as far as these can be read.
    expect(ofMinutes.filter(([, value]) => value === 1)).toEqual([1, 2, 4, 10].map(end => [end, 1]))
    expect(ofMinutes.filter(([, value]) => value === 0).at(-1)).toEqual([9, 0])
    expect(incomplete).toEqual({ atMs: T0 + 2 * MINUTE_MS, detail: 'not computed: a record is in 1600 groups' })
    expect(error?.message).toBe('a record is in 1600 groups')
  })

  it('count each record once when another group has more of them later', async () => {
    const { store, read, stored } = bench()
    const seen = (user: number, minute: number, times: number) =>
      Array.from({ length: times }, () => ({ atMs: T0 + minute * MINUTE_MS, group: `u${String(user).padStart(3, '0')}` }))
    // All of the limit have three records; the last one of them falls out when the next comes to four.
    for (let user = 0; user < MAX_MEASURE_GROUPS; user++) store.records.push(...seen(user, 0, 3))
    store.records.push(...seen(MAX_MEASURE_GROUPS, 0, 2))
    await read(0, 1)
    expect((await stored(1)).get('u099')).toBe(3)
    store.records.push(...seen(MAX_MEASURE_GROUPS, 0, 2))
    await read(0, 1)
    expect((await stored(1)).get('u099')).toBe(0)
    expect(total(await stored(1))).toBe(store.records.length)
    // In the next step all listed groups have a zero, as PromQL would look back at the step before.
    store.records.push(...seen(500, 1, 1))
    await read(1, 2)
    const next = await stored(2)
    expect([next.get('u000'), next.get('true'), next.get('u500')]).toEqual([0, 0, 1])
    // A zero has no zero after it.
    await read(2, 3)
    expect((await stored(3)).get('u099')).toBeUndefined()
  })

  it.each([
    [{ groupBy: [] }, 0],
    [{ fn: 'max' as const, field: 'ms' }, 0],
    [{}, 5]
  ])('of %j are read with %i steps before them', async (changes, before) => {
    const { store, read } = bench(changes)
    store.records = [{ atMs: T0 + 6 * MINUTE_MS, group: 'ann', value: 7 }]
    const { samples } = await read(6, 7)
    expect(store.requests.map(({ grid }) => grid!.count)).toEqual([1 + before])
    expect(samples).toHaveLength(1)
  })

  it('beyond the range of numbers are left out, and stated', async () => {
    const { store, read } = bench({ fn: 'sum', field: 'ms' })
    store.records = [1.7e308, 1.7e308].map(value => ({ atMs: T0, group: 'ann', value }))
    store.records.push({ atMs: T0, group: 'bob', value: 1 })
    const { samples, incomplete } = await read(0, 1)
    expect(samples.map(({ labels, value }) => [labels[0]!.value, value])).toEqual([['bob', 1]])
    expect(incomplete).toEqual({ atMs: T0, detail: 'a sum exceeds the range of numbers: it has no sample' })
  })
})
