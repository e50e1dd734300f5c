import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { compareTraces } from '../../../../src/query/traces/compare-traces.js'
import { traceView } from '../../../support/trace-view.js'
import { spanIdOf, storedSpan } from '../../../support/stored-span.js'

const trace = (...operations: readonly (readonly [name: string, durationNs: number])[]) =>
  traceView(
    operations.map(([name, durationNs], n) =>
      storedSpan({ spanId: spanIdOf(n), name, timestampNs: BigInt(n * 1000), durationNs: BigInt(durationNs) })
    )
  )

describe('two traces side by side', () => {
  it('report which operations appeared, vanished, slowed', () => {
    const base = trace(['query', 100], ['query', 300], ['gone', 10], ['same', 50], ['faster', 100])
    const other = trace(['query', 400], ['new', 20], ['same', 55], ['faster', 80])
    expect(
      compareTraces(base, other).map(({ operation, change, selfTimeDeltaNs }) => [operation, change, selfTimeDeltaNs])
    ).toEqual([
      ['faster', 'sped_up', -20n],
      ['new', 'appeared', 20n],
      ['gone', 'vanished', -10n],
      ['same', 'unchanged', 5n],
      ['query', 'slowed', 0n]
    ])
    expect(compareTraces(base, other)[4]).toMatchObject({
      base: { spans: 2, totalNs: 400n, meanNs: 200n },
      other: { spans: 1, totalNs: 400n, meanNs: 400n }
    })
  })

  it('are the same seen from either side', () => {
    const anyTrace = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.nat({ max: 100 })), { maxLength: 8 })
      .map(operations => trace(...operations))
    const mirrored = { appeared: 'vanished', vanished: 'appeared', slowed: 'sped_up', sped_up: 'slowed', unchanged: 'unchanged' }
    fc.assert(
      fc.property(anyTrace, anyTrace, (base, other) => {
        const there = compareTraces(base, other)
        const back = compareTraces(other, base)
        expect(back.map(({ operation }) => operation)).toEqual(there.map(({ operation }) => operation))
        for (const [i, { change, selfTimeDeltaNs, base: left, other: right }] of there.entries()) {
          expect(back[i]).toMatchObject({ selfTimeDeltaNs: -selfTimeDeltaNs, base: right, other: left })
          // A tenth more is not a tenth less: only the direction is mirrored.
          if (back[i]!.change !== 'unchanged' && change !== 'unchanged') expect(back[i]!.change).toBe(mirrored[change])
        }
      })
    )
  })
})
