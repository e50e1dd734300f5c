import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { ulidTimeMs } from '../../../src/domain/ulid.js'
import { type BodyIdentity, bodyIngestId, foldedTimeMs, MAX_AHEAD_MS } from '../../../src/ingest/body-identity.js'
import { FairScheduler } from '../../../src/ingest/fair-scheduler.js'
import { REFRESH_MS } from '../../../src/stores/elasticsearch/index/generations.js'
import { DEFAULT_LIMITS } from '../../../src/stores/elasticsearch/limits.js'
import { NS } from './items.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = 1_800_000_000_000

describe('the time of a request that is known by its body', () => {
  it.each([
    ['now', 0, 0],
    ['a second ago', -1_000, -1_000],
    ['at the end of what may be ahead', HOUR_MS, HOUR_MS],
    ['beyond it', HOUR_MS + 1, HOUR_MS + 1 - DAY_MS],
    ['just within the last day', HOUR_MS - DAY_MS + 1, HOUR_MS - DAY_MS + 1],
    ['a day before that', HOUR_MS - DAY_MS, HOUR_MS],
    ['ten days ago', -10 * DAY_MS, 0]
  ])('made %s is its own, or whole days away from it', (_when, sent, expected) => {
    expect(foldedTimeMs(NOW_MS + sent, NOW_MS, HOUR_MS)).toBe(NOW_MS + expected)
  })

  it('is that of no day that stores have forgotten, however far the body is off', () => {
    for (const sentMs of [1, NOW_MS * 5]) {
      const ms = foldedTimeMs(sentMs, NOW_MS, HOUR_MS)
      expect([ms <= NOW_MS + HOUR_MS, ms > NOW_MS + HOUR_MS - DAY_MS, (ms - sentMs) % DAY_MS]).toEqual([
        true,
        true,
        expect.closeTo(0)
      ])
    }
  })
})

describe('the ingest id of a body', () => {
  const identity: BodyIdentity = { namespace: NS, signal: 'logs', body: Buffer.alloc(3_000_000, 7), sentMs: NOW_MS }
  const idOf = (changed: Partial<BodyIdentity>, nowMs = NOW_MS): Promise<string> =>
    bodyIngestId({ ...identity, ...changed }, { nowMs, scheduler: new FairScheduler(1) })

  it('is a ULID of its time, the same however later the repeat comes on that day', async () => {
    const id = await idOf({})
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(ulidTimeMs(id)).toBe(NOW_MS)
    expect(await idOf({}, NOW_MS + 22 * HOUR_MS)).toBe(id)
  })

  it('is the same before and after the time of the body, when the clock of the sender is a little fast', async () => {
    const id = await idOf({}, NOW_MS - MAX_AHEAD_MS)
    expect(ulidTimeMs(id)).toBe(NOW_MS)
    expect(await idOf({}, NOW_MS + 1)).toBe(id)
  })

  it('is never of a time at which a search store may still begin another index', async () => {
    const id = await idOf({}, NOW_MS - MAX_AHEAD_MS - 1)
    expect(ulidTimeMs(id)).toBe(NOW_MS - DAY_MS)
    expect(MAX_AHEAD_MS).toBeLessThan(DEFAULT_LIMITS.rollAheadMs - REFRESH_MS)
  })

  it('is another one for another body, namespace or signal', async () => {
    const longer = Buffer.alloc(3_000_001, 7)
    const others = [{ body: longer }, { namespace: 'another0000' as NamespaceId }, { signal: 'spans' }]
    const ids = [await idOf({}), ...(await Promise.all(others.map(other => idOf(other))))]
    expect(new Set(ids).size).toBe(4)
  })
})
