import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type GraphqlResult, postGraphql } from '../support/graphql-client.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

const LOG_BYTES = 250_000
/** Seven or eight logs fit in a page, and a request reads four pages. */
const PAGE_BYTES = 2 * 1024 * 1024
const REQUEST_BYTES = 4 * PAGE_BYTES
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024
const RANGE = 'range: { from: "now-1h" }'

interface Page {
  readonly nodes: readonly { readonly message: string }[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

const PAGE = `logs(${RANGE}, first: 100) { nodes { message } pageInfo { hasNextPage } }`

let service: ReadingService

beforeAll(async () => {
  service = await startReadingService({ flags: ['--limit-page-bytes', String(PAGE_BYTES), '--rate-queries', '1000'] })
  const logs = Array.from({ length: 12 }, (_, i) => ({ message: `${i} `.padEnd(LOG_BYTES, 'word '), service: 'large' }))
  await service.write('/api/v1/logs/batch?ack=searchable', { logs })
})

afterAll(() => service?.close())

const aliases = (count: number, field: string) => Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ')

async function post<Data>(fields: string): Promise<GraphqlResult<Data>> {
  return postGraphql<Data>(service.url, { query: `{ ${fields} }` }, service.session)
}

describe('a request of GraphQL for many large pages', () => {
  it('gets the first ones, and an error for each that is beyond its limit of bytes', async () => {
    const { status, data, errors, text } = await post<Record<string, Page | null>>(aliases(20, PAGE))
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(REQUEST_BYTES + LOG_BYTES)
    const pages = Object.values(data!).filter(page => page !== null)
    // The last ones end early. Stores differ in how many logs fit in a page.
    const readBytes = pages.flatMap(({ nodes }) => nodes).length * LOG_BYTES
    expect(readBytes).toBeGreaterThan(REQUEST_BYTES - 2 * LOG_BYTES)
    expect(readBytes).toBeLessThan(REQUEST_BYTES + LOG_BYTES)
    expect(pages.every(({ pageInfo }) => pageInfo.hasNextPage)).toBe(true)
    expect(errors).toHaveLength(20 - pages.length)
    for (const { message, extensions } of errors) {
      expect(extensions['code']).toBe('query_unsupported')
      expect(message).toMatch(`the limit is ${REQUEST_BYTES}; request fewer rows at once`)
    }
  })

  it('gets an error instead of lists of the rows of a page that are beyond it', async () => {
    const surrounding = 'nodes { surrounding(before: 12, after: 12) { message } }'
    const { status, data, errors, text } = await post<{ logs: null }>(`logs(${RANGE}, first: 8) { ${surrounding} }`)
    expect([status, data]).toEqual([200, { logs: null }])
    expect(text.length).toBeLessThan(10_000)
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['query_unsupported'])
  })

  it('gets an error instead of a response that repeats values beyond the limit', async () => {
    const { status, data, errors } = await post(`logs(${RANGE}, first: 8) { nodes { ${aliases(49, 'message')} } }`)
    expect([status, data]).toEqual([200, null])
    const message = `the response exceeds the limit of ${MAX_RESPONSE_BYTES} bytes; select fewer rows or fields`
    expect(errors).toEqual([{ message, extensions: { code: 'query_unsupported' } }])
  })

  it('does not count in the limit of the next one', async () => {
    for (let request = 0; request < 2; request++) {
      const { errors, text } = await post(aliases(3, PAGE))
      expect(errors).toEqual([])
      expect(text.length).toBeGreaterThan(20 * LOG_BYTES)
    }
  })
})
