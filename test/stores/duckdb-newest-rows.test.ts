import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Filter } from '../../src/domain/filter.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import type { Position } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { NEVER } from '../contract/store-under-test.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

// Pages of newest rows out of a hot table that holds more than what is looked at first, the rows that arrived last.

const ROWS = 12_000
const BATCH = 3_000
const PAGES = 3
const MATCH_ALL: Filter = { kind: 'and', of: [] }
const RARE: Filter = { kind: 'eq', field: { in: 'known', name: 'service' }, value: 'rare' }

/** Nanoseconds after noon of the row that came at a place. */
const SHAPES: Readonly<Record<string, (at: number) => number>> = {
  'rising times': at => at,
  'falling times': at => ROWS - at,
  'few times, many rows each': at => at % 7,
  'old rows that arrive at the end': at => (at < ROWS / 4 ? 1_000_000 + at : at)
}

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
beforeAll(async () => {
  folder = await openTempFolder()
})
afterAll(() => folder?.remove())

async function pages(filter: Filter, limit: number): Promise<readonly string[]> {
  const found: string[] = []
  let after: Position | undefined
  for (let page = 0; page < PAGES; page++) {
    const rows = { limit, order: 'desc', ...(after && { after }) } as const
    const result = await stores.logs.search(NS, { range: ALL_TIME, filter, rows }, NEVER)
    found.push(...result.rows!.map(({ message }) => message))
    const last = result.rows!.at(-1)!
    after = { timestampNs: last.timestampNs, id: last.id }
  }
  return found
}

it.each(Object.keys(SHAPES))('are the newest, page by page: %s', async shape => {
  stores = await openTestStores(`${folder.path}/${Object.keys(SHAPES).indexOf(shape)}`)
  try {
    const all: (LogRecord & { readonly batch: number })[] = []
    for (let from = 0; from < ROWS; from += BATCH) {
      const items = Array.from({ length: BATCH }, (_, i) => {
        const service = (from + i) % 40 === 0 ? 'rare' : 'checkout'
        return testLog(i, { timestampNs: NOON_NS + BigInt(SHAPES[shape]!(from + i)), message: `m${from + i}`, service })
      })
      await stores.logs.append(NS, { ingestId: nextIngestId(), items })
      await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: [testLog(0, { message: 'foreign' })] })
      all.push(...items.map(item => ({ ...item, batch: from })))
    }
    const newestFirst = all.sort((a, b) => Number(b.timestampNs - a.timestampNs) || b.batch - a.batch || b.index - a.index)
    const expected = (limit: number, service?: string): readonly string[] =>
      newestFirst
        .filter(log => service === undefined || log.service === service)
        .slice(0, PAGES * limit)
        .map(({ message }) => message)
    for (const limit of [1, 50, 1_023, 1_024]) expect(await pages(MATCH_ALL, limit)).toEqual(expected(limit))
    expect(await pages(RARE, 60)).toEqual(expected(60, 'rare'))
  } finally {
    await stores.close()
  }
})
