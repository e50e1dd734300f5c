import { describe, expect, it } from '@jest/globals'
import {
  AT_ONCE_BYTES,
  MAX_WAITING_BYTES,
  MAX_WAITING_OF_CALLER_BYTES,
  MIN_WAITING_BYTES,
  FairScheduler
} from '../../../src/ingest/fair-scheduler.js'

describe('small bodies that come at once', () => {
  it('are parsed in one turn of the event loop up to a bound, the others in the next ones, in order', async () => {
    const scheduler = new FairScheduler(1)
    const order: string[] = []
    const bodies = Array.from({ length: 6 }, (_, i) =>
      scheduler.admit(AT_ONCE_BYTES / 2, 'a')?.then(() => order.push(`body ${i}`))
    )
    expect(bodies.map(body => body === undefined)).toEqual([true, true, false, false, false, false])
    const turn = (name: string): Promise<void> => new Promise(resolve => setImmediate(() => resolve(void order.push(name))))
    await turn('turn 1')
    await turn('turn 2')
    for (const body of bodies) await body
    expect(order).toEqual(['body 2', 'body 3', 'turn 1', 'body 4', 'body 5', 'turn 2'])
  })

  it('a body of any size passes when none was parsed in this turn', () => {
    expect(new FairScheduler(1).admit(AT_ONCE_BYTES * 4, 'a')).toBeNull()
  })

  it('wait within a share of their caller, which is refused more, while others are taken', async () => {
    const scheduler = new FairScheduler(1)
    expect(scheduler.admit(AT_ONCE_BYTES, 'a')).toBeNull()
    const waiting = Array.from({ length: MAX_WAITING_OF_CALLER_BYTES / AT_ONCE_BYTES }, () => scheduler.admit(AT_ONCE_BYTES, 'a'))
    expect(refusalOf(scheduler, 'a', 1)).toMatchObject({ code: 'rate_limited', retryAfterS: 1 })
    waiting.push(scheduler.admit(1, 'b'))
    const bytes = MAX_WAITING_OF_CALLER_BYTES + MIN_WAITING_BYTES
    expect(scheduler.state).toEqual({ waiting: waiting.length, waitingBytes: bytes, refused: 1 })
    for (const one of waiting) await one
    expect(scheduler.state).toEqual({ waiting: 0, waitingBytes: 0, refused: 1 })
    expect(scheduler.admit(1, 'a')).toBeNull()
  })

  it('wait within a bound for all callers', async () => {
    const scheduler = new FairScheduler(1)
    expect(scheduler.admit(AT_ONCE_BYTES, 'a')).toBeNull()
    const count = MAX_WAITING_BYTES / AT_ONCE_BYTES
    const waiting = Array.from({ length: count }, (_, i) => scheduler.admit(AT_ONCE_BYTES, `caller ${i}`))
    expect(refusalOf(scheduler, 'another', 1)).toMatchObject({ code: 'overloaded', retryAfterS: 1 })
    for (const one of waiting) await one
    expect(scheduler.state).toEqual({ waiting: 0, waitingBytes: 0, refused: 1 })
  })

  it('count as what their requests hold, however small they are', async () => {
    const scheduler = new FairScheduler(1)
    expect(scheduler.admit(AT_ONCE_BYTES, 'a')).toBeNull()
    const waiting = Array.from({ length: MAX_WAITING_OF_CALLER_BYTES / MIN_WAITING_BYTES }, () => scheduler.admit(1, 'a'))
    expect(refusalOf(scheduler, 'a', 1)).toMatchObject({ code: 'rate_limited' })
    for (const one of waiting) await one
  })
})

function refusalOf(scheduler: FairScheduler, caller: string, bytes: number): unknown {
  try {
    return scheduler.admit(bytes, caller)
  } catch (error) {
    return error
  }
}
