import { describe, expect, it } from '@jest/globals'
import type { LogStream, StreamGap, StreamRun } from '../../../src/domain/log-stream.js'
import { proofOf, type StreamProof } from '../../../src/query/streams/stream-proof.js'
import { IDLE_AFTER_MS, STALE_AFTER_MS, streamState } from '../../../src/query/streams/stream-state.js'

const TEN = Date.parse('2026-11-20T10:00:00Z')
const MINUTE = 60_000
const STREAM = { id: 'stream-1', host: 'web-1', path: '/var/log/syslog', lastAtMs: TEN + 60 * MINUTE } as LogStream

/** A run of ten lines of ten bytes, number `n`, written in ten minutes. */
function run(n: number): StreamRun {
  const [minMs, maxMs] = [TEN + n * 10 * MINUTE, TEN + (n + 1) * 10 * MINUTE - 1]
  return { from: n * 100, to: n * 100 + 100, firstLine: n * 10 + 1, lines: 10, stored: 9, minMs, maxMs, atMs: maxMs }
}

function gap(from: number, to: number, changes: Partial<StreamGap> = {}): StreamGap {
  const cause = { reason: 'skipped', code: null, missing: null, merged: 1 } as const
  return { no: 1, from, to, firstLine: null, lines: (to - from) / 10, atMs: TEN, ...cause, ...changes }
}

function prove(runs: readonly StreamRun[], gaps: readonly StreamGap[], window?: readonly [number, number]): Promise<StreamProof> {
  const ns = (minutes: number): bigint => BigInt(TEN + minutes * MINUTE) * 1_000_000n
  const range = window === undefined ? null : { startNs: ns(window[0]), endNs: ns(window[1]) }
  return proofOf({ stream: STREAM, lastRun: null, gaps }, range, async ({ from, limit }) =>
    runs.filter(one => one.from >= from).slice(0, limit)
  )
}

describe('the proof of a stream', () => {
  it('is that nothing is missing where there is no gap', async () => {
    expect(await prove([run(0), run(1)], [])).toMatchObject({
      complete: true,
      firstLine: 1,
      lastLine: 20,
      expected: 20,
      lines: 20,
      stored: 18,
      bytes: 200,
      sentence:
        'No line of /var/log/syslog on web-1 is missing between 2026-11-20T10:00:00.000Z and 2026-11-20T10:19:59.999Z: 20 lines, 200 bytes.'
    })
  })

  it('counts runs by the hundred thousand', async () => {
    const many = Array.from({ length: 150_000 }, (_, n) => run(n))
    expect(await prove(many, [])).toMatchObject({ complete: true, lines: 1_500_000, coveredMs: { min: TEN } })
  })

  it('finds the times of gaps among many runs without reading all of them for each gap', async () => {
    let reads = 0
    const many = Array.from({ length: 3_000 }, (_, n) => ({
      ...run(2 * n),
      get from() {
        reads++
        return n * 200
      }
    }))
    const gaps = Array.from({ length: 1_000 }, (_, n) => gap(n * 200 + 100, n * 200 + 200))
    const proof = await prove(many, gaps, [25, 35])
    expect([proof.lines, proof.gapsInWindow.map(({ from }) => from)]).toEqual([10, [100, 300]])
    expect(reads).toBeLessThan(100_000)
  })

  it('is what is missing and why', async () => {
    const proof = await prove(
      [run(0), run(2)],
      [gap(100, 200), gap(0, 100, { code: 'invalid_field', reason: 'rejected', lines: 1 })]
    )
    expect(proof).toMatchObject({ complete: false, lines: 20, expected: 30 })
    expect(proof.sentence).toMatch(/are missing: 10 lines \(skipped\), 1 lines \(rejected\)\. Arrived: 20 lines, 200 bytes\.$/)
  })

  it('reports that the size of a gap is unknown', async () => {
    const proof = await prove([run(0)], [gap(100, 100, { lines: null, reason: 'truncated', merged: 3 })])
    expect([proof.complete, proof.expected]).toEqual([false, null])
    expect(proof.sentence).toContain('an unknown number of lines in 3 places (truncated)')
  })

  it('counts what the window touches, and gaps whose lines can be of its time', async () => {
    const runs = [run(0), run(2), run(4)]
    const gaps = [gap(100, 200)]
    expect(await prove(runs, gaps, [41, 45])).toMatchObject({ complete: true, lines: 10, firstLine: 41 })
    expect(await prove(runs, gaps, [12, 18])).toMatchObject({ complete: false, lines: 0, expected: 10 })
    expect(await prove(runs, gaps, [5, 8])).toMatchObject({ complete: false, lines: 10, expected: 20 })
  })

  it('is incomplete where no line arrived', async () => {
    const proof = await prove([run(0)], [], [30, 40])
    expect([proof.complete, proof.coveredMs, proof.sentence]).toEqual([
      false,
      null,
      'No line of /var/log/syslog on web-1 arrived in this time.'
    ])
  })

  it('reads all runs of a long stream', async () => {
    const runs = Array.from({ length: 2_500 }, (_, n) => run(n))
    expect(await prove(runs, [])).toMatchObject({ lines: 25_000, lastLine: 25_000 })
  })
})

describe('the state of a stream', () => {
  it('is by its end and the time of its last batch', () => {
    const at = (quietMs: number): string => streamState({ end: null, lastAtMs: TEN }, TEN + quietMs)
    const times = [0, IDLE_AFTER_MS - 1, IDLE_AFTER_MS, STALE_AFTER_MS - 1, STALE_AFTER_MS]
    expect(times.map(at)).toEqual(['open', 'open', 'idle', 'idle', 'stale'])
    expect(streamState({ end: 'rotated', lastAtMs: TEN }, TEN)).toBe('ended')
  })
})
