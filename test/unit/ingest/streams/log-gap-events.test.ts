import { beforeEach, describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import type { FoundGap, StreamGap } from '../../../../src/domain/log-stream.js'
import type { ServiceEvent } from '../../../../src/domain/service-event.js'
import { logGapEvent } from '../../../../src/ingest/streams/log-gap-event.js'
import {
  GAP_EVENT_DELAY_MS,
  GAP_EVENT_LATE_MS,
  GAP_EVENT_LIMITS,
  GAP_EVENT_LOOKBACK_MS,
  LogGapEvents
} from '../../../../src/ingest/streams/log-gap-events.js'
import type { FoundGapsRequest } from '../../../../src/ports/stream-ledger.js'
import { Changes } from '../../../support/changes.js'
import { ManualTime } from '../../../support/manual-time.js'
import { quietJobs } from '../../../support/quiet-jobs.js'
import { NS } from '../items.js'

const OTHER = 'other0000000000' as NamespaceId
const MINUTE_MS = 60_000
const ORIGIN = { namespaceId: NS, host: 'web-1', path: '/var/log/syslog', service: 'shop' }

function gap(atMs: number, changes: Partial<StreamGap> = {}): StreamGap {
  const place = { no: 1, from: 0, to: 9, firstLine: null, lines: 12 }
  return { ...place, reason: 'truncated', code: null, missing: null, merged: 1, atMs, ...changes }
}

let time: ManualTime
let gaps: FoundGap[]
let events: Map<string, ServiceEvent>
/** Namespaces whose events cannot be stored. */
let broken: Set<NamespaceId>
let kept: unknown[]
let reads: FoundGapsRequest[]
/** Since when gaps were looked for. */
let since: number[]
const news = new Changes()

beforeEach(() => {
  time = new ManualTime(Math.floor(1_763_700_000_000 / MINUTE_MS) * MINUTE_MS)
  ;[gaps, events, broken, kept, reads, since] = [[], new Map(), new Set(), [], [], []]
})

function add(id: string, changes: Partial<FoundGap> = {}): void {
  gaps.push({ ...ORIGIN, streamId: id, gap: gap(time.nowMs()), streams: 1, ...changes })
}

/** A ledger of the gaps, and a store of the events, as several gateways have them. */
function gateway(jobs = quietJobs()): LogGapEvents {
  const ledger = {
    found: async (request: FoundGapsRequest) => {
      reads.push(request)
      return gaps.filter(({ gap: { atMs } }) => atMs >= request.fromMs && atMs < request.toMs)
    },
    firstFound: async (fromMs: number) => {
      since.push(fromMs)
      const times = gaps.map(({ gap: { atMs } }) => atMs).filter(atMs => atMs >= fromMs)
      return times.length === 0 ? null : Math.min(...times)
    }
  }
  const store = {
    add: async (event: ServiceEvent) => {
      news.notify()
      if (broken.has(event.namespaceId)) throw new Error('the store is read-only')
      const key = `${event.namespaceId} ${event.id}`
      const isNew = !events.has(key)
      if (isNew) events.set(key, event)
      return isNew
    },
    keepNewest: async (...request: unknown[]) => void kept.push(request)
  }
  return new LogGapEvents({ ledger, events: store, clock: time, timers: time, jobs })
}

const titles = (): readonly (string | null)[] => [...events.values()].map(({ title }) => title)

describe('an event about missing lines', () => {
  const titleOf = (changes: Partial<FoundGap>, of: Partial<StreamGap> = {}): string | null =>
    logGapEvent({ ...ORIGIN, streamId: 'stream-1', gap: gap(5, of), streams: 1, ...changes }, 5).title

  it('names lines, path, host and reason', () => {
    expect(titleOf({})).toBe('12 lines of /var/log/syslog on web-1 are missing (truncated)')
    expect(titleOf({ host: null }, { lines: 1, reason: 'rejected', code: 'message_too_long' })).toBe(
      '1 line of /var/log/syslog is missing (rejected: message_too_long)'
    )
    expect(titleOf({ path: null }, { lines: null })).toBe(
      'An unknown number of lines of log stream stream-1 on web-1 are missing (truncated)'
    )
  })

  it('has bounded strings and a title of one line', () => {
    const long = { host: 'h'.repeat(5_000), path: `/a\n\u2028${'😀'.repeat(2_000)}`, service: 's'.repeat(5_000) }
    const event = logGapEvent({ ...ORIGIN, streamId: 's'.repeat(40), gap: gap(5), streams: 1, ...long }, 5)
    expect(event.title!.length).toBeLessThanOrEqual(1_024)
    expect(event.title).not.toMatch(/[\n\u2028]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    expect([event.service!.length, event.id.length <= 128]).toEqual([255, true])
    expect(event.attributes.every(({ value }) => value.length <= 1_024 && value.isWellFormed())).toBe(true)
  })
})

describe('events about gaps', () => {
  it('follow a gap shortly, once for each stream and minute, of whichever gateway', async () => {
    const [one, other] = [gateway(), gateway()]
    add('stream-1')
    one.wake()
    one.wake()
    time.pass(GAP_EVENT_DELAY_MS)
    await news.until(() => events.size === 1)
    await one.run()
    await other.run()
    expect([...events.values()]).toEqual([
      {
        ...{ namespaceId: NS, id: `log.gap:stream-1:${time.nowMs() / MINUTE_MS - GAP_EVENT_DELAY_MS / MINUTE_MS}` },
        ...{ type: 'log.gap', atMs: time.nowMs() - GAP_EVENT_DELAY_MS, service: 'shop', version: null, environment: null },
        ...{ title: '12 lines of /var/log/syslog on web-1 are missing (truncated)', url: null },
        attributes: Object.entries({
          ...{ host: 'web-1', lines: '12', path: '/var/log/syslog', reason: 'truncated', stream: 'stream-1' }
        }).map(([name, value]) => ({ name, value }))
      }
    ])
    expect(kept).toEqual([[NS, 'log.gap', GAP_EVENT_LIMITS.kept]])
    time.pass(MINUTE_MS)
    add('stream-1')
    await one.run()
    expect(events.size).toBe(2)
  })

  it('come late after a crash, with the time of their addition', async () => {
    add('stream-1')
    add('stream-2', { gap: gap(time.nowMs() - GAP_EVENT_LOOKBACK_MS - MINUTE_MS) })
    time.pass(GAP_EVENT_LATE_MS + 1)
    await gateway().run()
    const foundAt = new Date(time.nowMs() - GAP_EVENT_LATE_MS - 1).toISOString()
    expect([...events.values()]).toMatchObject([
      { atMs: time.nowMs(), attributes: expect.arrayContaining([{ name: 'found_at', value: foundAt }]) }
    ])
  })

  it('that are added later than rules wait for events have the time of their addition', async () => {
    add('stream-1')
    time.pass(15_001)
    await gateway().run()
    expect([...events.values()].map(({ atMs }) => atMs)).toEqual([time.nowMs()])
  })

  it('are all kept as long as a start adds them: none is added again', async () => {
    add('stream-1', { gap: gap(time.nowMs() - GAP_EVENT_LOOKBACK_MS) })
    await gateway().run()
    expect(reads).toHaveLength(GAP_EVENT_LOOKBACK_MS / MINUTE_MS + 1)
    expect(reads.length * (GAP_EVENT_LIMITS.streams + 1)).toBeLessThanOrEqual(GAP_EVENT_LIMITS.kept)
  })

  it('that could not be stored are repeated, and do not keep back those of other namespaces', async () => {
    const jobs = quietJobs()
    const one = gateway(jobs)
    broken.add(NS)
    add('stream-1')
    add('stream-2')
    add('stream-3', { namespaceId: OTHER })
    await jobs.run('log_gap_events', () => one.run())
    expect(jobs.states()).toMatchObject([{ job: 'log_gap_events', failures: 1 }])
    expect([...events.values()].map(({ namespaceId }) => namespaceId)).toEqual([OTHER])
    broken.clear()
    time.pass(10 * MINUTE_MS)
    await jobs.run('log_gap_events', () => one.run())
    expect([jobs.states()[0]!.failuresInARow, events.size]).toEqual([0, 3])
  })

  it('of many streams end with the number of these, when the minute is over', async () => {
    const one = gateway()
    add('stream-1', { streams: GAP_EVENT_LIMITS.streams + 1 })
    await one.run()
    expect(events.size).toBe(1)
    time.pass(MINUTE_MS)
    await one.run()
    await gateway().run()
    const from = new Date(time.nowMs() - MINUTE_MS).toISOString()
    expect(titles().slice(1)).toEqual([
      `Lines of ${GAP_EVENT_LIMITS.streams + 1} log streams are missing, found in the minute from ${from}; not each has an event`
    ])
  })

  it('are read from the first one on, again from shortly before the latest read, and no more after the end', async () => {
    const one = gateway()
    await one.run()
    expect(reads).toEqual([])
    add('stream-1', { gap: gap(time.nowMs() - MINUTE_MS) })
    await one.run()
    expect(since.map(fromMs => time.nowMs() - fromMs)).toEqual([GAP_EVENT_LOOKBACK_MS, 2 * MINUTE_MS])
    expect(reads.map(({ fromMs }) => time.nowMs() - fromMs)).toEqual([MINUTE_MS, 0])
    one.wake()
    await one.close()
    one.wake()
    since = []
    time.pass(MINUTE_MS)
    expect(since).toEqual([])
  })
})
