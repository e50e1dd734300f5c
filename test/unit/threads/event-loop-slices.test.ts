import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { EventLoopSlices } from '../../../src/threads/event-loop-slices.js'

function* count(name: string, to: number, order: string[]): Generator<void, string> {
  for (let i = 1; i <= to; i++) {
    order.push(`${name}${i}`)
    yield
  }
  return name
}

/** A clock that moves by so many milliseconds whenever it is read. */
function clockOf(stepMs: number) {
  let nowMs = 0
  return { monotonicMs: () => (nowMs += stepMs) }
}

/** Each step takes longer than a slice. */
const LONG_STEPS = clockOf(10)

describe('slices of the event loop', () => {
  it('alternate between computations', async () => {
    const slices = new EventLoopSlices(LONG_STEPS)
    const order: string[] = []
    expect(await Promise.all([slices.run(count('a', 3, order)), slices.run(count('b', 2, order))])).toEqual(['a', 'b'])
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('have as many steps as begin within two milliseconds', async () => {
    const slices = new EventLoopSlices(clockOf(0.5))
    const order: string[] = []
    const running = slices.run(count('a', 10, order))
    const seen: number[] = []
    for (let i = 0; i < 3; i++) {
      await slices.next()
      seen.push(order.length)
    }
    expect(seen).toEqual([4, 8, 10])
    await expect(running).resolves.toBe('a')
  })

  it('run one in an iteration of the loop, however many wait', async () => {
    const slices = new EventLoopSlices(LONG_STEPS)
    const order: string[] = []
    const running = ['a', 'b', 'c'].map(name => slices.run(count(name, 1, order)))
    const seen: number[] = []
    for (let i = 0; i < 4; i++) {
      await nextIteration()
      seen.push(order.length)
    }
    for (const [i, length] of seen.entries()) expect(length - (seen[i - 1] ?? 0)).toBeLessThanOrEqual(1)
    await Promise.all(running)
  })

  it('end with an abort', async () => {
    const slices = new EventLoopSlices(LONG_STEPS)
    const controller = new AbortController()
    const order: string[] = []
    const running = slices.run(count('a', 1_000, order), controller.signal)
    await slices.next()
    controller.abort(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
    expect(order.length).toBeLessThan(3)
  })
})
