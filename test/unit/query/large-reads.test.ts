import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { LargeReads, MAX_SPANS_OF_REQUEST, MAX_WAITING_LARGE_READS } from '../../../src/query/large-reads.js'

const A = 'testnamespace01' as NamespaceId
const B = 'testnamespace02' as NamespaceId
const newSignal = () => new AbortController().signal

describe('large reads', () => {
  it('are one request at a time of a namespace, and others do not wait for it', async () => {
    const reads = new LargeReads()
    const order: string[] = []
    const [first, second] = [newSignal(), newSignal()]
    await reads.enter(A, 1, first)
    const waiting = reads.enter(A, 1, second).then(() => order.push('second'))
    await reads.enter(B, 1, newSignal())
    order.push('other namespace')
    reads.end(first)
    await waiting
    expect(order).toEqual(['other namespace', 'second'])
  })

  it('of one request share its slot, up to the bound of spans', async () => {
    const reads = new LargeReads()
    const signal = newSignal()
    await reads.enter(A, MAX_SPANS_OF_REQUEST - 1, signal)
    await reads.enter(A, 1, signal)
    await expect(reads.enter(A, 1, signal)).rejects.toMatchObject({ code: 'query_unsupported' })
    reads.end(signal)
    await reads.enter(A, MAX_SPANS_OF_REQUEST, newSignal())
  })

  it('beyond the queue of a namespace are refused with the time to retry', async () => {
    const reads = new LargeReads()
    const running = newSignal()
    await reads.enter(A, 1, running)
    const queued = Array.from({ length: MAX_WAITING_LARGE_READS }, newSignal)
    const waiting = queued.map(signal => reads.enter(A, 1, signal))
    await expect(reads.enter(A, 1, newSignal())).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 2 })
    await reads.enter(B, 1, newSignal())
    for (const signal of [running, ...queued]) reads.end(signal)
    await Promise.all(waiting)
  })

  it('give up their place when the caller leaves', async () => {
    const reads = new LargeReads()
    const [running, next] = [newSignal(), newSignal()]
    await reads.enter(A, 1, running)
    const controller = new AbortController()
    const left = reads.enter(A, 1, controller.signal)
    controller.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    reads.end(controller.signal)
    const last = reads.enter(A, 1, next)
    reads.end(running)
    await last
  })
})
