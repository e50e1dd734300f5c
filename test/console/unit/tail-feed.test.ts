import { beforeEach, describe, expect, it } from '@jest/globals'
import { ApiError } from '../../../console/src/api/errors.js'
import type { LogTailSubscription } from '../../../console/src/api/generated/LogTail.js'
import type { Sink, Subscribe } from '../../../console/src/api/subscribe.js'
import { MAX_TAIL_ROWS, TailFeed } from '../../../console/src/logs/tail-feed.js'
import { ManualTime } from '../../support/manual-time.js'

type Record = LogTailSubscription['logTail']['records'][number]

interface Opened {
  readonly after: unknown
  readonly sink: Sink<LogTailSubscription>
  isStopped: boolean
}

let time: ManualTime
let opened: Opened[]
let feed: TailFeed

function record(id: number): Record {
  const rest = { service: null, host: null, source: null, traceId: null, spanId: null, fields: {}, tags: {} }
  return { id: String(id), timestamp: '2026-11-20T11:40:00Z', level: 'INFO', message: `m${id}`, ...rest }
}

function deliver(ids: readonly number[], cursor = 'c', dropped = 0): void {
  opened.at(-1)!.sink.onNext({ logTail: { records: ids.map(record), cursor, dropped } })
}

function fail(retryAfterMs: number | null): void {
  opened.at(-1)!.sink.onEnd(new ApiError('gone', { code: 'network', status: 0, retryAfterMs }))
}

function ids(): readonly number[] {
  return feed.state().rows.map(({ id }) => Number(id))
}

beforeEach(() => {
  time = new ManualTime()
  opened = []
  const subscribe: Subscribe = (_document, variables, _namespace, sink) => {
    const one: Opened = { after: (variables as { after: unknown }).after, sink: sink as never, isStopped: false }
    opened.push(one)
    return () => (one.isStopped = true)
  }
  feed = new TailFeed(subscribe, time, { namespace: 'shop', filter: {} })
  feed.start()
  opened[0].sink.onOpen()
})

describe('a live tail in the console', () => {
  it('shows each record once, and counts what was dropped', () => {
    deliver([1, 2])
    deliver([2, 3], 'd', 4)
    expect(ids()).toEqual([1, 2, 3])
    expect(feed.state()).toMatchObject({ status: 'live', received: 3, dropped: 4 })
  })

  it('keeps the latest records up to its limit', () => {
    deliver(Array.from({ length: MAX_TAIL_ROWS }, (_, i) => i))
    expect(ids()).toHaveLength(MAX_TAIL_ROWS)
    deliver([MAX_TAIL_ROWS, MAX_TAIL_ROWS + 1])
    expect(ids()).toHaveLength(MAX_TAIL_ROWS)
    expect([ids()[0], ids().at(-1)]).toEqual([2, MAX_TAIL_ROWS + 1])
    expect(feed.state().received).toBe(MAX_TAIL_ROWS + 2)
  })

  it('counts records once that it gets again after it no longer shows them', () => {
    const sent = Array.from({ length: 3 * MAX_TAIL_ROWS }, (_, i) => i)
    deliver(sent, 'here')
    fail(1_000)
    time.pass(500)
    opened[1].sink.onOpen()
    deliver(sent, 'there')
    expect(feed.state().received).toBe(sent.length)
    expect(ids()[0]).toBe(2 * MAX_TAIL_ROWS)
  })

  it('counts records once that it gets again among as many new ones', () => {
    const [old, fresh] = [0, 1].map(part => Array.from({ length: 5 * MAX_TAIL_ROWS }, (_, i) => 5 * part * MAX_TAIL_ROWS + i))
    deliver(old)
    deliver(fresh)
    deliver(old)
    expect(feed.state().received).toBe(10 * MAX_TAIL_ROWS)
  })

  it('connects again by its cursor, and reports that nothing is missing', () => {
    deliver([1], 'here')
    fail(1_000)
    expect(feed.state()).toMatchObject({ status: 'lost' })
    time.pass(500)
    expect(opened[1]).toMatchObject({ after: 'here' })
    opened[1].sink.onOpen()
    deliver([1, 2])
    expect(ids()).toEqual([1, 2])
    expect(feed.state()).toMatchObject({ status: 'live', resumed: 'complete' })
  })

  it('reports that records can be missing when it has no cursor yet', () => {
    fail(1_000)
    time.pass(500)
    opened[1].sink.onOpen()
    expect(feed.state().resumed).toBe('from now')
  })

  it('waits longer after each failure, up to eight seconds', () => {
    for (const waitMs of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
      const before = opened.length
      fail(1_000)
      time.pass(waitMs - 1)
      expect(opened).toHaveLength(before)
      time.pass(1)
      expect(opened).toHaveLength(before + 1)
    }
  })

  it('ends with an error that does not pass', () => {
    fail(null)
    time.pass(60_000)
    expect(opened).toHaveLength(1)
    expect(feed.state()).toMatchObject({ status: 'failed', error: { message: 'gone' } })
  })

  it('replaces a connection that is silent', () => {
    deliver([1], 'here')
    time.pass(14_999)
    expect(opened).toHaveLength(1)
    time.pass(1)
    expect(opened[0].isStopped).toBe(true)
    expect(opened[1]).toMatchObject({ after: 'here' })
  })

  it('stops with its page, and goes on where it was', () => {
    deliver([1], 'here')
    feed.stop()
    time.pass(60_000)
    expect(opened).toHaveLength(1)
    feed.start()
    expect(opened[1]).toMatchObject({ after: 'here' })
  })
})
