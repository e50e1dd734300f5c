import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { StreamGap } from '../../../../src/domain/log-stream.js'
import { applyBatch, type BatchOutcome, judgeBatch } from '../../../../src/ingest/streams/apply-batch.js'
import type { StreamBatch } from '../../../../src/ingest/streams/stream-batch.js'
import { STREAM_LIMITS } from '../../../../src/ingest/streams/stream-limits.js'
import type { StreamAccount } from '../../../../src/ports/stream-ledger.js'
import { NS } from '../items.js'

const AT_MS = 1_763_690_000_000
const NO_ORIGIN = { hostId: null, host: null, path: null, kind: null, service: null, head: null, anchor: null }

/** Batch `seq` of bytes `[from, to)`, with one line per byte. */
function batch(seq: number, from: number, to: number, changes: Partial<StreamBatch> = {}): StreamBatch {
  const place = { seq, from, to, firstLine: from + 1, lines: to - from }
  return { id: 'stream-1', ...NO_ORIGIN, ...place, sealedAtMs: AT_MS, gap: null, end: null, recovered: null, ...changes }
}

function outcome(of: StreamBatch, changes: Partial<BatchOutcome> = {}): BatchOutcome {
  return { batch: of, stored: of.lines, rejected: new Map(), dropped: 0, recovered: null, times: null, atMs: AT_MS, ...changes }
}

function after(outcomes: readonly BatchOutcome[], limits = STREAM_LIMITS): StreamAccount {
  let account: StreamAccount | null = null
  for (const one of outcomes) account = applyBatch(NS, account, one, limits)?.account ?? account
  return account!
}

const kindOf = (account: StreamAccount | null, of: StreamBatch): string => judgeBatch(account, of, STREAM_LIMITS).kind
const place = ({ from, to, lines, reason }: StreamGap): readonly unknown[] => [from, to, lines, reason]

