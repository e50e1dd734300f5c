import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Field, type Filter, MATCH_ALL } from '../../src/domain/filter.js'
import type { FacetRequest, FacetResult } from '../../src/domain/search.js'
import { ALL_TIME, type TimeRange } from '../../src/domain/time-range.js'
import { FacetCells } from '../../src/stores/duckdb/read/facet-cells.js'
import { type LogReader, logReader } from '../../src/stores/duckdb/read/log-reader.js'
import { newSearchCells } from '../../src/stores/duckdb/read/search-cells.js'
import { NEVER } from '../contract/fresh-ids.js'
import { NOON_NS, NS, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

// Facets of segments that were counted before are those of their rows.

const APPENDS = 6
const ROWS = 300
/** Values of one field in each segment. */
const USERS = 290
/** Values that a cell has room for. */
const MOST_VALUES = 500
const SPAN = 'a'.repeat(16)
const known = (name: string): Field => ({ in: 'known', name })
const free = (name: string): Field => ({ in: 'log_fields', name })
const FAILED: Filter = { kind: 'eq', field: known('level'), value: 'error' }
const NOT_CHECKOUT: Filter = { kind: 'not', of: { kind: 'eq', field: known('service'), value: 'checkout' } }

async function fill(tiers: Tiers, ns = NS, rows = ROWS): Promise<void> {
  for (let n = 0; n < APPENDS; n++) {
    const logs = Array.from({ length: rows }, (_, i) => {
      const fields = {
        region: ['eu', 'us', '', null][i % 4]!,
        ...(n % 2 === 0 ? { status: 200 + (i % 3) } : { status: `2${i % 5}` }),
        user: `${n} ${i % USERS}`,
        tags: i % 7 === 0 ? ['a', 'b', `t${n}`] : 'a',
        long: i < 40 ? `${'x'.repeat(2_000)}${i}` : 'short'
      }
      const log = { timestampNs: NOON_NS + BigInt(n * rows + i), level: i % 3 === 0 ? 'error' : 'info', fields } as const
      return testLog(i, { ...log, service: [null, 'checkout', 'cart', `s${n}`][i % 4]!, spanId: i % 50 === 0 ? SPAN : null })
    })
    const stored = logs.map(log => ({ ...logRow(log), ingest_id: `batch${n}` }))
    await tiers.append('logs', ns, stored)
  }
}

const facet = (field: Field, filter = MATCH_ALL, more: Partial<FacetRequest> = {}): FacetRequest => {
  return { field, filter, limit: 10, ...more }
}

function facetsOf(filter: Filter): readonly FacetRequest[] {
  return [
    ...['service', 'level', 'span_id', 'host', 'severity_number'].map(name => facet(known(name), filter)),
    ...['region', 'status', 'user', 'tags', 'long', 'absent'].map(name => facet(free(name), filter)),
    facet(known('service'), filter, { limit: 1, lastSeen: true }),
    facet(free('tags'), filter, { limit: 1, lastSeen: true }),
    facet(known('service'), filter, { prefix: 'c' }),
    facet(known('service'), filter, { contains: 'CK' }),
    facet(free('tags'), filter, { contains: 'T' }),
    facet(known('service'), filter, { limit: 0 }),
    facet(known('level'), MATCH_ALL),
    facet({ in: 'free', name: 'region' }, filter)
  ]
}

async function count(
  logs: LogReader,
  facets: readonly FacetRequest[],
  range: TimeRange = ALL_TIME,
  ns = NS
): Promise<readonly FacetResult[]> {
  return (await logs.search(ns, { range, filter: MATCH_ALL, facets }, NEVER)).facets!
}

describe.each(['sealed', 'mixed'] as const)('facets by cells of segments, %s', placement => {
  let tiers: Tiers
  let byRows: LogReader

  beforeAll(async () => {
    tiers = await Tiers.open(placement)
    await fill(tiers)
    byRows = logReader(tiers, newSearchCells({ leastRows: Infinity }))
  })
  afterAll(() => tiers.close())

  it.each([
    ['all logs', MATCH_ALL, ALL_TIME],
    ['some of them', FAILED, ALL_TIME],
    ['those without a value, too', NOT_CHECKOUT, ALL_TIME],
    ['none', { kind: 'or', of: [] }, ALL_TIME],
    ['those of an id', { kind: 'eq', field: known('span_id'), value: SPAN }, ALL_TIME],
    ['a range that cuts segments', FAILED, { startNs: NOON_NS + 5n, endNs: NOON_NS + BigInt(APPENDS * ROWS - 5) }],
    ['a range that ends with a segment', FAILED, { startNs: NOON_NS, endNs: NOON_NS + BigInt(ROWS) }],
    ['a range without logs', FAILED, { startNs: 0n, endNs: 1n }]
  ] as const)('are those of the rows, however often they are counted: %s', async (_, filter, range) => {
    const byCells = logReader(tiers, newSearchCells({ leastRows: 1 }))
    const facets = facetsOf(filter)
    const counted = await count(byRows, facets, range)
    // By rows, by cells that are made now, and by cells that are known.
    for (let i = 0; i < 3; i++) expect(await count(byCells, facets, range)).toEqual(counted)
    // Each facet has counts of its own.
    expect(await count(byCells, facets.toReversed(), range)).toEqual(counted.toReversed())
  })

  it('are those of each range, one after the other', async () => {
    const byCells = logReader(tiers, newSearchCells({ leastRows: 1 }))
    const facets = facetsOf(FAILED)
    const ends = [ROWS / 2, ROWS * 2 + 7, APPENDS * ROWS, ROWS * 3].map(rows => NOON_NS + BigInt(rows))
    for (const endNs of [...ends, ...ends]) {
      const range = { startNs: NOON_NS + 1n, endNs }
      expect(await count(byCells, facets, range)).toEqual(await count(byRows, facets, range))
    }
  })

  it('are right for a field of more values than are added up', async () => {
    const byCells = logReader(tiers, { ...newSearchCells(), facets: new FacetCells({ leastRows: 1, maxValues: USERS }) })
    const facets = [facet(free('user')), facet(free('region'))]
    for (let i = 0; i < 3; i++) expect(await count(byCells, facets)).toEqual(await count(byRows, facets))
  })

  it('are right with room for next to nothing', async () => {
    // A request may take a 64th of it.
    const cells = new FacetCells({ leastRows: 1, maxBytes: 80_000 })
    const byCells = logReader(tiers, { ...newSearchCells(), facets: cells })
    for (let i = 0; i < 3; i++) expect(await count(byCells, facetsOf(FAILED))).toEqual(await count(byRows, facetsOf(FAILED)))
    expect(cells.bytes).toBeGreaterThan(0)
    expect(cells.bytes).toBeLessThanOrEqual(80_000)
  })
})

describe('what cells are of', () => {
  let tiers: Tiers
  beforeAll(async () => {
    tiers = await Tiers.open('sealed')
    for (const ns of [NS, OTHER_NS]) await fill(tiers, ns, ns === NS ? 100 : 50)
  })
  afterAll(() => tiers.close())

  it('counts the logs of one namespace', async () => {
    const byCells = logReader(tiers, newSearchCells({ leastRows: 1 }))
    const [ofOne] = await count(byCells, [facet(known('level'))])
    const [ofOther] = await count(byCells, [facet(known('level'))], ALL_TIME, OTHER_NS)
    expect([ofOne, ofOther].map(({ values } = ofOne!) => values.reduce((sum, each) => sum + each.count, 0))).toEqual([600, 300])
  })

  it('reads no segment of which all is known, which needs a second request', async () => {
    const byCells = logReader(tiers, newSearchCells({ leastRows: 1 }))
    const facets = [facet(known('service')), facet(free('region'))]
    const ofId = facet(known('level'), { kind: 'and', of: [FAILED, { kind: 'in', field: known('span_id'), values: [SPAN] }] })
    const counted = await count(byCells, facets)
    for (let i = 0; i < 2; i++) await count(byCells, [...facets, ofId])
    await count(byCells, [facet(known('host')), facet(known('host'), MATCH_ALL, { limit: 1 })])
    for (const { file } of tiers.segmentsOf('logs', NS)) await rm(file)
    expect(await count(byCells, facets)).toEqual(counted)
    for (const other of [facet(known('level')), ofId, facet(known('host'))])
      await expect(count(byCells, [other])).rejects.toThrow()
  })

  it('distinguishes values with a byte order mark from those without', async () => {
    const one = await Tiers.open('sealed')
    try {
      const logs = ['x', '\ufeffx', '\ufeffx', '\ufeff', 'y'].map((value, i) => testLog(i, { fields: { value } }))
      const rows = logs.map(log => ({ ...logRow(log), ingest_id: 'batch' }))
      await one.append('logs', NS, rows)
      const byCells = logReader(one, newSearchCells({ leastRows: 1 }))
      for (let i = 0; i < 3; i++)
        expect(await count(byCells, [facet(free('value'))])).toMatchObject([{ distinct: { value: 4 }, missing: 0 }])
    } finally {
      await one.close()
    }
  })

  it('keeps fields of few values in a segment', async () => {
    const one = await Tiers.open('sealed')
    try {
      const logs = Array.from({ length: MOST_VALUES + 1 }, (_, i) =>
        testLog(i, { fields: { few: String(Math.min(i, MOST_VALUES - 1)), many: String(i), last: 'x' } })
      )
      await one.append(
        'logs',
        NS,
        logs.map(log => ({ ...logRow(log), ingest_id: 'batch' }))
      )
      const byCells = logReader(one, newSearchCells({ leastRows: MOST_VALUES + 1 }))
      const [few, many] = [facet(free('few')), facet(free('many'))]
      const [counted] = await count(byCells, [few, many])
      await count(byCells, [few, many])
      expect(counted).toMatchObject({ distinct: { value: MOST_VALUES }, missing: 0 })
      await rm(one.segmentsOf('logs', NS)[0]!.file)
      expect(await count(byCells, [few])).toEqual([counted])
      await expect(count(byCells, [few, many])).rejects.toThrow()
    } finally {
      await one.close()
    }
  })
})
