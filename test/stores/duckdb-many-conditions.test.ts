import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Filter } from '../../src/domain/filter.js'
import { MAX_FREE_CONDITIONS } from '../../src/query/bounded-filter.js'
import { logFilter } from '../../src/query/conditions.js'
import { MAX_QUERY_TERMS } from '../../src/query/search-language/parse-query.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const ROWS = 5_000
const range = { startNs: NOON_NS, endNs: NOON_NS + BigInt(ROWS) }
const signal = new AbortController().signal

/** Conditions of which none can be folded into another. */
function startsWith(count: number): Filter {
  const prefixes = Array.from({ length: count }, (_, i): Filter => ({
    ...{ kind: 'prefix', field: { in: 'free', name: `user.id` }, value: `none${i}` }
  }))
  return { kind: 'or', of: prefixes }
}

async function openFilled(dataDir: string, memoryLimitMiB?: number): Promise<DuckDbStores> {
  const stores = await openTestStores(dataDir, memoryLimitMiB === undefined ? {} : { limits: { memoryLimitMiB } })
  const append = (items = testLogs(ROWS, { fields: { 'user.id': 'u1' } })) =>
    stores.logs.append(NS, { ingestId: nextIngestId(), items })
  await append()
  await stores.client.call('sealAll', [])
  await append()
  return stores
}

describe('many conditions on free fields', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let stores: DuckDbStores
  const count = (filter: Filter, of = stores) => of.logs.search(NS, { range, filter, total: true }, signal)

  beforeAll(async () => {
    folder = await openTempFolder()
    stores = await openFilled(folder.path)
  })
  afterAll(async () => {
    await stores.close()
    await folder.remove()
  })

  it('fit into memory at the bound, two heavy queries at once', async () => {
    const both = await Promise.all([count(startsWith(MAX_FREE_CONDITIONS)), count(startsWith(MAX_FREE_CONDITIONS))])
    expect(both.map(({ total }) => total?.value)).toEqual([0, 0])
  })

  it('are one condition when they request values of one field, up to the limit of a query', async () => {
    const terms = Array.from({ length: MAX_QUERY_TERMS - 1 }, (_, i) => `user.id:u${i}`)
    expect((await count(logFilter({ query: `${terms.join(' OR ')} OR level:fatal` }))).total?.value).toBe(2 * ROWS)
    expect((await count(logFilter({ query: `-${terms.join(' -')}` }))).total?.value).toBe(0)
  })

  it('beyond memory are refused for a while, and the store lives on', async () => {
    const other = await openTempFolder()
    const small = await openFilled(other.path, 64)
    try {
      await expect(count(startsWith(1_000), small)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
      expect((await count({ kind: 'and', of: [] }, small)).total?.value).toBe(2 * ROWS)
    } finally {
      await small.close()
      await other.remove()
    }
  })
})
