import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../../src/domain/errors.js'
import { recordId } from '../../../../src/domain/ids.js'
import { unavailable } from '../../../support/scripted-engine.js'
import { newBatch, NS, OTHER, SpoolFixture } from '../../../support/spool-fixture.js'

let fixture: SpoolFixture

beforeEach(async () => {
  fixture = await SpoolFixture.open({ failuresToOpen: 2, backoffMs: 1_000, maxBackoffMs: 4_000, responseTimeoutMs: 700 })
})

afterEach(() => fixture.close())

function ids(...batches: readonly ReturnType<typeof newBatch>[]): string[] {
  return batches.flatMap(({ ingestId, items }) => items.map(({ index }) => recordId(ingestId, index)))
}

describe('an engine that responds', () => {
  it('stores before the acknowledgement, and nothing waits', async () => {
    const batch = newBatch(3)
    expect(await fixture.engine.logs.append(NS, batch)).toEqual({ accepted: 3, deduplicated: 0, failures: [] })
    expect(fixture.storedIds()).toEqual(ids(batch))
    expect(fixture.spool.waiting(NS)).toEqual([])
  })

  it('refuses records one by one, and its word is passed on', async () => {
    const failures = [{ index: 0, reason: 'too many series' }]
    fixture.script.script = async () => ({ accepted: 0, deduplicated: 0, failures })
    expect(await fixture.engine.metrics.append(NS, newBatch() as never)).toEqual({ accepted: 0, deduplicated: 0, failures })
  })

  it('fails with an error of another kind, and nothing is spooled', async () => {
    fixture.script.failWith(() => new TypeError('bug'))
    await expect(fixture.engine.logs.append(NS, newBatch())).rejects.toThrow('bug')
    expect(fixture.spool.waiting(NS)).toEqual([])
  })
})

