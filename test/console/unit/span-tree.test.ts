import { describe, expect, it } from '@jest/globals'
import { ancestorsOf, buildTree, type SpanFacts, visibleSpans } from '../../../console/src/trace/span-tree.js'

function span(spanId: string, parent: number | null): SpanFacts {
  return {
    ...{ spanId, parent, service: 's', operation: spanId, startMs: 0, durationMs: 1, selfMs: 1 },
    ...{ isError: false, isCritical: false, isParentMissing: false, hasException: false, logCount: 0 }
  }
}

/** a > (b > (c, d), e), f */
const TREE = buildTree([span('a', null), span('b', 0), span('c', 1), span('d', 1), span('e', 0), span('f', null)])

describe('the spans of a trace', () => {
  it('have their depth and the extent of what is below them', () => {
    expect(TREE.map(({ spanId, depth, end }) => [spanId, depth, end])).toEqual([
      ['a', 0, 5],
      ['b', 1, 4],
      ['c', 2, 3],
      ['d', 2, 4],
      ['e', 1, 5],
      ['f', 0, 6]
    ])
  })

  it('hide what is inside folded ones', () => {
    const ids = (folded: readonly string[]): string =>
      visibleSpans(TREE, new Set(folded))
        .map(({ spanId }) => spanId)
        .join('')
    expect(ids([])).toBe('abcdef')
    expect(ids(['b'])).toBe('abef')
    expect(ids(['a', 'b'])).toBe('af')
    expect(ids(['c', 'unknown'])).toBe('abcdef')
  })

  it('know their ancestors, and an unknown span has none', () => {
    expect(ancestorsOf(TREE, 3)).toEqual(['b', 'a'])
    expect(ancestorsOf(TREE, -1)).toEqual([])
  })

  it('nest 10,000 deep without recursion', () => {
    const chain = buildTree(Array.from({ length: 10_000 }, (_, index) => span(`s${index}`, index === 0 ? null : index - 1)))
    expect(chain.at(-1)!.depth).toBe(9_999)
    expect(chain[0]).toHaveProperty('end', 10_000)
  })
})
