import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { NEVER } from '../contract/store-under-test.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

// Samples that were sent again and again: only those that count are held against the bound of a read.

const TIMES = 10
const TURNS = 4
const STALE = 0x7ff0000000000002n
const REQUEST = { matchers: [{ name: '__name__', op: 'eq', value: 'cpu_usage' }], range: ALL_TIME, maxSeries: 10 } as const

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
beforeAll(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path)
  const [stale] = new Float64Array(new BigUint64Array([STALE]).buffer)
  for (let turn = 1; turn <= TURNS; turn++) {
    const items = Array.from({ length: TIMES }, (_, i) => {
      const value = turn === TURNS && i === TIMES - 1 ? stale! : turn * 100 + i
      return testPoint(i, { labels: [], timestampNs: NOON_NS + BigInt(i), value })
    })
    await stores.metrics.append(NS, { ingestId: nextIngestId(), items })
  }
})
afterAll(async () => {
  await stores?.close()
  await folder?.remove()
})

it.each([TIMES, TIMES * TURNS])('are read within a bound of %i, the latest of each time', async maxSamples => {
  const [series] = await stores.metrics.select(NS, { ...REQUEST, maxSamples }, NEVER)
  const bits = [...new BigUint64Array(series!.values.slice().buffer)]
  expect([...series!.values].slice(0, -1)).toEqual(Array.from({ length: TIMES - 1 }, (_, i) => TURNS * 100 + i))
  expect(bits.at(-1)).toBe(STALE)
})

it('are refused where those that count are too many', async () => {
  const select = stores.metrics.select(NS, { ...REQUEST, maxSamples: TIMES - 1 }, NEVER)
  await expect(select).rejects.toMatchObject({ code: 'query_unsupported' })
})

describe('series between those that are requested', () => {
  const EACH = 5
  const STEP = 3

  beforeAll(async () => {
    const items = Array.from({ length: 30 * EACH }, (_, i) => {
      const at = i % 30
      return testPoint(i, {
        name: 'between',
        labels: [
          { name: 'at', value: String(at) },
          { name: 'kept', value: String(at % STEP === 0) }
        ],
        timestampNs: NOON_NS + BigInt(i),
        value: i
      })
    })
    await stores.metrics.append(NS, { ingestId: nextIngestId(), items })
  })

  const matchers = [
    { name: '__name__', op: 'eq', value: 'between' },
    { name: 'kept', op: 'eq', value: 'true' }
  ] as const

  it.each([10 * EACH, 1_000])('do not count for the bound of %i samples', async maxSamples => {
    const found = await stores.metrics.select(NS, { ...REQUEST, matchers, maxSamples }, NEVER)
    const byPlace = found.map(({ labels, values }) => [Number(labels[0]!.value), [...values]])
    expect(byPlace).toHaveLength(10)
    for (const [at, values] of byPlace as [number, number[]][]) {
      expect(values).toEqual(Array.from({ length: EACH }, (_, i) => 30 * i + at))
    }
  })

  it('do not hide that those are too many', async () => {
    const select = stores.metrics.select(NS, { ...REQUEST, matchers, maxSamples: 10 * EACH - 1 }, NEVER)
    await expect(select).rejects.toMatchObject({ code: 'query_unsupported' })
  })
})
