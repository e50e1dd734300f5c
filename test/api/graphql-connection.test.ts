import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { IngestId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { queryGraphql, postGraphql } from '../support/graphql-client.js'
import { type GraphqlOverStores, serveGraphql, type StoreCall } from '../support/graphql-stores.js'
import { EMPTY_LOG } from '../support/empty-log.js'

const START_NS = 1_700_000_000_000_000_000n
const RANGE = { from: '2023-11-14T22:13:20Z', to: '2023-11-14T22:30:00Z' }
const COUNT = 30

function log(index: number): LogRecord {
  const isError = index % 3 === 0
  return {
    ...EMPTY_LOG,
    index,
    timestampNs: START_NS + BigInt(index) * 1_000_000_001n,
    message: `line ${index}`,
    level: isError ? 'error' : 'info',
    levelText: isError ? 'ERR' : 'info',
    severityNumber: isError ? 17 : 9,
    service: index % 2 === 0 ? 'web' : 'db',
    fields: { n: index }
  }
}

interface SearchSeen {
  readonly rows?: { readonly limit: number }
  readonly total?: boolean
  readonly histogram?: unknown
  readonly facets?: readonly unknown[]
}

let served: GraphqlOverStores
beforeAll(async () => {
  served = await serveGraphql()
  const ingestId = '01HF7YAT00AAAAAAAAAAAAAAAA' as IngestId
  await served.stores.logs.append(served.namespace.id, { ingestId, items: Array.from({ length: COUNT }, (_, i) => log(i)) })
  await served.stores.logs.settle(served.namespace.id)
})
afterAll(() => served?.close())
beforeEach(() => {
  served.takeCalls()
})

/** The calls of stores that a query led to. */
async function callsOf(query: string, variables: Record<string, unknown> = {}): Promise<readonly StoreCall[]> {
  await queryGraphql(served.url, query, { range: RANGE, ...variables })
  return served.takeCalls()
}

/** The searches that a query led to. */
async function searchesOf(query: string, variables: Record<string, unknown> = {}): Promise<SearchSeen[]> {
  const calls = await callsOf(query, variables)
  expect(calls.every(({ name }) => name === 'logs.search')).toBe(true)
  return calls.map(({ args }) => args[1] as SearchSeen)
}

describe('one connection of logs', () => {
  it('calls the store once for rows, count, histogram and facets together', async () => {
    const searches = await searchesOf(
      `query Q($range: TimeRange!) { logs(range: $range, first: 5) {
        edges { cursor node { id } } nodes { id message } pageInfo { hasNextPage } window { from } total { value }
        histogram(buckets: 10, by: "level") { series { key } } facets(fields: ["service", "level"]) { field } stats { complete } } }`
    )
    expect(searches).toHaveLength(1)
    expect(searches[0]).toMatchObject({ rows: { limit: 5 }, total: true })
    expect(searches[0]!.histogram).toBeDefined()
    expect(searches[0]!.facets).toHaveLength(2)
  })

  it('selects facets once for equal limits, at a cost that grows with them', async () => {
    const withLimits = (count: number, limitOf: (i: number) => number): string => {
      const fields = Array.from({ length: count }, (_, i) => `f${i}: suggestedFacets(limit: ${limitOf(i)}) { facets { field } }`)
      return `query Q($range: TimeRange!) { logs(range: $range, first: 0) { ${fields.join(' ')} } }`
    }
    const refusal = async (query: string): Promise<unknown> => {
      const { errors } = await postGraphql(served.url, { query, variables: { range: RANGE } })
      return [errors[0]?.extensions['code'], errors[0]?.extensions['limit']]
    }
    expect(await refusal(withLimits(50, () => 1_000))).toEqual(['invalid_query', 'units of cost'])
    expect(await refusal(withLimits(50, i => i + 1))).toEqual(['invalid_query', 'units of cost'])
    expect(served.takeCalls()).toEqual([])
    const once = await callsOf(withLimits(1, () => 5))
    expect(await callsOf(withLimits(3, () => 5))).toEqual(once)
    expect(await callsOf(withLimits(3, i => i + 5))).toHaveLength(3 * once.length)
  })

  it('requests only what is selected', async () => {
    const [onlyTotal] = await searchesOf('query Q($range: TimeRange!) { logs(range: $range) { total { value } } }')
    expect(onlyTotal).toMatchObject({ total: true })
    expect([onlyTotal!.rows, onlyTotal!.histogram, onlyTotal!.facets?.length ?? 0]).toEqual([undefined, undefined, 0])
    const [onlyRows] = await searchesOf('query Q($range: TimeRange!) { logs(range: $range) { nodes { id } } }')
    expect(onlyRows!.rows).toBeDefined()
    expect([onlyRows!.total ?? false, onlyRows!.histogram]).toEqual([false, undefined])
  })

  it('gathers through fragments, aliases, @include and @skip', async () => {
    const query = `query Q($range: TimeRange!, $yes: Boolean!, $no: Boolean!) {
      logs(range: $range) { ...Counts again: total { value } ... @include(if: $no) { nodes { id } } ... on LogConnection @skip(if: $no) { ...Facets }
        histogram @skip(if: $yes) { series { key } } } }
      fragment Counts on LogConnection { total { value } }
      fragment Facets on LogConnection { a: facets(fields: ["service"]) { field } b: facets(fields: ["level", "service"]) { field } }`
    const searches = await searchesOf(query, { yes: true, no: false })
    expect(searches).toHaveLength(1)
    expect(searches[0]!.facets).toHaveLength(2)
    expect([searches[0]!.rows, searches[0]!.histogram]).toEqual([undefined, undefined])
  })

  it('sends one request for each connection of one operation', async () => {
    const query = `query Q($range: TimeRange!) {
      a: logs(range: $range) { total { value } nodes { id } } b: logs(range: $range, filter: { levels: [ERROR] }) { total { value } nodes { id } } }`
    expect(await searchesOf(query)).toHaveLength(2)
  })

  it('counts patterns once for the list and its facts, and again for other arguments', async () => {
    const query = (facts: string): string =>
      `query Q($range: TimeRange!) { logs(range: $range) { patterns(limit: 5) { id } patternFacts(${facts}) { logs } } }`
    expect(await searchesOf(query('limit: 5'))).toHaveLength(1)
    expect(await searchesOf(query('limit: 5, compare: { from: "now-2h", to: "now-1h" }'))).toHaveLength(3)
  })

  it('sends no request when nothing but the type is selected', async () => {
    expect(await searchesOf('query Q($range: TimeRange!) { logs(range: $range) { __typename } }')).toHaveLength(0)
  })
})

interface Page {
  readonly logs: {
    readonly nodes: readonly {
      readonly message: string
      readonly timestamp: string
      readonly level: string
      readonly levelText: string
    }[]
    readonly edges: readonly { readonly cursor: string }[]
    readonly pageInfo: Readonly<Record<'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor', unknown>>
  }
}

const PAGE = `query P($range: TimeRange!, $first: Int, $after: String, $last: Int, $before: String, $order: SortDirection = DESC, $filter: LogFilter) {
  logs(range: $range, first: $first, after: $after, last: $last, before: $before, order: $order, filter: $filter) {
    nodes { message timestamp level levelText } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

async function page(variables: Record<string, unknown>): Promise<Page['logs']> {
  return (await queryGraphql<Page>(served.url, PAGE, { range: RANGE, ...variables })).logs
}

describe('pages of logs', () => {
  it('go forward to the end without a gap or a repeat, newest first', async () => {
    const messages: string[] = []
    let after: unknown = null
    for (let turn = 0; turn < 5; turn++) {
      const { nodes, pageInfo } = await page({ first: 7, after })
      messages.push(...nodes.map(({ message }) => message))
      if (pageInfo.hasNextPage !== true) break
      after = pageInfo.endCursor
    }
    expect(messages).toEqual(Array.from({ length: COUNT }, (_, i) => `line ${COUNT - 1 - i}`))
  })

  it('go back from a cursor to the page before it', async () => {
    const first = await page({ first: 5 })
    const second = await page({ first: 5, after: first.pageInfo.endCursor })
    const back = await page({ last: 5, before: second.pageInfo.startCursor })
    expect(back.nodes).toEqual(first.nodes)
  })

  it('refuse a cursor under another filter, both directions at once, and more rows than a page holds', async () => {
    const { pageInfo } = await page({ first: 5 })
    const refused = async (variables: Record<string, unknown>) =>
      (await postGraphql(served.url, { query: PAGE, variables: { range: RANGE, ...variables } })).errors[0]?.extensions['code']
    expect(await refused({ first: 5, after: pageInfo.endCursor, filter: { levels: ['ERROR'] } })).toBe('invalid_field')
    expect(await refused({ first: 5, last: 5 })).toBe('invalid_field')
    expect(await refused({ first: 5_001 })).toBe('invalid_field')
  })

  it('keep nanoseconds, canonical levels and sent levels', async () => {
    const { nodes } = await page({ first: 2, order: 'ASC', filter: { levels: ['ERROR'], services: ['db'] } })
    expect(nodes).toEqual([
      { message: 'line 3', timestamp: '2023-11-14T22:13:23.000000003Z', level: 'ERROR', levelText: 'ERR' },
      { message: 'line 9', timestamp: '2023-11-14T22:13:29.000000009Z', level: 'ERROR', levelText: 'ERR' }
    ])
  })
})
