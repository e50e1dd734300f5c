import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import type { NamespaceId, RecordId } from '../../src/domain/ids.js'
import type { SearchRequest } from '../../src/domain/search.js'
import { HttpSearchEngine, type Requester } from '../../src/stores/elasticsearch/read/http-search-engine.js'
import { logReader } from '../../src/stores/elasticsearch/read/readers.js'
import { NEVER } from '../contract/fresh-ids.js'

const GOLDEN = new URL('../fixtures/elasticsearch-search.json', import.meta.url)

const START_NS = 1_700_000_000_000_000_000n
const range = { startNs: START_NS, endNs: START_NS + 3_600_000_000_000n }
const service = { in: 'known', name: 'service' } as const
const level = { in: 'known', name: 'level' } as const
const isWeb: Filter = { kind: 'eq', field: service, value: 'web' }
const hasNeedle: Filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: 'needle' }
const both: Filter = { kind: 'and', of: [isWeb, hasNeedle] }

const REQUESTS: Readonly<Record<string, SearchRequest>> = {
  'a page of rows': { range, filter: isWeb, rows: { limit: 100, order: 'desc' } },
  'the next page, upwards': {
    range,
    filter: MATCH_ALL,
    rows: {
      limit: 5_000,
      order: 'asc',
      maxBytes: 1_000,
      after: { timestampNs: START_NS + 1n, id: '01J0000000000000000000000A0000001' as RecordId }
    }
  },
  'a total alone': { range, filter: both, total: true },
  'all that a page of logs shows': {
    range,
    filter: both,
    rows: { limit: 100, order: 'desc' },
    total: true,
    histogram: { startNs: START_NS, stepNs: 60_000_000_000n, count: 60, by: level },
    facets: [
      { field: service, filter: hasNeedle, limit: 10 },
      { field: { in: 'free', name: 'region' }, filter: both, limit: 10, prefix: 'eu-' }
    ]
  },
  'a filter that may need a look': {
    range,
    filter: { kind: 'regex', field: service, pattern: 'w.b', fold: false },
    total: true
  },
  'a grid that begins within a millisecond': {
    range,
    filter: MATCH_ALL,
    histogram: { startNs: START_NS + 1n, stepNs: 1_800_000_000_000n, count: 2 }
  }
}

type Call = Parameters<Requester['request']>[0]

/** The first request that a search sends. */
async function firstCall(request: SearchRequest, indices: readonly string[]): Promise<Call> {
  const calls: Call[] = []
  const client: Requester = {
    request: call => {
      calls.push(call)
      return Promise.reject(new Error('recorded'))
    }
  }
  const target = { indices, mandatory: [{ term: { ns: 'ns1' } }], search: 'exact' as const }
  const engine = new HttpSearchEngine(client, { timeoutMs: 1_000, maxResponseBytes: 1_000_000 }, null)
  const reader = logReader({ engine, targets: { of: () => Promise.resolve(target) } })
  await reader.search('ns1' as NamespaceId, request, NEVER).catch(() => undefined)
  return calls[0]!
}

async function sent(name: string): Promise<unknown> {
  const { method, path, query, body } = await firstCall(REQUESTS[name]!, ['logs-1', 'logs-2'])
  return JSON.parse(JSON.stringify({ method, path, query, body }))
}

if (process.env['WRITE_GOLDEN'] === '1') {
  const all: [string, unknown][] = []
  for (const name of Object.keys(REQUESTS)) all.push([name, await sent(name)])
  writeFileSync(GOLDEN, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
}

describe('searches as they are sent', () => {
  const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Readonly<Record<string, unknown>>

  it.each(Object.keys(REQUESTS))('requests %s', async name => {
    expect(await sent(name)).toEqual(golden[name])
  })

  it('demands what the target demands in every one of them', () => {
    expect(Object.keys(golden)).toEqual(Object.keys(REQUESTS))
    for (const call of Object.values(golden) as { body: { query: { bool: { filter: unknown[] } } } }[])
      expect(call.body.query.bool.filter[0]).toEqual({ term: { ns: 'ns1' } })
  })

  it('names indices in the body when there are too many for a request line', async () => {
    const indices = Array.from({ length: 100 }, (_, i) => `logs-alidade.app-0123456789abcdef-${String(i).padStart(6, '0')}`)
    const { path, body } = await firstCall({ range, filter: MATCH_ALL, rows: { limit: 1, order: 'asc' } }, indices)
    const [header, search] = (body as Buffer).toString().trimEnd().split('\n')
    expect(path).toBe('/_msearch')
    expect(JSON.parse(header!)).toEqual({
      index: indices,
      ignore_unavailable: true,
      allow_no_indices: true,
      search_type: 'dfs_query_then_fetch'
    })
    expect(JSON.parse(search!)).toMatchObject({ size: 2, sort: [{ '@timestamp': 'asc' }, { id: 'asc' }] })
  })

  it('sends no search for a namespace without indices', async () => {
    expect(await firstCall(REQUESTS['a page of rows']!, [])).toBeUndefined()
  })
})
