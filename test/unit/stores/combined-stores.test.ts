import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { SignalStores, Stores } from '../../../src/ports/stores.js'
import { chosenSignals } from '../../../src/stores/assemble/chosen-signals.js'
import { Closers } from '../../../src/stores/assemble/closers.js'
import type { HealthNotes } from '../../../src/stores/assemble/combined-stores.js'
import { combineStores } from '../../../src/stores/assemble/combined-stores.js'
import type { Engine } from '../../../src/stores/shared/engine.js'
import { ALL_EMBEDDED, type StoreChoice } from '../../../src/stores/shared/store-choice.js'
import { unreadRecords } from '../../../src/stores/assemble/unread-data.js'
import { quietJobs } from '../../support/quiet-jobs.js'

const A = 'nsaaaaaaaaaa' as NamespaceId
const B = 'nsbbbbbbbbbb' as NamespaceId
const QUIET: HealthNotes = { engine: 'duckdb', sentences: [] }

function engine(name: string, parts: Partial<Engine> = {}): Engine {
  return {
    name,
    health: async () => [{ name, healthy: true, latencyMs: 1, detail: '' }],
    sizes: async () => [],
    gauges: async () => ({ queue_bytes: 1 }),
    close: async () => undefined,
    ...parts
  }
}

function combine(engines: readonly Engine[], notes = QUIET): ReturnType<typeof combineStores> {
  return combineStores({} as SignalStores, engines, notes, quietJobs())
}

function embeddedBut(moved: Partial<StoreChoice['signals']>): StoreChoice {
  return { ...ALL_EMBEDDED, signals: { ...ALL_EMBEDDED.signals, ...moved } }
}

/** Notes each deletion as `name call`. */
function deleting(name: string, calls: string[]): Stores {
  const call = (what: string) => async () => void calls.push(`${name} ${what}`)
  const store = { deleteBefore: call('deleteBefore'), dropNamespace: call('dropNamespace') }
  return { logs: store, metrics: store, events: store, traces: store } as unknown as Stores
}

describe('stores over several engines', () => {
  it('sum the sizes of a namespace', async () => {
    const one = engine('duckdb', { sizes: async () => [{ namespace: A, bytes: 10, records: 1 }] })
    const two = engine('influxdb', {
      sizes: async () => [
        { namespace: A, bytes: 5, records: 2 },
        { namespace: B, bytes: 7, records: 3 }
      ]
    })
    expect(await combine([one, two]).sizes()).toEqual({
      namespaces: [
        { namespace: A, bytes: 15, records: 3 },
        { namespace: B, bytes: 7, records: 3 }
      ],
      missing: []
    })
  })

  it('return the sizes that are known, and name the engines that are down or do not report sizes', async () => {
    const sizes = [{ namespace: A, bytes: 10, records: 1 }]
    const known = engine('duckdb', { sizes: async () => sizes })
    const broken = engine('elasticsearch', { sizes: () => Promise.reject(new Error('gone')) })
    const silent = engine('influxdb', { sizes: async () => null })
    expect(await combine([known, broken, silent]).sizes()).toEqual({ namespaces: sizes, missing: ['elasticsearch', 'influxdb'] })
  })

  it('call engines that are objects of a class', async () => {
    class Counting implements Engine {
      readonly name = 'spool'
      #requested = 0
      health: Engine['health'] = async () => []
      sizes: Engine['sizes'] = async () => []
      async gauges(): Promise<Readonly<Record<string, number>>> {
        return { requested: ++this.#requested }
      }
      close: Engine['close'] = async () => undefined
    }
    expect(await combine([new Counting()]).gauges()).toEqual({ spool_requested: 1 })
  })

  it('show gauges under the name of their engine, and those of the others when one is gone', async () => {
    const broken = engine('influxdb', { gauges: () => Promise.reject(new Error('gone')) })
    expect(await combine([engine('duckdb'), engine('elasticsearch'), broken]).gauges()).toEqual({
      queue_bytes: 1,
      elasticsearch_queue_bytes: 1
    })
  })

  it('report the health of each, also when one fails to report it', async () => {
    const broken = engine('influxdb', { health: () => Promise.reject(new Error('gone')) })
    expect(await combine([engine('duckdb'), broken]).health()).toEqual([
      { name: 'duckdb', healthy: true, latencyMs: 1, detail: '' },
      {
        name: 'influxdb',
        healthy: false,
        latencyMs: null,
        detail: 'the request failed; the log has the cause',
        diagnosis: 'gone'
      }
    ])
  })

  it.each([
    [[engine('duckdb')], { name: 'duckdb', healthy: true, latencyMs: 1, detail: 'not read' }],
    [[], { name: 'duckdb', healthy: true, latencyMs: null, detail: 'not read' }]
  ])('report in health what is not being read (%#)', async (engines, expected) => {
    expect(await combine(engines, { engine: 'duckdb', sentences: ['not read'] }).health()).toEqual([expected])
  })
})

describe('the store of a signal that moved', () => {
  it('deletes in the embedded engine too while that runs', async () => {
    const calls: string[] = []
    const duckdb = { ...engine('duckdb'), ...deleting('duckdb', calls) }
    const elasticsearch = { ...engine('elasticsearch'), ...deleting('elasticsearch', calls) }
    const { logs, metrics } = chosenSignals(embeddedBut({ logs: 'elasticsearch' }), duckdb, [elasticsearch])
    await logs.dropNamespace(A)
    await logs.deleteBefore(A, 1n)
    await metrics.dropNamespace(A)
    expect(calls).toEqual([
      'duckdb dropNamespace',
      'elasticsearch dropNamespace',
      'duckdb deleteBefore',
      'elasticsearch deleteBefore',
      'duckdb dropNamespace'
    ])
  })
})

describe('what is not being read', () => {
  it('is named by kind, with the setting that decided', () => {
    const counts = { logs: 3, points: 5, rum: 0, errors: 2, spans: 0 }
    expect(unreadRecords(counts, embeddedBut({ logs: 'elasticsearch', events: 'elasticsearch' }))).toEqual([
      '3 embedded logs are not read, because logs_store is elasticsearch',
      '2 embedded errors are not read, because events_store is elasticsearch'
    ])
  })
})

describe('closing', () => {
  it('goes backwards, past a fault, once', async () => {
    const calls: string[] = []
    const closers = new Closers()
    closers.add(() => void calls.push('first'))
    closers.add(() => Promise.reject(new Error('stuck')))
    closers.add(async () => void calls.push('last'))
    await expect(closers.close()).rejects.toThrow('stuck')
    await expect(closers.close()).rejects.toThrow('stuck')
    expect(calls).toEqual(['last', 'first'])
  })
})
