import { afterEach, describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import { openSpool } from '../../../../src/stores/spool/open-spool.js'
import { ManualTime } from '../../../support/manual-time.js'
import { unavailable } from '../../../support/scripted-engine.js'
import { newBatch, NS, OTHER, SpoolFixture } from '../../../support/spool-fixture.js'
import { quietJobs, SILENT_LOGGER } from '../../../support/quiet-jobs.js'

let fixture: SpoolFixture | null = null

afterEach(async () => {
  await fixture?.close()
  fixture = null
})

async function opened(limits: Parameters<typeof SpoolFixture.open>[0] = {}): Promise<SpoolFixture> {
  fixture = await SpoolFixture.open({ backoffMs: 1_000, ...limits })
  fixture.script.failWith(unavailable)
  return fixture
}

describe('the bounds of the spool', () => {
  it('refuse what is beyond with overloaded, keep what was acknowledged, and take again what has room', async () => {
    const { engine, script } = await opened({ maxBytes: 20_000, segmentBytes: 4_000 })
    let acked = 0
    const fill = async (): Promise<unknown> => {
      for (;;) {
        const refusal = await engine.logs.append(NS, newBatch(2)).then(
          () => null,
          (error: unknown) => error
        )
        if (refusal !== null) return refusal
        acked += 2
      }
    }
    expect(await fill()).toMatchObject({ code: 'overloaded', retryAfterS: expect.any(Number) })
    expect(acked).toBeGreaterThan(10)
    const { bytes, refused } = (await fixture!.spool.gauges()) as { bytes: number; refused: number }
    expect([bytes <= 20_000, refused]).toEqual([true, 1])
    expect(await fixture!.spool.health()).toMatchObject([
      { healthy: false, detail: expect.stringContaining('the spool is full') }
    ])
    script.recover()
    await engine.logs.settle(NS)
    expect(fixture!.storedIds()).toHaveLength(acked)
    script.failWith(unavailable)
    expect(await engine.logs.append(NS, newBatch(2))).toMatchObject({ spooled: 2 })
  })

  it('leave room for those who come later, however much the others send', async () => {
    const { engine } = await opened({ maxBytes: 200_000 })
    for (let n = 0; n < 6; n++) {
      const ns = `nsgreedy${String(n).padStart(6, '0')}` as NamespaceId
      let count = 0
      while (await engine.logs.append(ns, newBatch(1)).catch(() => null)) count++
      expect(count).toBeGreaterThan(0)
    }
    expect(await engine.logs.append(OTHER, newBatch(1))).toMatchObject({ spooled: 1 })
  })

  it('hold for frames as for bytes', async () => {
    const { engine } = await opened({ maxFrames: 10 })
    let count = 0
    while (await engine.logs.append(NS, newBatch(1)).catch(() => null)) count++
    expect(count).toBe(5)
    expect(await engine.logs.append(OTHER, newBatch(1))).toMatchObject({ spooled: 1 })
  })

  it('hold for records on their way to a slow engine: more are spooled, another namespace still gets through', async () => {
    const { engine, script } = await opened({ maxInFlightRecords: 100 })
    script.script = () => new Promise(() => undefined)
    const slow = Array.from({ length: 5 }, () => engine.logs.append(NS, newBatch(10)))
    expect(await engine.logs.append(NS, newBatch(10))).toMatchObject({ spooled: 10 })
    expect(script.requests).toHaveLength(5)
    script.recover()
    expect(await engine.logs.append(OTHER, newBatch(10))).toEqual({ accepted: 10, deduplicated: 0, failures: [] })
    fixture!.time.pass(10_000)
    expect((await Promise.all(slow)).map(({ spooled }) => spooled)).toEqual([10, 10, 10, 10, 10])
  })

  it('write files again that hold little, when one namespace is stuck and room is scarce', async () => {
    const { engine, script, spool } = await opened({ maxBytes: 60_000, segmentBytes: 6_000, replayRecords: 4 })
    const stuck: string[] = []
    let later = 0
    script.script = async (ns, batch) => {
      if (ns === NS) throw unavailable()
      return script.store('logs', ns, batch)
    }
    for (let round = 0; round < 12; round++) {
      const batch = newBatch(1)
      await engine.logs.append(NS, batch)
      stuck.push(batch.ingestId)
      script.failWith(unavailable)
      for (let i = 0; i < 8; i++) if (await engine.logs.append(OTHER, newBatch(1)).catch(() => null)) later++
      script.script = async (ns, sent) => {
        if (ns === NS) throw unavailable()
        return script.store('logs', ns, sent)
      }
      await engine.logs.settle(OTHER)
    }
    expect(later).toBe(96)
    await fixture!.restart()
    expect(((await spool.gauges()) as { bytes: number }).bytes).toBeLessThanOrEqual(60_000)
    script.recover()
    await fixture!.engine.logs.settle(NS)
    expect(fixture!.storedIds().map(id => id.slice(0, 26))).toEqual(stuck)
  })
})

describe('a full disk', () => {
  it('is storage_full, and nothing is acknowledged or lost', async () => {
    const { engine } = await opened()
    await engine.logs.append(NS, newBatch(2))
    await fixture!.spool.close()
    const time = new ManualTime()
    const options = {
      folder: fixture!.folder,
      clock: time,
      timers: time,
      logger: SILENT_LOGGER,
      jobs: quietJobs()
    }
    const full = await openSpool({ ...options, limits: { minFreeBytes: Number.MAX_SAFE_INTEGER } })
    const { logs } = full.spooled(fixture!.script.engine)
    await expect(logs.append(OTHER, newBatch(1))).rejects.toMatchObject({ code: 'storage_full' })
    expect(full.waiting(NS)).toMatchObject([{ records: 2 }])
    expect(await full.health()).toMatchObject([{ healthy: false }])
    await full.close()
    await fixture!.start()
  })
})
