import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { SearchContext } from '../../../src/stores/elasticsearch/read/pages.js'
import { Scope } from '../../../src/stores/elasticsearch/read/scope.js'
import type { SearchBody, SearchResponse } from '../../../src/stores/elasticsearch/read/search-engine.js'
import { SUFFIXES_NOT_INDEXED, TraceSuffixes } from '../../../src/stores/elasticsearch/read/trace-suffixes.js'

const NS = 'testnamespace01' as NamespaceId
const RANGE = { startNs: 1n, endNs: 2n }
const REQUEST = { range: RANGE, suffixes: ['00f067aa0ba902b7'], limit: 3 }

/** An engine with one trace that is indexed; `bare` are spans that are not. */
function engineOf(state: { bare: boolean }): { context: SearchContext; sent: SearchBody[] } {
  const target = { indices: ['spans'], mandatory: [{ term: { ns: NS } }], search: 'exact' } as unknown as Scope['target']
  const sent: SearchBody[] = []
  const search = async (_indices: readonly string[], body: SearchBody): Promise<SearchResponse> => {
    sent.push(body)
    if (body.aggs === undefined) return { hits: { hits: state.bare ? [{ _source: {} }] : [] } }
    return { hits: { hits: [] }, aggregations: { suffixes: { buckets: [{ ids: { buckets: [{ key: 'found' }] } }] } } }
  }
  return { context: { engine: { search }, scope: new Scope(target, RANGE), signal: new AbortController().signal }, sent }
}

describe('traces by the last 16 digits of their ids on search stores', () => {
  it('are not complete while spans of an earlier version are in the range', async () => {
    const state = { bare: true }
    const { context, sent } = engineOf(state)
    const suffixes = new TraceSuffixes()
    expect(await suffixes.find(NS, context, REQUEST)).toEqual({
      traceIds: ['found'],
      complete: false,
      warnings: [SUFFIXES_NOT_INDEXED]
    })
    state.bare = false
    expect(await suffixes.find(NS, context, REQUEST)).toEqual({ traceIds: ['found'], complete: true, warnings: [] })
    sent.length = 0
    expect((await suffixes.find(NS, context, REQUEST)).complete).toBe(true)
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent)).toContain(NS)
  })

  it('cost no request without a suffix', async () => {
    const { context, sent } = engineOf({ bare: true })
    expect(await new TraceSuffixes().find(NS, context, { ...REQUEST, suffixes: [] })).toMatchObject({ traceIds: [] })
    expect(sent).toEqual([])
  })
})
