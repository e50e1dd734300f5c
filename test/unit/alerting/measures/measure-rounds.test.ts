import { describe, expect, it } from '@jest/globals'
import { MeasureReader } from '../../../../src/alerting/measures/measure-reader.js'
import { MeasureRounds } from '../../../../src/alerting/measures/measure-rounds.js'
import { TURN_BURST_MS, TURN_SHARE } from '../../../../src/alerting/measures/turn-budget.js'
import type { RecordedSample } from '../../../../src/alerting/schedule/recording.js'
import { GatewayError } from '../../../../src/domain/errors.js'
import { isDue, type SavedMeasure } from '../../../../src/domain/saved-measure.js'
import { namespace } from '../../../contract/control-fixtures.js'
import { MeasuredRecords, savedMeasure } from '../../../support/measured-records.js'
import { QUIET_MONITOR } from '../../../support/quiet-jobs.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const T0 = 1_000_000 * MINUTE_MS

/** Everything that is in progress ends: nothing here waits for more than promises. */
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Rounds over records and measures in memory. */
function bench(...measures: readonly SavedMeasure[]) {
  const stored = new Map(measures.map(measure => [measure.name, measure]))
  const store = new MeasuredRecords()
  const written: RecordedSample[] = []
  const at = { nowMs: T0, monotonicMs: 0 }
  const when = { written: { rejected: null as string | null, overflow: null as string | null }, reading: async () => undefined }
  let round: () => Promise<void> = () => Promise.resolve()
  const aggregate: typeof store.aggregate = async (...requested) => {
    const result = store.aggregate(...requested)
    await when.reading()
    return result
  }
  const clock = { nowMs: () => at.nowMs, nowNs: () => BigInt(at.nowMs) * 1_000_000n, monotonicMs: () => at.monotonicMs }
  const rounds = new MeasureRounds({
    measures: {
      due: async (_shards, nowMs) => [...stored.values()].filter(measure => isDue(measure, nowMs)),
      find: async (_ns, name) => stored.get(name) ?? null,
      replace: async measure => {
        const known = stored.get(measure.name)
        if (known?.id !== measure.id || known.version !== measure.version - 1) return false
        stored.set(measure.name, measure)
        return true
      }
    },
    reader: new MeasureReader({ logs: aggregate, spans: aggregate }, { select: async () => [] }),
    samples: {
      write: async (_ns, samples) => {
        written.push(...samples)
        return when.written
      }
    },
    leases: { held: () => [{ shard: 0 }] as never },
    directory: { byId: () => namespace('shop') },
    clock,
    jobs: {
      repeat: (_job, _everyMs, work) => {
        round = work
        return { stop: () => Promise.resolve() }
      },
      monitor: () => QUIET_MONITOR
    },
    reach: () => undefined
  })
  rounds.start()
  const pass = async (ms: number): Promise<void> => {
    at.nowMs += ms
    await round()
    await settled()
  }
  return { stored, store, written, when, at, pass, clock }
}

/** Steps of the requests since the last call. */
function stepsRead({ requests }: MeasuredRecords): readonly number[] {
  return requests.splice(0).map(({ grid }) => grid!.count)
}

const plain = (changes: Partial<SavedMeasure> = {}): SavedMeasure => savedMeasure(T0, { groupBy: [], ...changes })

