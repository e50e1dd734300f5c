import { describe, expect, it } from '@jest/globals'
import { getEventListeners } from 'node:events'
import { endedWith } from '../../../src/threads/ended-with.js'
import { untilAborted } from '../../../src/threads/until-aborted.js'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('work until a signal is aborted', () => {
  it('has its result or its error, and leaves nothing at the signal', async () => {
    const { signal } = new AbortController()
    await expect(untilAborted(Promise.resolve(7), signal)).resolves.toBe(7)
    await expect(untilAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
    expect(listeners(signal)).toBe(0)
  })

  it('rejects with the reason of the signal, before and while it runs', async () => {
    const stop = new AbortController()
    const endless = new Promise<never>(() => undefined)
    const running = untilAborted(endless, stop.signal)
    stop.abort(new Error('over'))
    await expect(running).rejects.toThrow('over')
    await expect(untilAborted(endless, stop.signal)).rejects.toThrow('over')
    expect(listeners(stop.signal)).toBe(0)
  })
})

describe('work under a signal of its own', () => {
  it('ends with the other signal, and leaves nothing at it', async () => {
    const stop = new AbortController()
    const running = endedWith(stop.signal, async own => untilAborted(new Promise<never>(() => undefined), own.signal))
    stop.abort(new Error('over'))
    await expect(running).rejects.toThrow('over')
    await expect(endedWith(stop.signal, async own => own.signal.aborted)).resolves.toBe(true)
    expect(listeners(stop.signal)).toBe(0)
  })

  it('leaves the other signal alone when it ends by itself', async () => {
    const stop = new AbortController()
    await endedWith(stop.signal, async own => own.abort())
    expect([stop.signal.aborted, listeners(stop.signal)]).toEqual([false, 0])
  })
})
