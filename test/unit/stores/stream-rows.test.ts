import { expect, it } from '@jest/globals'
import type { LogStream } from '../../../src/domain/log-stream.js'
import { streamRow, toStream } from '../../../src/stores/control/stream-rows.js'

const PENDING = { to: 3, anchor: 'bb' }

it.each([
  [1, PENDING],
  [2, null]
])('the batch that is pending before batch %s is the first: older versions leave it in the row', (nextSeq, pending) => {
  const row = streamRow({ id: 'stream-1', nextSeq, pending: PENDING } as LogStream)
  expect(toStream(row as never).pending).toEqual(pending)
})
