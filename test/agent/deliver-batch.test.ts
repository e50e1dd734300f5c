import { describe, expect, it } from '@jest/globals'
import type { AgentConfig, FileSource } from '../../agent/src/config/config.js'
import { batchBody } from '../../agent/src/deliver/batch-body.js'
import { type BatchDeps, deliverBatch, pinned } from '../../agent/src/deliver/deliver-batch.js'
import type { Position } from '../../agent/src/deliver/deliverer.js'
import type { Journal } from '../../agent/src/journal/journal.js'
import { toRecord } from '../../agent/src/recover/to-records.js'

const NO_BYTES = { bytes: 0, sum: '' }
const LEDGER = { id: 'stream-1', path: '/a', nextSeq: 3, bytesTo: 10, lineTo: 2, head: null, anchor: null, isEnded: false }
const record = toRecord({ ...LEDGER, pending: null, firstAtMs: 1, lastAtMs: 2, sealedAtMs: 0, recovered: null }, '/a')
const PIN = { seq: 3, from: 10, to: 14, firstLine: 3, lines: 1, sum: '', gap: null, end: null }
const LINES = [{ text: 'abc', bytes: 4, isTruncated: false, isPartial: false }]

/** The stream after a batch that the service took, with what it replied. */
function delivered(reply: Partial<Position>) {
  const deps: BatchDeps = {
    journal: { note: async () => undefined } as unknown as Journal,
    clock: { nowMs: () => 5, elapsedMs: () => 5 },
    deliver: async () => ({ kind: 'stored', position: { nextSeq: 4, bytesTo: 14, lineTo: 3, ...reply }, rejected: 0 }),
    log: () => undefined,
    fingerprintAt: async () => NO_BYTES
  }
  return deliverBatch(deps, { record: pinned(record, PIN, 5), lines: LINES, source: {} as FileSource, anchor: NO_BYTES })
}

it('compares what followed the position of the service until nothing is left of it', async () => {
  expect(record.recovered).toEqual({ seq: 3, records: 0 })
  expect((await delivered({ recovered: { seq: 3, records: 1 } })).recovered).toEqual({ seq: 3, records: 1 })
  expect(await delivered({})).not.toHaveProperty('recovered')
})

it.each([
  ['nothing', {}],
  ['what the service states', { recovered: { seq: 3, records: 1 } }]
])('compares %s when the service is elsewhere', async (_, stated) => {
  const { recovered } = await delivered({ bytesTo: 12, ...stated })
  expect({ ...(recovered && { recovered }) }).toEqual(stated)
})

describe('the time of lines without one', () => {
  const HOUR_MS = 3_600_000
  const config = { namespace: null, host: 'h', tags: {} } as unknown as AgentConfig
  const source = { path: '/a', service: null, format: 'plain', level: null, tags: {} } as unknown as FileSource

  /** Of a batch that is sealed at a time, after one of another time. */
  const timeOf = (nowMs: number, beforeMs: number): unknown => {
    const batch = pinned({ ...record, sealedAtMs: beforeMs }, PIN, nowMs)
    const body = batchBody({ record: batch, pin: batch.pin, lines: LINES, source, anchor: NO_BYTES }, config, 'm')
    const { stream, logs } = JSON.parse(body.toString()) as { stream: { sealed_at: string }; logs: { timestamp: string }[] }
    expect(Date.parse(stream.sealed_at)).toBe(Math.max(nowMs, beforeMs + 1))
    return Date.parse(logs[0]!.timestamp)
  }

  it('is that of the batch before when the clock was set back by little, so that lines keep their order', () => {
    expect(timeOf(HOUR_MS, HOUR_MS + 59_999)).toBe(HOUR_MS + 60_000)
  })

  it('is not ahead of a clock that was set back by much', () => {
    expect(timeOf(HOUR_MS, HOUR_MS + 60_000)).toBe(HOUR_MS)
    expect(timeOf(HOUR_MS, 9_000 * HOUR_MS)).toBe(HOUR_MS)
  })
})
