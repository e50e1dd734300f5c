import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { SpanEvent, StoredSpan } from '../../../../src/domain/span.js'
import { criticalPathSteps } from '../../../../src/query/traces/critical-path.js'
import { selfTimeSteps } from '../../../../src/query/traces/self-time.js'
import { traceMapSteps } from '../../../../src/query/apm/trace-map.js'
import { spanTreeSteps } from '../../../../src/query/traces/span-tree.js'
import { traceViewSteps } from '../../../../src/query/traces/trace-view.js'
import { inOneGo, spanTree, traceView } from '../../../support/trace-view.js'
import { spanIdOf, storedSpan } from '../../../support/stored-span.js'

function span(n: number, parent: number | null, startNs: number, durationNs: number, more: Partial<StoredSpan> = {}): StoredSpan {
  return storedSpan({
    spanId: spanIdOf(n),
    parentSpanId: parent === null ? null : spanIdOf(parent),
    timestampNs: BigInt(startNs),
    durationNs: BigInt(durationNs),
    ...more
  })
}

const COUNT = 12
/** Any graph at all: cycles, self references, parents that are not there, several roots. */
const anySpans = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat({ max: COUNT }), { nil: null, freq: 5 }),
      start: fc.nat({ max: 60 }),
      duration: fc.nat({ max: 40 })
    }),
    { minLength: 1, maxLength: COUNT }
  )
  .map(spans => spans.map(({ parent, start, duration }, n) => span(n, parent, start, duration)))

describe('the tree of a trace', () => {
  it('holds every span once, parents before children, siblings by start, whatever the parents are', () => {
    fc.assert(
      fc.property(anySpans, spans => {
        const { nodes, roots } = spanTree(spans)
        expect(nodes.map(node => node.span.spanId).sort()).toEqual(spans.map(one => one.spanId).sort())
        for (const [at, { span: own, parent, depth, children }] of nodes.entries()) {
          if (parent === null) {
            expect([roots.includes(at), depth]).toEqual([true, 0])
          } else {
            expect(parent).toBeLessThan(at)
            expect([nodes[parent]!.span.spanId, depth]).toEqual([own.parentSpanId, nodes[parent]!.depth + 1])
          }
          const starts = children.map(child => nodes[child]!.span.timestampNs)
          expect(starts).toEqual(starts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
        }
      })
    )
  })

  it('does not depend on the order in which spans arrive', () => {
    fc.assert(
      fc.property(
        anySpans.chain(spans => fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length }))),
        ([spans, shuffled]) => {
          expect(traceView(shuffled).spans).toEqual(traceView(spans).spans)
        }
      )
    )
  })

  it('keeps a real root before the members of a cycle', () => {
    const { nodes, roots } = spanTree([span(0, 1, 0, 5), span(1, 0, 1, 5), span(2, null, 3, 5), span(3, 3, 4, 1)])
    expect(nodes.map(node => [node.span.spanId, node.depth])).toEqual([
      [spanIdOf(2), 0],
      [spanIdOf(3), 0],
      [spanIdOf(0), 0],
      [spanIdOf(1), 1]
    ])
    expect(roots.map(root => nodes[root]!.span.spanId)).toEqual([spanIdOf(0), spanIdOf(2), spanIdOf(3)])
  })

  it('is built of 10,000 spans below one another without recursion', () => {
    const chain = Array.from({ length: 10_000 }, (_, n) => span(n, n === 0 ? null : n - 1, n, 20_000 - 2 * n))
    const view = traceView(chain.toReversed())
    expect(view.spans.at(-1)).toMatchObject({ depth: 9_999 })
    expect(view.criticalPath.reduce((sum, part) => sum + part.durationNs, 0n)).toBe(20_000n)
  })

  it('is built of 10,000 spans below one root', () => {
    const flat = Array.from({ length: 10_000 }, (_, n) => (n === 0 ? span(0, null, 0, 20_000) : span(n, 0, n, 1)))
    const view = traceView(flat)
    expect(view.spans[0]).toMatchObject({ childCount: 9_999, selfTimeNs: 10_001n })
    expect(view.criticalPath).toHaveLength(9_999 + 2)
  })
})

describe('the work of a wide trace', () => {
  const SPANS = 20_000
  const wide = Array.from({ length: SPANS }, (_, i) => span(i + 1, i === 0 ? null : 1, 0, i === 0 ? SPANS : i))
  const tree = spanTree(wide)

  it.each([
    ['its tree', () => spanTreeSteps(wide)],
    ['self times', () => selfTimeSteps(tree)],
    ['the critical path', () => criticalPathSteps(tree)],
    ['its view', () => traceViewSteps(wide)],
    ['its map', () => traceMapSteps(traceView(wide))]
  ])('has steps of some hundred spans: %s', (_, stepsOf) => {
    let count = 0
    for (const steps = stepsOf(); steps.next().done !== true;) count++
    expect(count).toBeGreaterThanOrEqual(SPANS / 500 - 1)
  })
})

