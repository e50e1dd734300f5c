import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import type { FacetRequest, SearchRequest } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { NEVER } from '../contract/store-under-test.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLog } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

// Facets and totals that follow from a page are those that the engine counts.

/** Equal counts are ordered by code point: the last one is before U+FFFD by the units of JavaScript, and after it here. */
const SERVICES = ['checkout', 'cart', '', 'Checkout', null, '\u{fffd}', '\u{1f600}'] as const
const LOGS = 40
const SPAN_A = 'a'.repeat(16)
const FAILED: Filter = { kind: 'eq', field: { in: 'known', name: 'level' }, value: 'error' }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

beforeAll(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path)
  const items = Array.from({ length: LOGS }, (_, i) =>
    testLog(i, {
      timestampNs: NOON_NS + BigInt(i),
      service: SERVICES[i % SERVICES.length]!,
      level: i % 3 === 0 ? 'error' : 'info',
      spanId: i % 5 === 0 ? null : i % 2 === 0 ? SPAN_A : 'b'.repeat(16),
      fields: { status: i % 4 }
    })
  )
  await stores.logs.append(NS, { ingestId: nextIngestId(), items })
})
afterAll(async () => {
  await stores?.close()
  await folder?.remove()
})

const facet = (name: string, filter: Filter, more: Partial<FacetRequest> = {}): FacetRequest => {
  return { field: { in: 'known', name }, filter, limit: 10, ...more }
}

const FACETS = (filter: Filter): readonly FacetRequest[] => [
  facet('service', filter),
  facet('service', filter, { limit: 2, lastSeen: true }),
  facet('service', filter, { prefix: 'ch' }),
  facet('service', filter, { contains: 'CHECK' }),
  facet('service', filter, { limit: 0 }),
  facet('span_id', filter),
  facet('severity_number', filter),
  facet('level', MATCH_ALL),
  { field: { in: 'log_fields', name: 'status' }, filter, limit: 10 }
]

async function search(request: Partial<SearchRequest> & { readonly filter: Filter }): Promise<object> {
  const { rows: _, hasMore: __, ...counted } = await stores.logs.search(NS, { range: ALL_TIME, total: true, ...request }, NEVER)
  return counted
}

const NOTHING: Filter = { kind: 'eq', field: { in: 'known', name: 'service' }, value: 'none' }

it.each([
  ['all logs, all on the page', MATCH_ALL, LOGS],
  ['all logs, one of them not on the page', MATCH_ALL, LOGS - 1],
  ['no log on the page', MATCH_ALL, 0],
  ['some logs', FAILED, LOGS],
  ['no log', NOTHING, LOGS]
] as const)('are the same with a page: %s', async (_, filter, limit) => {
  const facets = FACETS(filter)
  const counted = await search({ filter, facets })
  expect(await search({ filter, facets, rows: { limit, order: 'desc' } })).toEqual(counted)
})

it('count the rows before the page, too, and those that its bytes cut', async () => {
  const facets = FACETS(MATCH_ALL)
  const counted = await search({ filter: MATCH_ALL, facets })
  const { rows } = await stores.logs.search(NS, { range: ALL_TIME, filter: MATCH_ALL, rows: { limit: 1, order: 'desc' } }, NEVER)
  const after = { timestampNs: rows![0]!.timestampNs, id: rows![0]!.id }
  expect(await search({ filter: MATCH_ALL, facets, rows: { limit: LOGS, order: 'desc', after } })).toEqual(counted)
  expect(await search({ filter: MATCH_ALL, facets, rows: { limit: LOGS, order: 'desc', maxBytes: 1 } })).toEqual(counted)
})
