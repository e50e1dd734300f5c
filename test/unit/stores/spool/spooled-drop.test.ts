import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
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

describe('dropping a namespace', () => {
  it('takes what waits of it away, refuses what comes, and leaves the others', async () => {
    fixture.script.failWith(unavailable)
    const kept = newBatch()
    await fixture.engine.logs.append(NS, newBatch(2))
    await fixture.engine.logs.append(OTHER, kept)
    await fixture.engine.logs.dropNamespace(NS)
    expect(fixture.script.dropped).toEqual([NS])
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'logs', stored: 0, rejected: 2 }])
    await expect(fixture.engine.logs.append(NS, newBatch())).rejects.toMatchObject({ code: 'namespace_deleted' })
    await fixture.restart()
    expect(fixture.spool.waiting(NS)).toEqual([])
    fixture.script.recover()
    await fixture.engine.logs.settle(OTHER)
    expect(fixture.storedIds('logs', OTHER)).toEqual(ids(kept))
    expect(fixture.storedIds()).toEqual([])
  })

  it('waits for a replay of it that is in flight', async () => {
    fixture.script.failWith(unavailable)
    await fixture.engine.logs.append(NS, newBatch(2))
    let finish = (): void => undefined
    fixture.script.script = (ns, batch) =>
      new Promise(resolve => {
        finish = () => resolve(fixture.script.store('logs', ns, batch))
      })
    const requested = fixture.script.requests.length
    const settling = fixture.engine.logs.settle(NS).catch(() => undefined)
    await fixture.script.requestedTimes(requested + 1)
    const dropping = fixture.engine.logs.dropNamespace(NS)
    expect(fixture.script.dropped).toEqual([])
    finish()
    await dropping
    await settling
    expect(fixture.script.dropped).toEqual([NS])
    expect(fixture.replayed).toEqual([{ namespaceId: NS, day: '2025-11-21', signal: 'logs', stored: 2, rejected: 0 }])
  })
})
