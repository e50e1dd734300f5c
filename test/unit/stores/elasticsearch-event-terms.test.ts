import { describe, expect, it } from '@jest/globals'
import type { Field, Filter } from '../../../src/domain/filter.js'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { EVENTS_NOT_INDEXED, EventTerms } from '../../../src/stores/elasticsearch/read/readers.js'
import type { SearchContext } from '../../../src/stores/elasticsearch/read/pages.js'
import { Scope } from '../../../src/stores/elasticsearch/read/scope.js'

const NS = 'testnamespace01' as NamespaceId
const OTHER = 'testnamespace02' as NamespaceId
const exists = (where: Field['in']): Filter => ({ kind: 'exists', field: { in: where, name: 'a' } })

/** An engine that responds to one search after the other: whether it finds a document without terms. */
function contextOf(replies: boolean[]): { context: SearchContext; left: () => number } {
  const target = { indices: ['spans'], mandatory: [], search: 'exact' } as unknown as Scope['target']
  const search = async () => ({ hits: { hits: replies.shift() === true ? [{ _source: {} }] : [] } })
  const context: SearchContext = {
    engine: { search },
    scope: new Scope(target, { startNs: 1n, endNs: 2n }),
    signal: new AbortController().signal
  }
  return { context, left: () => replies.length }
}

describe('spans of versions that did not index events', () => {
  it('are named in searches that need the index', async () => {
    const terms = new EventTerms()
    for (const where of ['events', 'links', 'free'] as const)
      expect(await terms.warnings(NS, contextOf([true]).context, { kind: 'not', of: exists(where) })).toEqual([
        EVENTS_NOT_INDEXED
      ])
    const { context, left } = contextOf([true])
    for (const where of ['log_fields', 'tags', 'known'] as const)
      expect(await terms.warnings(NS, context, exists(where))).toEqual([])
    expect(left()).toBe(1)
  })

  it('are looked for until none is left at any time, for each namespace', async () => {
    const terms = new EventTerms()
    expect(await terms.warnings(NS, contextOf([false, true]).context, exists('events'))).toEqual([])
    expect(await terms.warnings(NS, contextOf([false, false]).context, exists('events'))).toEqual([])
    expect(await terms.warnings(NS, contextOf([true]).context, exists('events'))).toEqual([])
    expect(await terms.warnings(OTHER, contextOf([true]).context, exists('events'))).toEqual([EVENTS_NOT_INDEXED])
  })
})
