import { describe, expect, it } from '@jest/globals'
import { seriesKey } from '../../../src/domain/series-key.js'
import type { NamedSeries } from '../../../src/stores/duckdb/wire/calls.js'
import { UnknownSeries } from '../../../src/stores/duckdb/wire/errors.js'
import { SeriesRegistry, touch, unpin } from '../../../src/stores/duckdb/write/series-registry.js'
import { UniqueNumbers } from '../../../src/stores/duckdb/write/unique-numbers.js'
import { NS, OTHER_NS } from '../../support/duckdb-fixture.js'

function named(name: string): NamedSeries {
  return { key: seriesKey({ name, labels: [] }), type: 'gauge' }
}

/** Stores one series with a sample at 100 and returns its id. */
function store(registry: SeriesRegistry, name = 'up'): bigint {
  const admission = registry.admit(NS, [named(name)])
  const [series] = registry.stage(NS, [named(name)], admission)
  touch(series!, 100n, 100n)
  registry.settle()
  registry.number()
  return registry.idOf(NS, named(name))
}

describe('the registry of series', () => {
  it('gives an id away when the series survives a power cut, not before', () => {
    const registry = new SeriesRegistry(new UniqueNumbers(1n), 10)
    const sent = [named('up')]
    const admission = registry.admit(NS, sent)
    const ids = [registry.idOf(NS, named('up'))]
    const [series] = registry.stage(NS, sent, admission)
    ids.push(registry.idOf(NS, named('up')))
    expect(() => registry.admit(NS, [{ id: series!.id }])).toThrow(UnknownSeries)
    registry.settle()
    ids.push(registry.idOf(NS, named('up')))
    registry.number()
    expect([...ids, registry.idOf(NS, named('up'))]).toEqual([0n, 0n, 0n, series!.id])
    expect(registry.admit(NS, [{ id: series!.id }])).toEqual({ refused: [], held: [], pinned: [series] })
  })

  it('holds no place for a request that names an id which is not known', () => {
    const registry = new SeriesRegistry(new UniqueNumbers(1n), 1)
    const id = store(registry, 'a')
    expect(() => registry.admit(OTHER_NS, [named('b'), { id }])).toThrow(UnknownSeries)
    expect(registry.admit(OTHER_NS, [named('c')]).refused).toEqual([])
  })

  it.each(['named in full', 'named by its id'])('keeps a series to which a sample is on its way, %s', how => {
    const registry = new SeriesRegistry(new UniqueNumbers(1n), 10)
    const id = store(registry)
    const { pinned } = registry.admit(NS, [how === 'named in full' ? named('up') : { id }])
    expect(registry.prune(NS, 200n)).toEqual([])
    unpin(pinned)
    expect(registry.prune(NS, 200n)).toEqual([id])
    expect(() => registry.admit(NS, [{ id }])).toThrow(UnknownSeries)
  })

  it('drops a namespace whatever is on its way', () => {
    const registry = new SeriesRegistry(new UniqueNumbers(1n), 10)
    const id = store(registry)
    registry.admit(NS, [{ id }])
    expect(registry.prune(NS)).toEqual([id])
    expect(registry.size).toBe(0)
  })

  it('does not take a series for one that was rolled back under it', () => {
    const registry = new SeriesRegistry(new UniqueNumbers(1n), 10)
    const sent = [named('up')]
    const [first] = registry.stage(NS, sent, registry.admit(NS, sent))
    const admission = registry.admit(NS, sent)
    registry.forget()
    const [second] = registry.stage(NS, sent, admission)
    expect(second).not.toBe(first)
    expect(registry.staged).toEqual([{ ns: NS, series: second }])
  })

  it('makes nothing of an id of an earlier start that is not known', () => {
    const registry = new SeriesRegistry(new UniqueNumbers(1n), 10)
    const sent = [{ id: 7n }]
    const pinned = registry.recall(NS, sent)
    expect(() => registry.stage(NS, sent, { refused: [], pinned })).toThrow('unknown series 7')
  })
})
