import { describe, expect, it } from '@jest/globals'
import type { IngestId } from '../../../src/domain/ids.js'
import { type AcceptDeps, RecordAcceptor } from '../../../src/ingest/accept-records.js'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { MAX_SLICE_MS, RECORDS_PER_LOOK } from '../../../src/ingest/timed-slices.js'
import type { IngestSignal } from '../../../src/ingest/signal.js'
import { FairScheduler } from '../../../src/ingest/fair-scheduler.js'
import { ManualTime } from '../../support/manual-time.js'
import { NS } from './items.js'

const RECORDS = 1_000
const MAX_MS = MAX_SLICE_MS + RECORDS_PER_LOOK * 4

interface Cost {
  /** What was worked in each turn of the event loop. */
  readonly turnsMs: readonly number[]
}

/** Accepts records, and values next to them, each of which takes so long to check. */
async function costOf(records: number, extra: number, recordMs: number, bodyBytes: number): Promise<Cost> {
  const time = new ManualTime()
  const turnsMs: number[] = []
  let startedMs = 0
  class CountedTurns extends FairScheduler {
    override async next(): Promise<void> {
      turnsMs.push(time.monotonicMs() - startedMs)
      await super.next()
      startedMs = time.monotonicMs()
    }
  }
  const signal: Pick<IngestSignal<{ index: number }>, 'parse' | 'note' | 'show' | 'retained'> = {
    retained: 'logs',
    parse(_raw, { index }) {
      time.pass(recordMs)
      return { index }
    },
    note: () => time.pass(recordMs),
    show: item => item
  }
  const deps: Partial<AcceptDeps> = {
    reader: {
      read: () => ({
        items: Array<unknown>(records).fill(null),
        namespace: undefined,
        metadata: Array<unknown>(extra).fill(null)
      })
    },
    resolve: () => ({ namespace: { id: NS, name: 'prod', retention: { logs: null } }, source: 'api_key' }) as never,
    rates: [],
    clock: time,
    newIngestId: () => 'i' as IngestId,
    scheduler: new CountedTurns(DEFAULT_INGEST_LIMITS.largeBodiesBytes),
    limits: DEFAULT_INGEST_LIMITS
  }
  const acceptor = new RecordAcceptor(signal as IngestSignal<{ index: number }>, deps as AcceptDeps)
  const request = {
    principal: { kind: 'user' } as never,
    body: Buffer.alloc(bodyBytes),
    form: 'json' as const,
    route: 'r',
    isDryRun: true,
    ack: 'durable' as const
  }
  const { reply } = await acceptor.accept(request, { namespaceResolved: () => undefined, rateTaken: () => undefined })
  expect(reply.accepted).toBe(records)
  turnsMs.push(time.monotonicMs() - startedMs)
  return { turnsMs }
}

const LARGE = DEFAULT_INGEST_LIMITS.sliceBytes + 1

describe('checking the records of a large body', () => {
  it('yields to the event loop by time, however few records that are', async () => {
    const { turnsMs } = await costOf(RECORDS, 0, 4, LARGE)
    expect(Math.max(...turnsMs)).toBeLessThan(MAX_MS)
    expect(turnsMs.reduce((sum, ms) => sum + ms)).toBe(RECORDS * 4)
  })

  it('yields as often between values next to the records', async () => {
    const { turnsMs } = await costOf(1, RECORDS, 4, LARGE)
    expect(Math.max(...turnsMs)).toBeLessThan(MAX_MS)
  })

  it('does not yield more often than it has to', async () => {
    const { turnsMs } = await costOf(RECORDS, 0, 1, LARGE)
    expect(turnsMs.length).toBeLessThanOrEqual(RECORDS / MAX_SLICE_MS + 2)
  })

  it('is done in one turn for an ordinary small body', async () => {
    const { turnsMs } = await costOf(4, 4, 1, LARGE - 1)
    expect(turnsMs).toEqual([8])
  })
})

describe('checking the costly records of a small body', () => {
  it('yields to the event loop, too', async () => {
    const { turnsMs } = await costOf(100, 0, 4, LARGE - 1)
    expect(Math.max(...turnsMs)).toBeLessThan(MAX_MS)
  })
})
