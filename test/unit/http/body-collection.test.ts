import { PassThrough } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { BodyCollection } from '../../../src/http/body-collection.js'
import { ByteBudget } from '../../../src/ingest/byte-budget.js'
import { IterationLimit } from '../../../src/threads/iteration-limit.js'
import { ManualTime } from '../../support/manual-time.js'

const KIB = 1024

it('bodies pause when an iteration of the event loop has received enough, and go on in the next', async () => {
  const time = new ManualTime()
  const budget = new ByteBudget(1024 * KIB, time)
  const reading = new IterationLimit({ units: 64 * KIB, resumed: 1 })
  const open = (): { readonly message: PassThrough; readonly bytes: Promise<Buffer> } => {
    const message = new PassThrough({ highWaterMark: 1024 * KIB })
    const body = budget.open({ kind: 'principal', group: 'ns', id: 'key' })
    const deps = { timers: time, reading }
    return { message, bytes: new BodyCollection(message as unknown as IncomingMessage, body, 256 * KIB, deps).bytes }
  }
  const [first, second] = [open(), open()]
  first.message.write(Buffer.alloc(64 * KIB, 'a'))
  second.message.write(Buffer.alloc(64 * KIB, 'b'))
  expect([first.message.isPaused(), second.message.isPaused()]).toEqual([true, true])
  await nextIteration()
  expect([first.message.isPaused(), second.message.isPaused()]).toEqual([false, true])
  first.message.end('a')
  second.message.end('b')
  expect((await first.bytes).toString()).toBe('a'.repeat(64 * KIB + 1))
  expect((await second.bytes).toString()).toBe('b'.repeat(64 * KIB + 1))
})