describe('the ledger of a stream', () => {
  it('follows batches that continue each other', () => {
    const { stream, gaps, lastRun } = after([outcome(batch(1, 40, 45)), outcome(batch(2, 45, 50, { end: 'rotated' }))])
    expect(stream).toMatchObject({ nextSeq: 3, bytesFrom: 40, bytesTo: 50, firstLine: 41, lineTo: 50, lines: 10, end: 'rotated' })
    expect([gaps, lastRun]).toMatchObject([[], { from: 40, to: 50, lines: 10, stored: 10 }])
  })

  it('changes nothing for a repeat', () => {
    const account = after([outcome(batch(1, 0, 5)), outcome(batch(2, 5, 9))])
    for (const again of [batch(1, 0, 5), batch(2, 5, 9), batch(1, 0, 3)]) {
      expect(kindOf(account, again)).toBe('repeat')
      expect(applyBatch(NS, account, outcome(again), STREAM_LIMITS)).toBeNull()
    }
  })

  it('has the lines of a batch beyond an older one of the same place that another gateway stored meanwhile', () => {
    const account = after([outcome(batch(1, 0, 5)), outcome(batch(2, 5, 9))])
    const later = { sealedAtMs: AT_MS + 1 }
    const part = { lines: 20, stored: 20, bytesTo: 20, lineTo: 20, gapCount: 0 }
    for (const [longer, nextSeq] of [
      [batch(2, 5, 20, later), 3],
      [batch(3, 8, 20, later), 4],
      [batch(9, 8, 20, later), 10]
    ] as const) {
      const applied = applyBatch(NS, account, outcome(longer), STREAM_LIMITS)!
      expect(applied.account).toMatchObject({ stream: { ...part, nextSeq }, gaps: [] })
      expect(applied.change.stream).toEqual(applied.account.stream)
      expect(applied.change.runs).toMatchObject([{ from: 0, to: 20, lines: 20, stored: 20 }])
      expect(kindOf(applied.account, longer)).toBe('repeat')
    }
    const withoutRecords = applyBatch(NS, account, outcome(batch(2, 5, 20, later), { stored: 6 }), STREAM_LIMITS)!
    expect(withoutRecords.account.stream).toMatchObject({ lines: 20, stored: 11 })
    const others = [
      // Under the same ingest id a store keeps the records that came first.
      outcome(batch(2, 5, 20)),
      outcome(batch(2, 5, 20, later), { rejected: new Map([['invalid_field', 1]]), stored: 14 }),
      outcome(batch(2, 5, 20, later), { dropped: 1, stored: 14 }),
      outcome(batch(2, 5, 20, { ...later, gap: { from: 4, to: 5, lines: 1, reason: 'truncated' } })),
      // Its lines contradict its bytes.
      outcome(batch(2, 5, 20, { ...later, lines: 3 }))
    ]
    for (const one of others) expect(applyBatch(NS, account, one, STREAM_LIMITS)).toBeNull()
  })

  it('refuses bytes that are stored, and a late batch beyond its gap', () => {
    const account = after([outcome(batch(1, 0, 5)), outcome(batch(3, 9, 12))])
    for (const wrong of [batch(4, 11, 15), batch(2, 4, 9), batch(2, 5, 10)]) expect(kindOf(account, wrong)).toBe('conflict')
    const before = batch(4, 12, 15, { gap: { from: 11, to: 12, lines: 1, reason: 'truncated' } })
    expect(kindOf(account, before)).toBe('conflict')
  })

  it('has a gap where bytes were skipped, and none after the late batches', () => {
    const skipped = [outcome(batch(1, 0, 5)), outcome(batch(4, 20, 25))]
    expect(after(skipped).gaps.map(place)).toEqual([[5, 20, 15, 'skipped']])
    const one = [...skipped, outcome(batch(3, 12, 20))]
    expect(after(one).gaps.map(place)).toEqual([[5, 12, 7, 'skipped']])
    expect(kindOf(after(one), batch(3, 12, 20))).toBe('repeat')
    const { stream, gaps } = after([...one, outcome(batch(2, 5, 12))])
    expect([gaps, stream]).toMatchObject([[], { lines: 25, nextSeq: 5, bytesTo: 25, gapCount: 0 }])
  })

  it('keeps for good what a late batch leaves of a gap without a number that may come', () => {
    const account = after([outcome(batch(1, 0, 5)), outcome(batch(3, 20, 25)), outcome(batch(2, 8, 15))])
    expect(account.gaps.map(gap => [...place(gap), gap.missing])).toEqual([
      [5, 8, 3, 'skipped', null],
      [15, 20, 5, 'skipped', null]
    ])
  })

  it('has the gap that a sender declares, of unknown size and of none', () => {
    const unknown = { from: 5, to: 9, lines: null, reason: 'truncated' } as const
    const nothing = { from: 12, to: 12, lines: null, reason: 'deleted' } as const
    const account = after([
      outcome(batch(1, 0, 5)),
      outcome(batch(2, 9, 12, { firstLine: 6, gap: unknown })),
      outcome(batch(3, 12, 12, { firstLine: 9, gap: nothing, end: 'deleted' }))
    ])
    expect(account.gaps.map(place)).toEqual([
      [5, 9, null, 'truncated'],
      [12, 12, null, 'deleted']
    ])
    expect(account.stream).toMatchObject({ lines: 8, lineTo: 8, end: 'deleted' })
  })

  it('has a gap for each cause of rejected records', () => {
    const rejected = new Map([
      ['timestamp_too_old', 2],
      ['invalid_field', 1]
    ])
    const { stream, gaps } = after([outcome(batch(1, 0, 5), { stored: 2, rejected })])
    expect(gaps.map(gap => [...place(gap), gap.code])).toEqual([
      [0, 5, 2, 'too_old', 'timestamp_too_old'],
      [0, 5, 1, 'rejected', 'invalid_field']
    ])
    expect(stream).toMatchObject({ lines: 5, stored: 2, rejected: 3 })
  })

  it('knows nothing of what was before the first batch that it sees, and takes it when it comes late', () => {
    const account = after([outcome(batch(7, 60, 65))])
    expect(account.gaps.map(gap => [...place(gap), gap.missing])).toEqual([[0, 60, null, 'unknown', { first: 1, end: 7 }]])
    expect(kindOf(account, batch(6, 50, 60))).toBe('late')
  })

  it('begins a run after an hour, and where lines do not continue', () => {
    const late = outcome(batch(2, 5, 9), { atMs: AT_MS + STREAM_LIMITS.runMs })
    expect(after([outcome(batch(1, 0, 5)), late]).lastRun).toMatchObject({ from: 5, lines: 4 })
    const soon = { ...late, atMs: late.atMs - 1 }
    expect(after([outcome(batch(1, 0, 5)), soon]).lastRun).toMatchObject({ from: 0, lines: 9 })
    const renumbered = outcome(batch(2, 5, 9, { firstLine: 100 }))
    expect(after([outcome(batch(1, 0, 5)), renumbered]).lastRun).toMatchObject({ from: 5 })
  })

  it('opens an ended stream that goes on, and keeps what it knows of its origin', () => {
    const named = batch(1, 0, 5, { path: '/a', head: 'ab', end: 'rotated' })
    const { stream } = after([outcome(named), outcome(batch(2, 5, 9, { path: '/b' }))])
    expect(stream).toMatchObject({ end: null, path: '/b', head: 'ab' })
  })

  it('merges gaps of one cause over the limit, and takes no batch that would open one more', () => {
    const limits = { ...STREAM_LIMITS, gaps: 3 }
    const holes = [1, 3, 5, 7].map(seq => outcome(batch(seq, seq * 10, seq * 10 + 5)))
    const open = after(holes, limits)
    expect(open.gaps).toHaveLength(3)
    expect(judgeBatch(open, batch(9, 90, 95), limits).kind).toBe('conflict')
    expect(judgeBatch(open, batch(8, 75, 95), limits).kind).toBe('next')
    const declared = [1, 2, 3, 4, 5].map(seq => {
      const gap = { from: seq * 10 - 5, to: seq * 10, lines: 5, reason: seq === 3 ? 'deleted' : 'truncated' } as const
      return outcome(batch(seq, seq * 10, seq * 10 + 5, { gap }))
    })
    expect(after(declared, limits).gaps.map(gap => [...place(gap), gap.merged])).toEqual([
      [5, 40, 15, 'truncated', 3],
      [25, 30, 5, 'deleted', 1],
      [45, 50, 5, 'truncated', 1]
    ])
  })
})