/** By the definition: the nanoseconds of the span in which no child ran. */
function slowSelfTime(own: StoredSpan, children: readonly StoredSpan[]): bigint {
  let count = 0n
  for (let at = own.timestampNs; at < own.timestampNs + own.durationNs; at++)
    if (!children.some(({ timestampNs, durationNs }) => timestampNs <= at && at < timestampNs + durationNs)) count++
  return count
}

describe('self time', () => {
  it('is what no child covers, overlapping children counted once', () => {
    fc.assert(
      fc.property(anySpans, spans => {
        const tree = spanTree(spans)
        const expected = tree.nodes.map(({ span: own, children }) =>
          slowSelfTime(
            own,
            children.map(child => tree.nodes[child]!.span)
          )
        )
        expect(inOneGo(selfTimeSteps(tree))).toEqual(expected)
      })
    )
  })
})

describe('the critical path', () => {
  it('covers the longest root from end to end, in order, each span only while it ran', () => {
    fc.assert(
      fc.property(anySpans, spans => {
        const tree = spanTree(spans)
        const path = inOneGo(criticalPathSteps(tree))
        const longest = tree.roots.map(root => tree.nodes[root]!.span).toSorted((a, b) => Number(b.durationNs - a.durationNs))[0]!
        expect(path.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0n)).toBe(longest.durationNs)
        for (const [i, { node, startNs, endNs }] of path.entries()) {
          expect(startNs).toBeLessThan(endNs)
          expect(startNs).toBe(i === 0 ? longest.timestampNs : path[i - 1]!.endNs)
          const { timestampNs, durationNs } = tree.nodes[node]!.span
          expect(timestampNs <= startNs && endNs <= timestampNs + durationNs).toBe(true)
        }
      })
    )
  })

  it('goes through the child that ended last, and the one before it', () => {
    const spans = [span(0, null, 0, 100), span(1, 0, 10, 30), span(2, 0, 20, 40), span(3, 0, 70, 20), span(4, 2, 25, 10)]
    const path = traceView(spans).criticalPath
    expect(path.map(({ spanId, startOffsetNs, durationNs }) => [Number(`0x${spanId}`) - 1, startOffsetNs, durationNs])).toEqual([
      [0, 0n, 20n],
      [2, 20n, 5n],
      [4, 25n, 10n],
      [2, 35n, 25n],
      [0, 60n, 10n],
      [3, 70n, 20n],
      [0, 90n, 10n]
    ])
  })
})

describe('the view of a trace', () => {
  it('shares spans, errors, self time and the critical path among services', () => {
    fc.assert(
      fc.property(anySpans, fc.array(fc.constantFrom('a', 'b', null), { minLength: COUNT, maxLength: COUNT }), (spans, names) => {
        const served = spans.map((one, n) => ({
          ...one,
          service: names[n]!,
          status: n % 3 === 0 ? ('error' as const) : one.status
        }))
        const { services, criticalPath: path, spans: viewed, errorSpanCount } = traceView(served)
        expect(services.reduce((sum, { spans: count }) => sum + count, 0)).toBe(served.length)
        expect(services.reduce((sum, { errors }) => sum + errors, 0)).toBe(errorSpanCount)
        const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n)
        expect(sum(services.map(one => one.selfTimeNs))).toBe(sum(viewed.map(one => one.selfTimeNs)))
        expect(sum(services.map(one => one.criticalNs))).toBe(sum(path.map(one => one.durationNs)))
      })
    )
  })

  it('reports when spans are missing', () => {
    expect(traceView([span(0, null, 0, 5), span(1, 0, 1, 2)]).hasMissingSpans).toBe(false)
    expect(traceView([span(0, null, 0, 5), span(1, 7, 1, 2)]).hasMissingSpans).toBe(true)
    expect(traceView([span(0, 1, 0, 5), span(1, 0, 1, 2)])).toMatchObject({
      hasMissingSpans: true,
      rootSpan: { spanId: spanIdOf(0) }
    })
    expect(traceView([span(0, 9, 0, 5), span(1, null, 3, 2)])).toMatchObject({ rootSpan: { spanId: spanIdOf(1) } })
  })

  it('reads exceptions from events, nested attributes too, and leaves other events alone', () => {
    const events: readonly SpanEvent[] = [
      { name: 'exception', timestampNs: 3n, attributes: { 'exception.type': 'IOError', 'exception.message': 'gone' } },
      { name: 'exception', timestampNs: 4n, attributes: { exception: { type: 'Nested', stacktrace: 'at x' } } },
      { name: 'retry', timestampNs: 5n, attributes: { 'exception.type': 'no' } }
    ]
    expect(traceView([span(0, null, 0, 5, { events })]).spans[0]!.exceptions).toEqual([
      { type: 'IOError', message: 'gone', stacktrace: null, timestampNs: 3n },
      { type: 'Nested', message: null, stacktrace: 'at x', timestampNs: 4n }
    ])
  })

  it('of no spans is empty', () => {
    expect(traceView([])).toEqual({
      ...{ startNs: 0n, durationNs: 0n, spans: [], rootSpan: null, errorSpanCount: 0 },
      ...{ hasMissingSpans: true, criticalPath: [], services: [] }
    })
  })
})