describe('an outage', () => {
  it.each(['store_unavailable', 'overloaded', 'storage_full'] as const)(
    'spools what is refused with %s and replays it',
    async code => {
      fixture.script.failWith(() => new GatewayError(code, 'not now'))
      const batch = newBatch(3)
      expect(await fixture.engine.logs.append(NS, batch)).toEqual({ accepted: 3, deduplicated: 0, spooled: 3, failures: [] })
      expect(fixture.spool.waiting(NS)).toEqual([{ day: '2025-11-21', signal: 'logs', records: 3 }])
      fixture.script.recover()
      await fixture.engine.logs.settle(NS)
      expect(fixture.storedIds()).toEqual(ids(batch))
      expect(fixture.spool.waiting(NS)).toEqual([])
      expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'logs', stored: 3, rejected: 0 }])
    }
  )

  it('gives records back exactly as they were', async () => {
    fixture.script.failWith(unavailable)
    const batch = newBatch(2)
    await fixture.engine.logs.append(NS, batch)
    await fixture.restart()
    fixture.script.recover()
    await fixture.engine.logs.settle(NS)
    const { items } = fixture.script.requests.at(-1)!.batch
    expect(items).toEqual(batch.items)
    const { fields } = items[0] as unknown as { fields: object }
    expect(Object.getOwnPropertyNames(fields)).toEqual(['__proto__', 'n', 'big'])
  })

  it('stores once what was stored without a response, and counts it once', async () => {
    const batch = newBatch(2)
    fixture.script.script = (ns, sent) => {
      fixture.script.store('logs', ns, sent)
      return new Promise(() => undefined)
    }
    const acked = fixture.engine.logs.append(NS, batch)
    await fixture.script.requestedTimes(1)
    fixture.time.pass(700)
    expect(await acked).toMatchObject({ accepted: 2, spooled: 2 })
    fixture.script.recover()
    await fixture.engine.logs.settle(NS)
    expect(fixture.storedIds()).toEqual(ids(batch))
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'logs', stored: 2, rejected: 0 }])
  })

  it('lines new records up behind those that wait, and replays in order', async () => {
    fixture.script.failWith(unavailable)
    const batches = Array.from({ length: 20 }, () => newBatch(2))
    for (const batch of batches.slice(0, 10)) await fixture.engine.logs.append(NS, batch)
    fixture.script.recover()
    const later = batches.slice(10).map(batch => fixture.engine.logs.append(NS, batch))
    await Promise.all(later)
    await fixture.engine.logs.settle(NS)
    expect(fixture.storedIds()).toEqual(ids(...batches))
  })

  it('tries again by itself, with growing pauses', async () => {
    fixture.script.failWith(unavailable)
    await fixture.engine.logs.append(NS, newBatch())
    for (const [pauseMs, requested] of [
      [500, 2],
      [1_000, 3],
      [2_000, 4],
      [2_000, 5]
    ] as const) {
      await fixture.engine.logs.append(NS, newBatch())
      await fixture.time.dueIn(pauseMs)
      fixture.time.pass(pauseMs - 1)
      expect(fixture.script.requests).toHaveLength(requested - 1)
      fixture.time.pass(1)
      await fixture.script.requestedTimes(requested)
    }
    await fixture.time.dueIn(2_000)
    fixture.script.recover()
    fixture.time.pass(2_000)
    await fixture.ended(5)
    expect(fixture.storedIds()).toHaveLength(5)
  })

  it('is not met by every append: after some failures one at a time finds out', async () => {
    fixture.script.failWith(unavailable)
    const spaces = Array.from({ length: 20 }, (_, i) => `nsmany${String(i).padStart(6, '0')}` as typeof NS)
    for (const ns of spaces) await fixture.engine.logs.append(ns, newBatch())
    expect(fixture.script.requests).toHaveLength(2)
    fixture.script.recover()
    fixture.time.pass(4_000)
    await fixture.ended(20)
  })

  it('reports it in settle', async () => {
    fixture.script.failWith(unavailable)
    await fixture.engine.logs.append(NS, newBatch())
    await expect(fixture.engine.logs.settle(NS)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(fixture.script.settled).toBe(0)
    await fixture.engine.logs.settle(OTHER)
    expect(fixture.script.settled).toBe(1)
  })

  it('is an error for records that may not wait, and those are not kept', async () => {
    fixture.script.failWith(unavailable)
    const searchable = { ...newBatch(), mayWait: false }
    await expect(fixture.engine.logs.append(NS, searchable)).rejects.toMatchObject({ code: 'store_unavailable' })
    await fixture.engine.logs.append(NS, newBatch())
    fixture.script.recover()
    await expect(fixture.engine.logs.append(NS, searchable)).rejects.toMatchObject({ code: 'store_unavailable' })
    await fixture.engine.logs.settle(NS)
    expect(await fixture.engine.logs.append(NS, searchable)).toMatchObject({ accepted: 1 })
  })

  it('of one namespace leaves the others alone', async () => {
    fixture.script.script = async (ns, batch) => {
      if (ns === NS) throw new GatewayError('overloaded', '429')
      return fixture.script.store('logs', ns, batch)
    }
    expect(await fixture.engine.logs.append(NS, newBatch())).toMatchObject({ spooled: 1 })
    expect(await fixture.engine.logs.append(OTHER, newBatch())).toEqual({ accepted: 1, deduplicated: 0, failures: [] })
  })

  it('is reported in health, which states that writes are still acknowledged', async () => {
    fixture.script.failWith(unavailable)
    await fixture.engine.logs.append(NS, newBatch(2))
    await fixture.engine.logs.append(OTHER, newBatch())
    fixture.time.pass(400)
    const [engine] = await fixture.engine.health()
    expect(engine).toMatchObject({ healthy: false, acks: true, detail: 'connection refused' })
    const [spool] = await fixture.spool.health()
    expect(spool).toMatchObject({ name: 'spool', healthy: true })
    expect(spool!.detail).toContain('3 records of 2 namespaces wait for their store')
    expect(await fixture.spool.gauges()).toMatchObject({ records: 3, frames: 2, namespaces: 2, oldest_age_seconds: 0.4 })
  })
})

