import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../src/domain/errors.js'
import type { UsageDelta } from '../../../src/ports/usage-ledger.js'
import { Ledger } from '../../../src/ingest/ledger.js'
import { RateLimits } from '../../../src/threads/rate-limits.js'
import { FairScheduler } from '../../../src/ingest/fair-scheduler.js'
import { NS } from './items.js'
import { QUIET_MONITOR } from '../../support/quiet-jobs.js'

const POLICY = { name: 'ingest', unit: 'content-bytes', perSecond: 50, burst: 100 } as const

describe('a rate limit', () => {
  it('lets a burst through, then as much as time earns', () => {
    let nowMs = 0
    const limits = new RateLimits(POLICY, () => nowMs)
    expect(limits.take('a', 100)).toMatchObject({ isAllowed: true, remaining: 0, resetS: 2, quota: 100, windowS: 2 })
    expect(limits.take('a', 1)).toMatchObject({ isAllowed: false, retryAfterS: 1 })
    nowMs = 500
    expect(limits.take('a', 26)).toMatchObject({ isAllowed: false, remaining: 25 })
    expect(limits.take('a', 25)).toMatchObject({ isAllowed: true, remaining: 0 })
    nowMs = 3_600_000
    expect(limits.take('a', 0)).toMatchObject({ remaining: 100, resetS: 0 })
  })

  it('reports after how many seconds the request would pass', () => {
    const limits = new RateLimits(POLICY, () => 0)
    limits.take('a', 100)
    expect(limits.take('a', 100).retryAfterS).toBe(2)
  })

  it('keeps every key’s own bucket', () => {
    const limits = new RateLimits(POLICY, () => 0)
    limits.take('a', 100)
    expect(limits.take('b', 100).isAllowed).toBe(true)
  })

  it('remembers a bounded number of keys, the ones used last', () => {
    const limits = new RateLimits(POLICY, () => 0, 2)
    limits.take('a', 100)
    limits.take('b', 100)
    limits.take('a', 0)
    limits.take('c', 100)
    expect(limits.take('a', 1).isAllowed).toBe(false)
    expect(limits.take('b', 1).isAllowed).toBe(true)
  })

  it('still limits when the clock stalls', () => {
    let nowMs = 1000
    const limits = new RateLimits(POLICY, () => nowMs)
    limits.take('a', 100)
    nowMs = 0
    expect(limits.take('a', 1).isAllowed).toBe(false)
  })
})

describe('the ledger', () => {
  const clock = { nowMs: () => Date.UTC(2026, 10, 20, 23, 59), nowNs: () => 0n, monotonicMs: () => 0 }

  function ledger(fails: { next: boolean } = { next: false }): { ledger: Ledger; added: UsageDelta[][]; errors: unknown[] } {
    const added: UsageDelta[][] = []
    const errors: unknown[] = []
    const usage = {
      add: async (deltas: readonly UsageDelta[]) => {
        if (fails.next) throw new Error('control store is away')
        added.push([...deltas])
      },
      of: async () => []
    }
    return { ledger: new Ledger(usage, clock, { ...QUIET_MONITOR, failed: error => errors.push(error) }), added, errors }
  }

  it('adds up what a namespace sent in a day, per signal', async () => {
    const { ledger: counts, added } = ledger()
    counts.count(NS, 'logs', { stored: 2, rejected: 1, deduplicated: 0, dropped: 0, bytes: 10 })
    counts.count(NS, 'logs', { stored: 3, rejected: 0, deduplicated: 4, dropped: 0, bytes: 5 })
    counts.count(NS, 'rum', { stored: 1, rejected: 0, deduplicated: 0, dropped: 0, bytes: 1 })
    await counts.close()
    const day = { namespaceId: NS, day: '2026-11-20' }
    expect(added).toEqual([
      [
        { ...day, signal: 'logs', stored: 5, rejected: 1, deduplicated: 4, dropped: 0, bytes: 15 },
        { ...day, signal: 'rum', stored: 1, rejected: 0, deduplicated: 0, dropped: 0, bytes: 1 }
      ]
    ])
  })

  it('writes nothing when nothing was counted', async () => {
    const { ledger: counts, added } = ledger()
    await counts.flush()
    expect(added).toEqual([])
  })

  it('keeps its counts when they cannot be written', async () => {
    const fails = { next: true }
    const { ledger: counts, added, errors } = ledger(fails)
    counts.count(NS, 'logs', { stored: 2, rejected: 0, deduplicated: 0, dropped: 0, bytes: 10 })
    await counts.flush()
    expect([added.length, errors.length]).toEqual([0, 1])
    fails.next = false
    counts.count(NS, 'logs', { stored: 1, rejected: 0, deduplicated: 0, dropped: 0, bytes: 1 })
    await counts.flush()
    expect(added[0]).toMatchObject([{ stored: 3, bytes: 11 }])
  })
})

describe('the turns of large bodies', () => {
  it('run one slice per turn of the event loop, first come first served', async () => {
    const scheduler = new FairScheduler(100)
    const order: string[] = []
    const work = async (name: string): Promise<void> => {
      for (let i = 0; i < 2; i++) {
        await scheduler.next()
        order.push(name)
      }
    }
    await Promise.all([work('a'), work('b')])
    expect(order).toEqual(['a', 'b', 'a', 'b'])
  })

  it('refuse what is beyond their bound in bytes, and take it when there is room again', async () => {
    const scheduler = new FairScheduler(100)
    let finish = (): void => undefined
    const first = scheduler.run(60, () => new Promise<void>(resolve => (finish = resolve)))
    const refused = await scheduler.run(41, async () => undefined).catch((error: unknown) => error)
    expect(isGatewayError(refused, 'overloaded')).toBe(true)
    await scheduler.run(40, async () => undefined)
    finish()
    await first
    await scheduler.run(100, async () => undefined)
  })
})
