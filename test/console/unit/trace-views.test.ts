import { describe, expect, it } from '@jest/globals'
import { findSpans, neighbour } from '../../../console/src/trace/find.js'
import { flameNodes } from '../../../console/src/trace/flame.js'
import { flameTarget, flameView } from '../../../console/src/trace/flame-view.js'
import { foldedToLevel, foldedToService } from '../../../console/src/trace/folded.js'
import { attributeQuery, windowAround } from '../../../console/src/trace/links.js'
import { mapPlaces } from '../../../console/src/trace/map-layout.js'
import { operationsOf } from '../../../console/src/trace/operations.js'
import { treeOf } from '../../../console/src/trace/outline.js'
import { joined, moved, placed, selfSections, viewBetween, WHOLE } from '../../../console/src/trace/sections.js'
import { buildTree, type TreeSpan } from '../../../console/src/trace/span-tree.js'

type Short = readonly [spanId: string, parent: number | null, startMs: number, durationMs: number, selfMs: number]

/** Spans whose service is the first letter of their id and whose operation is the letter. */
function treeWith(spans: readonly Short[], errors: readonly string[] = []): readonly TreeSpan[] {
  return buildTree(
    spans.map(([spanId, parent, startMs, durationMs, selfMs]) => ({
      ...{ spanId, parent, startMs, durationMs, selfMs, service: spanId.charAt(0), operation: `do ${spanId.charAt(0)}` },
      ...{ isError: errors.includes(spanId), isCritical: false, isParentMissing: false, hasException: false, logCount: 0 }
    }))
  )
}

/** a0 calls b0 and b1; b1 calls c0. */
const TREE = treeWith(
  [
    ['a0', null, 0, 100, 40],
    ['b0', 0, 10, 20, 20],
    ['b1', 0, 50, 40, 10],
    ['c0', 2, 55, 30, 30]
  ],
  ['c0']
)

describe('an outline', () => {
  it('becomes spans with their names and marks', () => {
    const tree = treeOf({
      outline: {
        ...{ serviceNames: ['web', ''], operationNames: ['GET', 'x'], spanIds: ['1', '2'], parents: [null, 0] },
        ...{ starts: [0, 1], durations: [5, 2], selfTimes: [3, null], services: [0, 1], operations: [0, 1] },
        ...{ flags: [2, 1 | 4 | 8], logCounts: [0, 7] }
      }
    })
    expect(tree[0]).toMatchObject({ service: 'web', operation: 'GET', parent: null, isCritical: true, isError: false, end: 2 })
    expect(tree[1]).toMatchObject({ service: '', parent: 0, depth: 1, selfMs: null, logCount: 7 })
    expect(tree[1]).toMatchObject({ isError: true, isParentMissing: true, hasException: true, isCritical: false })
  })
})

describe('sections of a bar', () => {
  it('are dark where no child runs', () => {
    expect(selfSections(TREE, TREE.at(0)!, 0)).toEqual([
      { startMs: 0, endMs: 10 },
      { startMs: 30, endMs: 50 },
      { startMs: 90, endMs: 100 }
    ])
    expect(selfSections(TREE, TREE.at(3)!, 0)).toEqual([{ startMs: 55, endMs: 85 }])
  })

  it('leave out what is thinner than a pixel', () => {
    expect(selfSections(TREE, TREE.at(0)!, 15)).toEqual([{ startMs: 30, endMs: 50 }])
  })

  it('end with the span when a child ends after it', () => {
    const tree = treeWith([
      ['a', null, 0, 10, 5],
      ['b', 0, 5, 100, 100]
    ])
    expect(selfSections(tree, tree.at(0)!, 0)).toEqual([{ startMs: 0, endMs: 5 }])
  })

  it('are joined across small gaps, in order', () => {
    const sections = [
      { startMs: 20, endMs: 30 },
      { startMs: 0, endMs: 9 },
      { startMs: 10, endMs: 15 }
    ]
    expect(joined(sections, 1)).toEqual([
      { startMs: 0, endMs: 15 },
      { startMs: 20, endMs: 30 }
    ])
  })
})

describe('the visible part of a trace', () => {
  it('is ordered, inside the trace, and never empty', () => {
    expect(viewBetween(0.7, 0.2)).toEqual({ from: 0.2, to: 0.7 })
    expect(viewBetween(-1, 2)).toEqual(WHOLE)
    const narrow = viewBetween(1, 1)
    expect(narrow.to).toBeGreaterThan(narrow.from)
    expect(narrow.to).toBeLessThanOrEqual(1)
  })

  it('keeps its width when it is moved to an end', () => {
    const { from, to } = moved({ from: 0.2, to: 0.5 }, 9)
    expect([from, to]).toEqual([0.7, 1])
  })

  it('cuts bars at its edges and drops those outside', () => {
    const view = { from: 0.5, to: 1 }
    expect(placed({ startMs: 25, endMs: 75 }, 100, view)).toEqual({ left: 0, width: 50 })
    expect(placed({ startMs: 0, endMs: 10 }, 100, view)).toBeNull()
    expect(placed({ startMs: 0, endMs: 0 }, 0, WHOLE)).toEqual({ left: 0, width: 0 })
  })
})

