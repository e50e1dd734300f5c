import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { StoredSpan } from '../../../../src/domain/span.js'
import { SPAN_FLAGS, type TraceOutline, traceOutlineSteps } from '../../../../src/query/traces/trace-outline.js'
import { traceView } from '../../../support/trace-view.js'
import { spanIdOf, storedSpan } from '../../../support/stored-span.js'

const MS = 1_000_000n

function outline(spans: readonly StoredSpan[]): TraceOutline {
  const steps = traceOutlineSteps(traceView(spans))
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function span(n: number, parent: number | null, startNs: bigint, durationNs: bigint, more: Partial<StoredSpan> = {}): StoredSpan {
  const parentSpanId = parent === null ? null : spanIdOf(parent)
  return storedSpan({ spanId: spanIdOf(n), parentSpanId, timestampNs: startNs, durationNs, ...more })
}

describe('the outline of a trace', () => {
  it('names each service and operation once, and each span by its place in the tree', () => {
    const found = outline([
      span(3, 1, 3n * MS, 2n * MS, { service: 'db', name: 'SELECT' }),
      span(1, null, 0n, 10n * MS, { service: 'web', name: 'GET /' }),
      span(2, 1, 1n * MS, 1_234_567n, { service: 'db', name: 'SELECT' }),
      span(4, 3, 3n * MS, 1n * MS, { service: null, name: 'parse' })
    ])
    expect(found).toEqual({
      serviceNames: ['web', 'db', ''],
      operationNames: ['GET /', 'SELECT', 'parse'],
      spanIds: [1, 2, 3, 4].map(spanIdOf),
      parents: [null, 0, 0, 2],
      starts: [0, 1, 3, 3],
      durations: [10, 1.235, 2, 1],
      selfTimes: [6.765, 1.235, 1, 1],
      services: [0, 1, 1, 2],
      operations: [0, 1, 1, 2],
      flags: [2, 2, 2, 2]
    })
  })

  it('marks errors, exceptions, parents that are missing and spans off the critical path', () => {
    const exception = { name: 'exception', timestampNs: 0n, attributes: { 'exception.type': 'Oops' } }
    const { flags, parents } = outline([
      span(1, null, 0n, 10n * MS, { status: 'error' }),
      span(2, 1, 0n, 1n * MS, { events: [exception] }),
      span(3, 1, 1n * MS, 8n * MS),
      span(4, 99, 20n * MS, 1n * MS)
    ])
    const { error, onCriticalPath, isParentMissing, hasException } = SPAN_FLAGS
    expect(flags).toEqual([error | onCriticalPath, hasException | onCriticalPath, onCriticalPath, isParentMissing])
    expect(parents).toEqual([null, 0, 0, null])
  })

  it('hangs every span below an earlier one or at the top, whatever the parents are', () => {
    const anySpans = fc
      .array(fc.record({ parent: fc.option(fc.nat({ max: 12 })), start: fc.nat({ max: 60 }) }), { minLength: 1, maxLength: 12 })
      .map(all => all.map(({ parent, start }, n) => span(n, parent, BigInt(start), 5n)))
    fc.assert(
      fc.property(anySpans, spans => {
        const { parents, spanIds, ...lists } = outline(spans)
        expect([...spanIds].sort()).toEqual(spans.map(({ spanId }) => spanId).sort())
        for (const [place, parent] of parents.entries()) expect(parent ?? -1).toBeLessThan(place)
        for (const name of ['starts', 'durations', 'selfTimes', 'services', 'operations', 'flags'] as const) {
          expect(lists[name]).toHaveLength(spans.length)
        }
      })
    )
  })

  it('rounds to a microsecond, and in a long trace to a millionth of it', () => {
    const [short] = outline([span(1, null, 0n, 123_456_789n)]).durations
    expect(short).toBe(123.457)
    const hours = outline([span(1, null, 0n, 3_600_000n * MS), span(2, 1, 1_234_567_890n, 1n)])
    expect(hours.starts).toEqual([0, 1235])
  })

  it('has 10,000 spans in less than 600 kB', () => {
    const spans = Array.from({ length: 10_000 }, (_, n) =>
      span(n, n === 0 ? null : Math.floor((n - 1) / 4), BigInt(n) * 312_345n, BigInt((n * 7_919) % 90_000) * 1_357n, {
        service: `service-${n % 20}`,
        name: `operation ${n % 200}`
      })
    )
    expect(Buffer.byteLength(JSON.stringify(outline(spans)))).toBeLessThan(600_000)
  })
})
