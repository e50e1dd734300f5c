import { expect, it } from '@jest/globals'
import { AgentCounters } from '../../agent/src/agent-counters.js'
import type { LineFormat } from '../../agent/src/config/config.js'
import type { SealedBatch } from '../../agent/src/deliver/batch-body.js'
import type { Delivery } from '../../agent/src/deliver/deliverer.js'
import type { Pin } from '../../agent/src/files/stream-record.js'

const PIN: Pin = { seq: 1, from: 0, to: 9, firstLine: 1, lines: 4, sealedAtMs: 0, sum: '', gap: null, end: null }
const POSITION = { nextSeq: 2, bytesTo: 9, lineTo: 4 }
const stored = (rejected = 0): Delivery => ({ kind: 'stored', position: POSITION, rejected })

const batchOf = (format: LineFormat, pin = PIN): Pick<SealedBatch, 'pin' | 'lines' | 'source'> => {
  const source = {
    path: '/a',
    service: null,
    format,
    startAt: 'end',
    exclude: [],
    level: null,
    tags: {},
    multiline: null
  } as const
  return { pin, source, lines: [{ text: '{"MESSAGE":"a"}', bytes: 1, isPartial: false, isTruncated: false }] }
}
const BATCH = batchOf('plain')

it('counts lines that are stored, gaps, and batches with rejected records', () => {
  const counters = new AgentCounters()
  counters.count(BATCH, stored())
  counters.count(BATCH, { kind: 'too_large' })
  counters.count(BATCH, { kind: 'conflict', position: POSITION })
  expect([counters.lines, counters.gaps]).toEqual([4, 0])
  counters.count(batchOf('plain', { ...PIN, gap: { from: 0, to: 0, lines: null, reason: 'truncated' } }), stored())
  counters.count(BATCH, stored(2))
  expect([counters.lines, counters.gaps]).toEqual([12, 2])
})

it('counts lines that are not of the format of their file, and those that are not UTF-8', () => {
  const counters = new AgentCounters()
  const lines = ['a', 'b\ufffd', '\ufffdc\ufffd'].map(text => ({ text, bytes: 2, isPartial: false, isTruncated: false }))
  counters.count({ ...batchOf('syslog'), lines }, stored(), 2)
  counters.count({ ...batchOf('syslog'), lines }, { kind: 'too_large' }, 2)
  expect([counters.unparsed, counters.invalidUtf8]).toEqual([2, 2])
})

it('counts bytes of files, and of the entries of the system journal, whose positions are numbers', () => {
  const counters = new AgentCounters()
  counters.count(BATCH, stored())
  expect(counters.bytes).toBe(9)
  counters.count(batchOf('journald'), stored())
  expect(counters.bytes).toBe(24)
})