/** What is sent in the property: a source of lines that is cut into batches, some of which are sent late, twice or never. */
const SENDING = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 25 }),
  order: fc.array(fc.nat({ max: 24 }), { maxLength: 80 })
})

describe('any sequence of batches', () => {
  it('gives the ledger that the set of arrived batches has', () => {
    fc.assert(
      fc.property(SENDING, ({ sizes, order }) => {
        let at = 0
        const batches = sizes.map((size, i) => batch(i + 1, at, (at += size)))
        let account: StreamAccount | null = null
        const arrived = new Set<number>()
        for (const index of [0, ...order.filter(i => i < batches.length)]) {
          const sent = batches[index]!
          expect(kindOf(account, sent) === 'repeat').toBe(arrived.has(sent.seq))
          account = applyBatch(NS, account, outcome(sent), STREAM_LIMITS)?.account ?? account
          arrived.add(sent.seq)
        }
        const { stream, gaps } = account!
        const last = batches[Math.max(...arrived) - 1]!
        const stored = batches.filter(({ seq }) => arrived.has(seq))
        expect(stream).toMatchObject({ nextSeq: last.seq + 1, bytesTo: last.to, lineTo: last.to })
        expect(stream.lines).toBe(stored.reduce((sum, { lines }) => sum + lines, 0))
        const missing = new Set(batches.filter(({ seq }) => seq < last.seq && !arrived.has(seq)).flatMap(bytesOf))
        const reported = gaps.flatMap(bytesOf)
        expect(new Set(reported)).toEqual(missing)
        expect(reported).toHaveLength(missing.size)
        expect(gaps.reduce((sum, { lines }) => sum + lines!, 0)).toBe(missing.size)
        expect(stream.gapCount).toBe(gaps.length)
      }),
      { numRuns: 500 }
    )
  })
})

function bytesOf({ from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}
