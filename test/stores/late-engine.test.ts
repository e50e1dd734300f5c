import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { EVERYTHING } from '../../src/domain/filter.js'
import { GatewayError } from '../../src/domain/errors.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { LateEngine } from '../../src/stores/late-engine.js'
import { lateEvents, lateLogs, lateMetrics } from '../../src/stores/late-signals.js'
import { eventStoreContract } from '../contract/event-store.contract.js'
import { logAppendContract } from '../contract/log-store.append.contract.js'
import { logStreamContract } from '../contract/log-store.stream.contract.js'
import { metricStoreContract } from '../contract/metric-store.contract.js'
import { EVERY_TIME, NEVER } from '../contract/store-under-test.js'
import { NS, nextIngestId, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const RETRY_MS = 1
const DOWN = new GatewayError('store_unavailable', 'nobody answers')
type Opened = DuckDbStores & { readonly name: string }

let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  folder = await openTempFolder()
})
afterEach(() => folder.remove())

/** An engine that turns out down; `answers` decides each later attempt and resolves `tried` when it was made. */
function late(answers: () => Promise<Opened>, troubles: unknown[] = []): LateEngine<Opened> {
  return new LateEngine({ name: 'duckdb', open: answers, retryMs: RETRY_MS, onTrouble: error => troubles.push(error) }, DOWN)
}

describe('an engine that was down at the start', () => {
  it('answers store_unavailable and is unwell, and works once it is there', async () => {
    let isUp = false
    let onOpened = (): void => undefined
    const opened = new Promise<void>(resolve => (onOpened = resolve))
    const engine = late(async () => {
      if (!isUp) throw DOWN
      const stores = await openTestStores(folder.path)
      // After the assignment that follows this answer.
      setImmediate(onOpened)
      return { name: 'duckdb', ...stores }
    })
    const logs = lateLogs(() => engine.opened.logs)
    const batch = { ingestId: nextIngestId(), items: testLogs(2) }
    await expect(logs.append(NS, batch)).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(
      logs.stream(NS, { range: EVERY_TIME, filter: EVERYTHING, order: 'desc' }, NEVER)[Symbol.asyncIterator]().next()
    ).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(engine.sizes()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await engine.health()).toEqual([{ name: 'duckdb', healthy: false, latencyMs: null, detail: 'nobody answers' }])
    expect(await engine.gauges()).toEqual({})
    isUp = true
    await opened
    expect(await logs.append(NS, batch)).toMatchObject({ accepted: 2 })
    expect((await engine.health())[0]).toMatchObject({ healthy: true })
    await engine.close()
    await expect(logs.append(NS, batch)).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('tells each new fault once, and its health names the last one', async () => {
    const troubles: unknown[] = []
    const refused = new Error('the password is wrong')
    let attempts = 0
    let onThird = (): void => undefined
    const third = new Promise<void>(resolve => (onThird = resolve))
    const engine = late(() => {
      if (++attempts === 3) setImmediate(onThird)
      return Promise.reject(attempts === 1 ? DOWN : refused)
    }, troubles)
    await third
    expect(troubles).toEqual([DOWN, refused])
    expect(await engine.health()).toEqual([expect.objectContaining({ detail: 'the password is wrong' })])
    await engine.close()
  })
})

// Late stores are stores: the suites must not tell them from those of the engine.
for (const contract of [logAppendContract, logStreamContract, metricStoreContract, eventStoreContract]) {
  contract('an engine opened late', async () => {
    const own = await openTempFolder()
    const stores = await openTestStores(own.path)
    const signals = {
      logs: lateLogs(() => stores.logs),
      metrics: lateMetrics(() => stores.metrics),
      events: lateEvents(() => stores.events)
    }
    const close = async (): Promise<void> => {
      await stores.close()
      await own.remove()
    }
    return { stores: { ...stores, ...signals }, close }
  })
}
