import { describe, expect, it, jest } from '@jest/globals'
import { Arrivals } from '../../agent/src/arrivals.js'

const FOREVER = new AbortController().signal

/** One value, which comes when it is released. */
function oneValue() {
  let release!: () => void
  const value = new Promise<IteratorResult<string>>(resolve => {
    release = () => resolve({ done: false, value: 'line' })
  })
  const arrivals = new Arrivals<string>({ [Symbol.asyncIterator]: () => ({ next: () => value }) })
  return { arrivals, release, value }
}

describe('arrivals', () => {
  it('keep nothing of calls that were late', async () => {
    const { arrivals, release, value } = oneValue()
    await expect(arrivals.next(0, FOREVER)).resolves.toBe('late')
    const waiting = jest.spyOn(value, 'then')
    for (let i = 0; i < 10; i++) await expect(arrivals.next(0, FOREVER)).resolves.toBe('late')
    expect(waiting).not.toHaveBeenCalled()
    release()
    await expect(arrivals.next(null, FOREVER)).resolves.toEqual({ done: false, value: 'line' })
  })

  it('reject when the signal comes first, and have the value later', async () => {
    const { arrivals, release } = oneValue()
    await expect(arrivals.next(null, AbortSignal.abort())).rejects.toThrow(/abort/i)
    release()
    await expect(arrivals.next(null, FOREVER)).resolves.toEqual({ done: false, value: 'line' })
  })
})