describe('rounds of saved measures', () => {
  it('pass over a step that cannot be read, and keep why', async () => {
    const { stored, store, written, pass } = bench(savedMeasure(T0))
    store.records = [0, 1, 2].map(minute => ({
      atMs: T0 + minute * MINUTE_MS,
      group: 'ann',
      ...(minute === 1 && { poison: true })
    }))
    await pass(2 * MINUTE_MS + 10_000)
    const detail = 'a record is in 1600 groups'
    expect(stored.get('seen')).toMatchObject({
      ...{ countedMs: T0 + 2 * MINUTE_MS, error: detail },
      incomplete: { atMs: T0 + MINUTE_MS, detail: `not computed: ${detail}` }
    })
    await pass(MINUTE_MS)
    expect(stored.get('seen')).toMatchObject({ countedMs: T0 + 3 * MINUTE_MS, error: null })
    expect(written.map(({ atMs }) => (atMs - T0) / MINUTE_MS)).toEqual([1, 3])
  })

  it.each([
    ['removed', (stored: Map<string, SavedMeasure>) => stored.delete('seen')],
    ['created again', (stored: Map<string, SavedMeasure>) => stored.set('seen', plain({ id: 'second', countedMs: T0 + HOUR_MS }))]
  ])('write nothing of a measure that was %s while it was read', async (_how, change) => {
    const { stored, store, written, when, pass } = bench(plain())
    store.records = [{ atMs: T0 }]
    when.reading = async () => void change(stored)
    await pass(MINUTE_MS + 10_000)
    expect(store.requests.length).toBeGreaterThan(0)
    expect(written).toEqual([])
  })

  it('compute other measures of a namespace while one is hours behind', async () => {
    const { stored, when, at, pass } = bench(plain({ countedMs: T0 - 100 * HOUR_MS }), plain({ name: 'other', id: 'other' }))
    when.reading = async () => void (at.monotonicMs += 2 * TURN_BURST_MS)
    await pass(MINUTE_MS + 10_000)
    expect(stored.get('other')).toMatchObject({ countedMs: T0 })
    at.monotonicMs += TURN_BURST_MS / TURN_SHARE + 1
    await pass(1_000)
    expect(stored.get('other')).toMatchObject({ countedMs: T0 + MINUTE_MS })
  })

  it('state the steps that the retention has passed', async () => {
    const yearMs = 365 * 24 * HOUR_MS
    const { stored, pass } = bench(plain({ countedMs: T0 - yearMs }))
    await pass(0)
    const { incomplete } = stored.get('seen')!
    expect(incomplete!.detail).toBe(`not computed from ${new Date(T0 - yearMs).toISOString()}: the retention has passed`)
    expect(incomplete!.atMs).toBeGreaterThan(T0 - yearMs)
  })

  it('compute nothing while their namespace has spent its time, and go on afterwards', async () => {
    const { stored, when, at, pass } = bench(plain(), plain({ name: 'other', id: 'other' }))
    const counted = (): readonly number[] => [...stored.values()].map(({ countedMs }) => (countedMs - T0) / MINUTE_MS)
    when.reading = async () => void (at.monotonicMs += 2 * TURN_BURST_MS)
    await pass(MINUTE_MS + 10_000)
    expect(counted()).toEqual([1, 0])
    await pass(1_000)
    expect(counted()).toEqual([1, 0])
    at.monotonicMs += TURN_BURST_MS / TURN_SHARE + 1
    await pass(1_000)
    expect(counted()).toEqual([1, 1])
  })

  it('read nothing of a measure that was removed while it waited for its slot', async () => {
    const { stored, store, written, when, pass } = bench(plain(), plain({ name: 'other', id: 'other' }))
    store.records = [{ atMs: T0 }]
    when.reading = async () => void stored.delete('other')
    await pass(MINUTE_MS + 10_000)
    expect(stepsRead(store)).toEqual([1])
    expect(written.map(({ name }) => name)).toEqual(['seen'])
  })

  it('state when the limit of series of the namespace is reached', async () => {
    const { stored, when, pass } = bench(plain())
    when.written = { rejected: null, overflow: 'the namespace has 100 series' }
    await pass(3 * MINUTE_MS + 10_000)
    expect(stored.get('seen')).toMatchObject({
      ...{ countedMs: T0 + 3 * MINUTE_MS, error: null },
      incomplete: { atMs: T0 + 2 * MINUTE_MS, detail: 'the namespace has 100 series' }
    })
  })

  it('read fewer steps after a failure and then twice as many, but not fewer while the store is away', async () => {
    const { store, when, pass } = bench(plain())
    const failWith = (code: 'store_unavailable' | 'query_timeout') => () => Promise.reject(new GatewayError(code, 'broken'))
    when.reading = failWith('store_unavailable')
    await pass(55 * MINUTE_MS)
    expect(stepsRead(store)).toEqual([54])
    when.reading = failWith('query_timeout')
    for (const steps of [55, 27, 13]) {
      await pass(30_000)
      expect(stepsRead(store)).toEqual([steps])
    }
    when.reading = async () => undefined
    await pass(30_000)
    expect(stepsRead(store)).toEqual([6, 12, 24, 14])
  })

  it('go on when a clock that ran ahead is right again', async () => {
    const ahead = T0 + 100 * HOUR_MS
    const cursors = { countedMs: ahead, checkedMs: ahead, settledMs: ahead, dueMs: ahead + MINUTE_MS + 10_000 }
    const { stored, written, pass } = bench(plain(cursors))
    await pass(0)
    expect(stored.get('seen')).toMatchObject({ countedMs: T0, settledMs: T0, dueMs: T0 + MINUTE_MS + 10_000 })
    await pass(MINUTE_MS + 10_000)
    expect(written.map(({ atMs }) => atMs)).toEqual([T0 + MINUTE_MS])
  })

  it('let another measure of the namespace go first after each read of a backfill', async () => {
    const range = { fromMs: T0 - 2 * HOUR_MS, nextMs: T0 - 2 * HOUR_MS, untilMs: T0 }
    const { stored, written, pass } = bench(plain({ backfill: range }), plain({ name: 'other', id: 'other' }))
    await pass(MINUTE_MS + 10_000)
    const names = written.map(({ name }) => name)
    expect(names.lastIndexOf('other')).toBeLessThan(names.lastIndexOf('seen') - 50)
    expect(stored.get('seen')!.backfill!.nextMs).toBe(T0)
  })
})
