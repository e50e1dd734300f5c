import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { IterationLimit } from '../../../src/threads/iteration-limit.js'

const AT_ONCE = 4

/** Work that comes in units, each time that it is resumed one more, and which of it was done in which order. */
class Work {
  readonly #limit = new IterationLimit({ units: AT_ONCE, resumed: AT_ONCE })
  readonly done: string[] = []
  readonly waiting = new Set<string>()

  do(name: string): void {
    this.done.push(name)
    if (!this.#limit.isOver()) return
    this.waiting.add(name)
    this.#limit.next(() => {
      this.waiting.delete(name)
      this.do(name)
    })
  }

  /** What is done in the next iteration of the event loop. */
  async next(): Promise<readonly string[]> {
    const before = this.done.length
    await nextIteration()
    return this.done.slice(before)
  }
}

describe('the limit of an iteration', () => {
  it('keeps nothing waiting below the bound', () => {
    const work = new Work()
    for (const name of ['a', 'b', 'c']) work.do(name)
    expect(work.waiting.size).toBe(0)
    work.do('d')
    expect([...work.waiting]).toEqual(['d'])
  })

  it('does a bounded number of units, in the order in which they came', async () => {
    const work = new Work()
    const names = Array.from({ length: 10 }, (_, i) => `${i}`)
    // They come in one iteration: all behind the bound wait.
    for (const name of names) work.do(name)
    expect([...work.waiting]).toEqual(names.slice(AT_ONCE - 1))
    expect(await work.next()).toEqual(['3', '4', '5', '6'])
    expect(await work.next()).toEqual(['7', '8', '9', '6'])
    expect(await work.next()).toEqual(['6'])
    expect(await work.next()).toEqual([])
  })

  it('serves callers round-robin', async () => {
    const limit = new IterationLimit({ units: AT_ONCE, resumed: AT_ONCE })
    const done: string[] = []
    for (let i = 0; i < 5; i++) limit.next(() => done.push(`a${i}`), 'a')
    limit.next(() => done.push('b0'), 'b')
    await nextIteration()
    expect(done).toEqual(['a0', 'b0', 'a1', 'a2'])
    await nextIteration()
    expect(done.slice(AT_ONCE)).toEqual(['a3', 'a4'])
  })
})
