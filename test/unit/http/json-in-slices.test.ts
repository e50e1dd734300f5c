import { describe, expect, it } from '@jest/globals'
import { jsonInSlices } from '../../../src/http/json-in-slices.js'
import { EventLoopSlices } from '../../../src/threads/event-loop-slices.js'

const long = Array.from({ length: 1_001 }, (_, i) => ({ i, text: `"ä\u2028${i}`, none: undefined, list: [null, i] }))

describe('JSON in slices', () => {
  it('is what JSON.stringify writes', async () => {
    const slices = new EventLoopSlices()
    const values = [
      { data: { trace: { spans: long, name: 'x', gone: undefined } }, errors: undefined },
      { data: { traces: [{ id: 1, spans: long }, { id: 2, spans: [] }, null] } },
      long,
      [long, undefined, 1],
      null,
      'text',
      { at: new Date(0) }
    ]
    for (const value of values) expect(await jsonInSlices(value, slices)).toBe(JSON.stringify(value))
  })

  it('lets the event loop go on', async () => {
    let iterations = 0
    const watch = setInterval(() => iterations++, 0)
    const slices = { next: () => new Promise<void>(resolve => setTimeout(resolve, 2)) } as EventLoopSlices
    await jsonInSlices({ data: long }, slices)
    clearInterval(watch)
    expect(iterations).toBeGreaterThan(0)
  })
})
