import { describe, expect, it } from '@jest/globals'
import { jsonInSlices } from '../../../src/http/json-in-slices.js'
import { EventLoopSlices } from '../../../src/threads/event-loop-slices.js'

const long = Array.from({ length: 1_001 }, (_, i) => ({ i, text: `"ä\u2028${i}`, none: undefined, list: [null, i] }))

describe('JSON in slices', () => {
  it('is what JSON.stringify writes', async () => {
    const slices = new EventLoopSlices({ monotonicMs: () => 0 })
    const values = [
      { data: { trace: { spans: long, name: 'x', gone: undefined } }, errors: undefined },
      { data: { traces: [{ id: 1, spans: long }, { id: 2, spans: [] }, null] } },
      long,
      [long, undefined, 1],
      null,
      'text',
      { at: new Date(0) }
    ]
    for (const value of values) expect(await jsonInSlices(value, slices, Infinity)).toBe(JSON.stringify(value))
  })

  it('is refused beyond its limit of bytes, in short and in long lists', async () => {
    const slices = new EventLoopSlices({ monotonicMs: () => 0 })
    const message = 'x'.repeat(100)
    const rows = (count: number) => Array.from({ length: count }, () => ({ message }))
    for (const count of [9, 900]) {
      const written = JSON.stringify({ rows: rows(count) })
      expect(await jsonInSlices({ rows: rows(count) }, slices, 1.2 * written.length)).toBe(written)
      await expect(jsonInSlices({ rows: rows(count) }, slices, 0.9 * written.length)).rejects.toMatchObject({
        code: 'query_unsupported',
        message: expect.stringMatching(/^the response exceeds the limit of [\d.]+ bytes; select fewer rows or fields$/)
      })
    }
  })

  it('lets the event loop go on', async () => {
    const order: string[] = []
    const written = jsonInSlices({ data: long }, new EventLoopSlices({ monotonicMs: () => 0 }), Infinity).then(() =>
      order.push('written')
    )
    const iterations = [1, 2, 3, 4].map(async i => {
      for (let left = i; left > 0; left--) await new Promise(resolve => setImmediate(resolve))
      order.push(`iteration ${i}`)
    })
    await Promise.all([written, ...iterations])
    // 1,001 items are written in five slices: the first at once, four in an iteration each.
    expect(order.indexOf('written')).toBeGreaterThan(order.indexOf('iteration 3'))
  })
})