describe('finding spans', () => {
  it('looks at service, operation and the start of the id', () => {
    expect(findSpans(TREE, 'DO B')).toEqual([1, 2])
    expect(findSpans(TREE, 'c0')).toEqual([3])
    expect(findSpans(TREE, '  ')).toEqual([])
  })

  it('goes round in both directions', () => {
    expect(neighbour([1, 3], 1, 'next')).toBe(3)
    expect(neighbour([1, 3], 3, 'next')).toBe(1)
    expect(neighbour([1, 3], 1, 'previous')).toBe(3)
    expect(neighbour([], 1, 'next')).toBeNull()
  })
})

it('operations add up their spans, most self time first', () => {
  const operations = operationsOf(TREE)
  expect(operations.map(({ service, spans, errors, selfMs, maxMs }) => [service, spans, errors, selfMs, maxMs])).toEqual([
    ['a', 1, 0, 40, 100],
    ['b', 2, 0, 30, 40],
    ['c', 1, 1, 30, 30]
  ])
  expect(operations[1]).toMatchObject({ totalMs: 60, meanMs: 30, longestSpanId: 'b1' })
})

describe('the flame graph', () => {
  const nodes = flameNodes(TREE)

  it('merges spans of the same path and adds up self times', () => {
    expect(nodes.map(({ service, spans, errors, value, start }) => [service, spans, errors, value, start])).toEqual([
      ['a', 1, 0, 100, 0],
      ['b', 2, 0, 60, 0],
      ['c', 1, 1, 30, 0]
    ])
  })

  it('shows a node as wide as the picture, its ancestors above it', () => {
    const { boxes, rows, hidden } = flameView(nodes, nodes.at(1)!)
    expect(boxes.map(({ node, left, width }) => [node.service, left, width])).toEqual([
      ['a', 0, 1],
      ['b', 0, 1],
      ['c', 0, 0.5]
    ])
    expect([rows, hidden]).toEqual([3, 0])
  })

  it('counts what is too narrow', () => {
    const tree = treeWith([
      ['a', null, 0, 10, 1e6],
      ['b', 0, 0, 1, 1]
    ])
    expect(flameView(flameNodes(tree), null)).toMatchObject({ hidden: 1, rows: 1 })
  })

  it('moves along callers, callees and siblings', () => {
    const { boxes } = flameView(nodes, null)
    expect(flameTarget('ArrowDown', boxes, nodes.at(0)!)).toBe(nodes[1])
    expect(flameTarget('ArrowUp', boxes, nodes.at(2)!)).toBe(nodes[1])
    expect(flameTarget('ArrowRight', boxes, nodes.at(1)!)).toBe(nodes[1])
    expect(flameTarget('x', boxes, nodes.at(1)!)).toBeNull()
  })

  it('takes 10,000 levels without recursion', () => {
    const chain = treeWith(Array.from({ length: 10_000 }, (_, i): Short => [`s${i}`, i === 0 ? null : i - 1, i, 1, 1]))
    expect(flameNodes(chain).at(0)!.value).toBe(10_000)
    expect(flameView(flameNodes(chain), null).rows).toBe(200)
  })
})

it('folds to a level, or the spans of a service, and never a leaf', () => {
  expect(foldedToLevel(TREE, 1)).toEqual(['a0'])
  expect(foldedToLevel(TREE, 2)).toEqual(['b1'])
  expect(foldedToService(TREE, 'b')).toEqual(['b1'])
  expect(foldedToService(TREE, 'c')).toEqual([])
})

describe('the map', () => {
  it('has callers on the left of callees', () => {
    const places = mapPlaces(
      ['db', 'web', 'api'],
      [
        { source: 'web', target: 'api' },
        { source: 'api', target: 'db' },
        { source: 'api', target: 'api' }
      ]
    )
    expect(Object.fromEntries(places)).toEqual({
      ...{ web: { column: 0, row: 0 }, api: { column: 1, row: 0 }, db: { column: 2, row: 0 } }
    })
  })

  it('places every node of a cycle', () => {
    const calls = [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'a' }
    ]
    expect([...mapPlaces(['a', 'b'], calls).values()].map(({ column }) => column)).toEqual([0, 1])
  })
})

describe('links out of a trace', () => {
  it('have the window in which its logs are counted, and the zone', () => {
    expect(windowAround({ startTime: '2026-11-20T12:00:00.5Z', durationMs: 500 }, 'utc')).toEqual({
      ...{ from: '2026-11-20T11:00:00.5Z', to: '2026-11-20T13:00:01Z', tz: 'utc' }
    })
  })

  it('quote hostile attributes', () => {
    expect(attributeQuery('attributes', 'http.route', '/a b"')).toBe(String.raw`attributes.http.route:"/a b\""`)
    expect(attributeQuery('resource', 'a b:c', '1')).toBe(String.raw`resource.a\ b\:c:1`)
  })
})
