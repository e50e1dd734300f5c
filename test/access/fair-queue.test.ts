import { beforeEach, describe, expect, it } from '@jest/globals'
import { FairQueue } from '../../src/access/fair-queue.js'
import { ManualTime } from '../support/manual-time.js'

const BOUNDS = { work: 'checks', running: 1, runningFailed: 1, waiting: 4, waitingPerNetwork: 3, maxWaitMs: 2_000 }
let clock: ManualTime
let queue: FairQueue
let order: string[]
beforeEach(() => {
  clock = new ManualTime()
  queue = new FairQueue(clock, BOUNDS)
  order = []
})

interface Held {
  finish(): void
  readonly ended: Promise<string>
}

/** Work that runs until `finish`; `ended` is `done` or the code of the refusal. */
function enter(name: string, network: string, rank = 1): Held {
  let finish = (): void => undefined
  const until = new Promise<void>(resolve => (finish = resolve))
  const ended = queue
    .run({ network, rank }, async () => {
      order.push(name)
      await until
    })
    .then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code
    )
  return { finish, ended }
}

async function drain(held: readonly Held[]): Promise<readonly string[]> {
  for (const one of held) one.finish()
  return Promise.all(held.map(({ ended }) => ended))
}

describe('a fair queue', () => {
  it('runs lower ranks first, then networks that run less, then earlier arrivals', async () => {
    const held = [enter('running', 'a'), enter('late', 'b', 3), enter('second', 'a', 1), enter('first', 'c', 0)]
    await drain(held)
    expect(order).toEqual(['running', 'first', 'second', 'late'])
  })

  it('keeps a place for callers without recent failures', async () => {
    queue = new FairQueue(clock, { ...BOUNDS, running: 2 })
    const held = [enter('failed 1', 'a', 2), enter('failed 2', 'b', 2), enter('clean', 'c', 1)]
    held[2]!.finish()
    await held[2]!.ended
    expect(order).toEqual(['failed 1', 'clean'])
    expect(await drain(held)).toEqual(['done', 'done', 'done'])
    expect(order).toEqual(['failed 1', 'clean', 'failed 2'])
  })

  it('gives a network its share of the waiting places and no more', async () => {
    const held = ['1', '2', '3', '4', '5'].map(name => enter(name, 'a'))
    expect(await drain(held)).toEqual(['done', 'done', 'done', 'done', 'overloaded'])
  })

  it('displaces the highest rank when it is full, and refuses a newcomer that is worse', async () => {
    const held = [enter('running', 'a'), ...[5, 9, 5, 5].map((rank, i) => enter(`w${i}`, `n${i}`, rank))]
    const better = enter('better', 'fresh', 1)
    expect(await held[2]!.ended).toBe('overloaded')
    expect(await enter('worse', 'other', 6).ended).toBe('overloaded')
    expect(await drain([...held, better])).toEqual(['done', 'done', 'overloaded', 'done', 'done', 'done'])
    expect(order[1]).toBe('better')
  })

  it('serves who comes late while it is crowded with others of the same rank', async () => {
    const held = [enter('running', 'a'), ...['w1', 'w2', 'w3', 'w4'].map(name => enter(name, name))]
    const late = enter('late', 'fresh')
    expect(await held[1]!.ended).toBe('overloaded')
    expect(await drain([...held, late])).toEqual(['done', 'overloaded', 'done', 'done', 'done', 'done'])
    expect(order.slice(0, 2)).toEqual(['running', 'late'])
  })

  it('keeps a small burst of one network when others of the same rank come later', async () => {
    const held = [enter('running', 'a'), enter('old', 'b'), ...['c1', 'c2', 'c3'].map(name => enter(name, 'c'))]
    const late = enter('late', 'd')
    expect(await drain([...held, late])).toEqual(['done', 'overloaded', 'done', 'done', 'done', 'done'])
  })

  it('displaces a waiter of the network that waits most for one of the same rank', async () => {
    const held = [enter('running', 'a'), enter('a1', 'a'), enter('a2', 'a'), enter('a3', 'a'), enter('b1', 'b')]
    const fresh = enter('c1', 'c')
    expect(await drain([...held, fresh])).toEqual(['done', 'overloaded', 'done', 'done', 'done', 'done'])
  })

  it('refuses who waited longer than the bound, with the time to wait, but serves those who are first in line', async () => {
    const running = enter('running', 'a')
    const first = [enter('first', 'b', 0), enter('second', 'b', 0)]
    const waiter = queue.run({ network: 'c', rank: 1 }, async () => undefined)
    clock.pass(2_001)
    running.finish()
    await expect(waiter).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 2 })
    expect([await drain([running, ...first]), order]).toEqual([
      ['done', 'done', 'done'],
      ['running', 'second', 'first']
    ])
  })

  it('lets no one wait longer than five times the bound', async () => {
    const running = enter('running', 'a')
    const held = [enter('first', 'b', 0), enter('second', 'b', 0)]
    clock.pass(10_001)
    running.finish()
    expect(await drain([running, ...held])).toEqual(['done', 'done', 'overloaded'])
  })

  it('goes on after work that failed', async () => {
    await expect(queue.run({ network: 'a', rank: 0 }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await drain([enter('next', 'a')])).toEqual(['done'])
  })
})
