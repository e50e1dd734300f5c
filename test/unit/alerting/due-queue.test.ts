import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { DueQueue } from '../../../src/alerting/schedule/due-queue.js'

it('gives items out by their times, those of one time in the order in which they came', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), times => {
      const queue = new DueQueue<number>()
      times.forEach((atMs, order) => queue.push(atMs, order))
      expect(queue.nextMs).toBe(times.length === 0 ? null : Math.min(...times))
      const out: number[] = []
      for (let nowMs = 0; nowMs <= 20; nowMs++)
        for (let item = queue.popDue(nowMs); item !== undefined; item = queue.popDue(nowMs)) {
          expect(times[item]).toBe(nowMs)
          out.push(item)
        }
      const sorted = times.map((atMs, order) => ({ atMs, order })).sort((a, b) => a.atMs - b.atMs || a.order - b.order)
      expect(out).toEqual(sorted.map(({ order }) => order))
      expect(queue.nextMs).toBeNull()
    })
  )
})

it('keeps what is not due yet', () => {
  const queue = new DueQueue<string>()
  queue.push(2, 'later')
  expect(queue.popDue(1)).toBeUndefined()
  queue.push(1, 'sooner')
  expect([queue.popDue(1), queue.popDue(1), queue.nextMs]).toEqual(['sooner', undefined, 2])
})
