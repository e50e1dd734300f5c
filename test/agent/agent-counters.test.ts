import { expect, it } from '@jest/globals'
import { AgentCounters } from '../../agent/src/agent-counters.js'
import type { Delivery } from '../../agent/src/deliver/deliverer.js'
import type { Pin } from '../../agent/src/files/stream-record.js'

const PIN: Pin = { seq: 1, from: 0, to: 9, firstLine: 1, lines: 4, sealedAtMs: 0, sum: '', gap: null, end: null }
const POSITION = { nextSeq: 2, bytesTo: 9, lineTo: 4 }
const stored = (rejected = 0): Delivery => ({ kind: 'stored', position: POSITION, rejected })

it('counts lines that are stored, gaps, and batches with rejected records', () => {
  const counters = new AgentCounters()
  counters.count({ pin: PIN }, stored())
  counters.count({ pin: PIN }, { kind: 'too_large' })
  counters.count({ pin: PIN }, { kind: 'conflict', position: POSITION })
  expect([counters.lines, counters.gaps]).toEqual([4, 0])
  counters.count({ pin: { ...PIN, gap: { from: 0, to: 0, lines: null, reason: 'truncated' } } }, stored())
  counters.count({ pin: PIN }, stored(2))
  expect([counters.lines, counters.gaps]).toEqual([12, 2])
})