describe('health after an outage', () => {
  it('reports that the engine is back though nothing waits and no append comes, once the pause is over', async () => {
    fixture.script.failWith(unavailable)
    const now = { ...newBatch(), mayWait: false }
    for (let i = 0; i < 2; i++)
      await expect(fixture.engine.logs.append(NS, now)).rejects.toMatchObject({ code: 'store_unavailable' })
    fixture.script.recover()
    expect(await fixture.engine.health()).toMatchObject([{ healthy: false, detail: 'connection refused' }])
    fixture.time.pass(1_000)
    expect(await fixture.engine.health()).toMatchObject([{ healthy: true }])
    expect(await fixture.engine.logs.append(NS, now)).toMatchObject({ accepted: 1 })
  })

  it('leaves it to what waits to find out that the engine is back', async () => {
    fixture.script.failWith(unavailable)
    for (const ns of [NS, OTHER]) await fixture.engine.logs.append(ns, newBatch())
    fixture.time.pass(1_000)
    const [first] = await fixture.engine.health()
    expect(first).toMatchObject({ healthy: false, acks: true })
  })
})

describe('points', () => {
  it('are sent again one after another though many wait, so that the later value of a time wins', async () => {
    fixture.script.failWith(unavailable)
    const batches = Array.from({ length: 5 }, () => newBatch(2))
    for (const batch of batches) await fixture.engine.metrics.append(NS, batch as never)
    fixture.script.recover()
    const before = fixture.script.requests.length
    await fixture.engine.metrics.settle(NS)
    const sent = fixture.script.requests.slice(before).map(({ batch }) => batch)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.items.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'metrics', stored: 10, rejected: 0 }])
  })

  it('wait for the response to an append that was given up: it must not land behind a newer one', async () => {
    let land = (): void => undefined
    fixture.script.script = (ns, batch) =>
      new Promise(resolve => {
        land = () => resolve(fixture.script.store('metrics', ns, batch))
      })
    const acked = fixture.engine.metrics.append(NS, newBatch() as never)
    await fixture.script.requestedTimes(1)
    fixture.time.pass(700)
    expect(await acked).toMatchObject({ spooled: 1 })
    fixture.script.recover()
    fixture.time.pass(2_000)
    await fixture.engine.logs.append(NS, newBatch())
    expect(fixture.script.requests.filter(({ signal }) => signal === 'metrics')).toHaveLength(1)
    land()
    await fixture.ended(1)
    expect(fixture.storedIds('metrics')).toHaveLength(1)
  })
})

describe('what no repetition helps', () => {
  it('counts records that the engine refuses one by one as rejected', async () => {
    fixture.script.failWith(unavailable)
    await fixture.engine.logs.append(NS, newBatch(3))
    fixture.script.script = async (_ns, { items }) => ({
      accepted: 1,
      deduplicated: 0,
      failures: items.slice(1).map(({ index }) => ({ index, reason: 'mapping' }))
    })
    await fixture.engine.logs.settle(NS)
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'logs', stored: 1, rejected: 2 }])
  })

  it('counts what is left of a deleted namespace as rejected', async () => {
    fixture.script.failWith(unavailable)
    await fixture.engine.logs.append(NS, newBatch(3))
    fixture.script.failWith(() => new GatewayError('namespace_deleted', 'gone'))
    await fixture.engine.logs.settle(NS)
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'logs', stored: 0, rejected: 3 }])
  })

  it('sets a batch aside that the engine always fails on, and goes on with the others', async () => {
    fixture.script.failWith(unavailable)
    const poisoned = newBatch(2)
    const good = newBatch(3)
    await fixture.engine.metrics.append(NS, poisoned as never)
    await fixture.engine.metrics.append(NS, good as never)
    fixture.script.script = async (ns, batch) => {
      if (batch.items.some(({ index }) => index === 0) && batch.items.length !== 3) throw new TypeError('poison')
      return fixture.script.store('metrics', ns, batch)
    }
    for (let pause = 0; pause < 8; pause++) await fixture.engine.metrics.settle(NS).catch(() => undefined)
    expect(fixture.storedIds('metrics')).toEqual(ids(good))
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'metrics', stored: 3, rejected: 2 }])
    expect(await fixture.spool.gauges()).toMatchObject({ set_aside: 1, records: 0 })
    expect((await fixture.spool.health())[0]!.detail).toContain('1 pieces of data')
  })
})
