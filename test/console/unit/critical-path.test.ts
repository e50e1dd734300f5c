import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { criticalSections } from '../../../console/src/trace/critical.js'
import { treeOf } from '../../../console/src/trace/outline.js'
import type { StoredSpan } from '../../../src/domain/span.js'
import { traceOutlineSteps } from '../../../src/query/traces/trace-outline.js'
import { spanIdOf, storedSpan } from '../../support/stored-span.js'
import { traceView } from '../../support/trace-view.js'

const MS = 1_000_000n

/** The page of a trace as the service outlines it, and the critical path as the service has it. */
function both(spans: readonly StoredSpan[]) {
  const view = traceView(spans)
  const steps = traceOutlineSteps(view)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const { value: outline } = step
  const tree = treeOf({ outline: { ...outline, logCounts: outline.spanIds.map(() => 0) } })
  const drawn = [...criticalSections(tree)]
    .flatMap(([index, sections]) => sections.map(section => ({ spanId: tree.at(index)!.spanId, ...section })))
    .toSorted((a, b) => a.startMs - b.startMs)
  const expected = view.criticalPath.map(({ spanId, startOffsetNs, durationNs }) => ({
    spanId,
    startMs: Number(startOffsetNs / MS),
    endMs: Number((startOffsetNs + durationNs) / MS)
  }))
  return { drawn, expected }
}

it('the critical path that the page draws from the outline is that of the service', () => {
  const anySpan = fc.record({
    parent: fc.option(fc.nat({ max: 20 }), { freq: 8 }),
    start: fc.nat({ max: 60 }),
    duration: fc.integer({ min: 1, max: 60 })
  })
  fc.assert(
    fc.property(fc.array(anySpan, { minLength: 1, maxLength: 20 }), found => {
      const { drawn, expected } = both(
        found.map(({ parent, start, duration }, n) =>
          storedSpan({
            spanId: spanIdOf(n + 1),
            // An earlier span, or none.
            parentSpanId: parent === null || n === 0 ? null : spanIdOf((parent % n) + 1),
            timestampNs: BigInt(start) * MS,
            durationNs: BigInt(duration) * MS
          })
        )
      )
      expect(drawn).toEqual(expected)
    }),
    { numRuns: 2_000 }
  )
})
