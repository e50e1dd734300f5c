import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { toError, toRum } from '../contract/event-fixtures.js'
import { toSpan } from '../contract/trace-fixtures.js'
import { nextIngestId, NS, openTestStores, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
beforeEach(async () => {
  folder = await openTempFolder()
  stores = await openTestStores(folder.path)
})
afterEach(async () => {
  await stores.close()
  await folder.remove()
})

it('hot_rows counts the rows of all signals that wait to be sealed', async () => {
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(3) })
  await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0), testPoint(1)] })
  await stores.traces.append(NS, { ingestId: nextIngestId(), items: [toSpan({ trace: 1, service: 'a', at: 1 }, 0)] })
  await stores.events.appendRum(NS, { ingestId: nextIngestId(), items: [toRum({ at: 1 }, 0)] })
  await stores.events.appendErrors(NS, { ingestId: nextIngestId(), items: [toError({ at: 1 }, 0)] })
  expect(await stores.recordsByKind()).toEqual({ logs: 3, points: 2, spans: 1, rum: 1, errors: 1 })
  expect(await stores.gauges()).toMatchObject({ hot_rows: 8, segment_rows: 0 })
})
