import { expect, it } from '@jest/globals'
import { LeftSpans } from '../../../src/query/log-tail/left-spans.js'
import { LATE_MS } from '../../../src/query/log-tail/limits.js'

it('leaves spans one after the other, and joins the latest two when they are too many', () => {
  const left = new LeftSpans([], 10, 2)
  left.leave(20, 1)
  left.leave(30, 2)
  expect(left.and(40, 4)).toEqual([
    { fromMs: 10, toMs: 20, count: 1 },
    { fromMs: 20, toMs: 40, count: 6 }
  ])
  left.leave(30, 8)
  expect([left.endMs, left.and(30, 8)]).toEqual([
    30,
    [
      { fromMs: 10, toMs: 20, count: 1 },
      { fromMs: 20, toMs: 30, count: 2 }
    ]
  ])
})

it('has a span to be counted once its end is as long ago as records can be late', () => {
  const left = new LeftSpans([{ fromMs: 10, toMs: 20, count: 1 }], 20, 8)
  expect(left.due(20 + LATE_MS - 1)).toBeNull()
  expect(left.due(20 + LATE_MS)).toMatchObject({ count: 1 })
  left.forgetFirst()
  expect(left.due(20 + LATE_MS)).toBeNull()
})
