import { expect, it } from '@jest/globals'
import { joinInSlices } from '../../../src/http/body-chunks.js'

const KIB = 1024
const MIB = 1024 * KIB

it('joins chunks in their order, and yields to the event loop within many', async () => {
  const chunks = Array.from({ length: 128 }, (_, i) => Buffer.alloc(256 * KIB, i))
  let scheduler = 0
  let isDone = false
  const count = (): void => {
    scheduler++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const whole = await joinInSlices(chunks, 32 * MIB)
  isDone = true
  expect(scheduler).toBeGreaterThanOrEqual(7)
  expect(whole.equals(Buffer.concat(chunks))).toBe(true)
})

it('shares no memory with its chunks', async () => {
  const chunk = Buffer.from('abc')
  const whole = await joinInSlices([chunk], 3)
  chunk[0] = 0
  expect(whole.toString()).toBe('abc')
})
