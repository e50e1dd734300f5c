import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { shardOf } from '../../src/domain/alerts/shard.js'
import { LATEST_DUE_MS, type SavedMeasure } from '../../src/domain/saved-measure.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { type ControlStoreFactory, namespace, namespaceId, NOW_MS, userId } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function measure(name: string, changes: Partial<SavedMeasure> = {}): SavedMeasure {
  return {
    ...{
      name,
      description: 'of "ö"\n',
      signal: 'logs',
      query: 'service:"ÄÖ 日本"',
      fn: 'histogram',
      field: 'log_fields.ms',
      groupBy: ['__proto__', 'b']
    },
    ...{ stepMs: 60_000, bounds: [0.1, 1e21], id: `id ${name}`, namespaceId: SHOP, version: 1, dueMs: NOW_MS },
    ...{ countedMs: NOW_MS, checkedMs: NOW_MS - 1, settledMs: NOW_MS - 2, backfill: null, error: null, incomplete: null },
    ...{ createdBy: userId('ada'), createdAtMs: NOW_MS },
    ...changes
  }
}

/** Measures that become metrics. */
export function controlMeasuresContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const add = async (...measures: readonly SavedMeasure[]): Promise<void> => {
    for (const one of measures) expect(await store.savedMeasures.add(one)).toBe(true)
  }

  it('gives measures back by name, apart by namespace, up to the limit', async () => {
    const [a, b] = [measure('a', { field: null, groupBy: [], bounds: [] }), measure('b')]
    await add(b, a, measure('a', { namespaceId: BANK }))
    expect(await store.savedMeasures.list(SHOP, 10)).toEqual([a, b])
    expect(await store.savedMeasures.list(SHOP, 1)).toEqual([a])
    expect(await store.savedMeasures.find(SHOP, 'b')).toEqual(b)
    expect(await store.savedMeasures.find(BANK, 'b')).toBeNull()
  })

  it('adds a name once', async () => {
    await add(measure('a'))
    expect(await store.savedMeasures.add(measure('a', { id: 'other', fn: 'count' }))).toBe(false)
    expect(await store.savedMeasures.find(SHOP, 'a')).toEqual(measure('a'))
  })

  it('replaces the version before alone, of the same measure', async () => {
    await add(measure('a'))
    const second = measure('a', {
      ...{ version: 2, dueMs: NOW_MS + 1, countedMs: NOW_MS + 2, error: 'full', incomplete: { atMs: NOW_MS, detail: 'some' } },
      backfill: { fromMs: 1, nextMs: 2, untilMs: 3 }
    })
    expect(await store.savedMeasures.replace({ ...second, id: 'of a deleted one' })).toBe(false)
    expect(await store.savedMeasures.replace(second)).toBe(true)
    expect(await store.savedMeasures.replace(second)).toBe(false)
    expect(await store.savedMeasures.find(SHOP, 'a')).toEqual(second)
  })

  it('lists what is due in some shards, the longest waiting first', async () => {
    const [late, later] = [measure('b', { dueMs: NOW_MS - 1 }), measure('a', { dueMs: NOW_MS })]
    await add(later, late, measure('c', { dueMs: NOW_MS + 1 }))
    const shard = shardOf(SHOP)
    expect(await store.savedMeasures.due([shard], NOW_MS, 10)).toEqual([late, later])
    expect(await store.savedMeasures.due([shard], NOW_MS, 1)).toEqual([late])
    expect(await store.savedMeasures.due([(shard + 1) % 16], NOW_MS, 10)).toEqual([])
    expect(await store.savedMeasures.due([], NOW_MS, 10)).toEqual([])
  })

  it('lists what is due of each namespace before more of one', async () => {
    await add(measure('a', { dueMs: NOW_MS - 3 }), measure('b', { dueMs: NOW_MS - 2 }))
    await add(measure('c', { namespaceId: BANK, dueMs: NOW_MS - 1 }))
    const shards = Array.from({ length: 16 }, (_, shard) => shard)
    const due = await store.savedMeasures.due(shards, NOW_MS, 3)
    expect(due.map(({ name }) => name)).toEqual(['a', 'c', 'b'])
  })

  it('lists what is due later than any step is: a clock ran ahead', async () => {
    await add(measure('a', { dueMs: NOW_MS + LATEST_DUE_MS + 1 }), measure('b', { dueMs: NOW_MS + LATEST_DUE_MS }))
    const due = await store.savedMeasures.due([shardOf(SHOP)], NOW_MS, 10)
    expect(due.map(({ name }) => name)).toEqual(['a'])
  })

  it('removes a measure once, and those of a deleted namespace', async () => {
    await store.namespaces.insert(namespace('shop'))
    await add(measure('a'), measure('b'), measure('a', { namespaceId: BANK }))
    expect(await store.savedMeasures.remove(SHOP, 'a')).toBe(true)
    expect(await store.savedMeasures.remove(SHOP, 'a')).toBe(false)
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    expect(await store.savedMeasures.list(SHOP, 10)).toEqual([])
    expect(await store.savedMeasures.list(BANK, 10)).toHaveLength(1)
  })
}
