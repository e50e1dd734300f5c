import { describe, expect, it } from '@jest/globals'
import { postGraphql } from '../support/graphql-client.js'
import { startReadingService } from '../support/reading-service.js'

const MANY = 100_000
const AT_ONCE = 10_000

describe('a namespace of 100,000 hosts', () => {
  it('lists the most frequent ones, reports it, and finds the others by a part of their name', async () => {
    const other = await startReadingService()
    try {
      for (let from = 0; from < MANY; from += AT_ONCE) {
        const logs = Array.from({ length: AT_ONCE }, (_, i) => ({
          message: 'm',
          host: `host-${String(from + i).padStart(6, '0')}`
        }))
        await other.write('/api/v1/logs/batch', { logs })
      }
      await other.settle()
      const read = async (contains: string) => {
        const query = `query ($contains: String!) { hostPage(first: 500, contains: $contains) {
          nodes { name } pageInfo { hasNextPage } total { value exact } stats { complete warnings cuts { kind signal limit } } } }`
        const { data, text } = await postGraphql(other.url, { query, variables: { contains } }, other.session)
        if (!data) throw new Error(text)
        return data['hostPage']
      }
      expect(await read('')).toMatchObject({
        nodes: { length: 500 },
        pageInfo: { hasNextPage: true },
        total: { value: 1_000, exact: false },
        stats: {
          complete: false,
          warnings: expect.arrayContaining(['the response has only 1000 hosts of logs; there are more']),
          cuts: expect.arrayContaining([{ kind: 'CAP', signal: 'LOGS', limit: 1_000 }])
        }
      })
      expect(await read('HOST-09999')).toMatchObject({
        nodes: Array.from({ length: 10 }, (_, i) => ({ name: `host-09999${i}` })),
        total: { value: 10, exact: true },
        stats: { complete: true, warnings: [] }
      })
    } finally {
      await other.close()
    }
  }, 120_000)
})
