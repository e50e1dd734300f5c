import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from '@jest/globals'
import { NEVER } from '../contract/fresh-ids.js'
import { toSpan, traceIdOf } from '../contract/trace-fixtures.js'
import { nextIngestId, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

/** Makes the hot file look as it did before there were spans. */
async function withoutSpans(dataDir: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`ATTACH '${dataDir}/hot.duckdb' AS hot`)
  await connection.run("DELETE FROM hot.hot_tables WHERE kind = 'spans'")
  await connection.run('DROP TABLE hot.spans_0_0')
  await connection.run("UPDATE hot.meta SET value = '1' WHERE key = 'format'")
  connection.closeSync()
  instance.closeSync()
}

it('opens a folder of the format before spans, keeps what is there and takes spans', async () => {
  const folder = await openTempFolder()
  const dataDir = join(folder.path, 'telemetry')
  try {
    const before = await openTestStores(dataDir)
    await before.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(3) })
    await before.close()
    await withoutSpans(dataDir)
    const items = [toSpan({ trace: 1 }, 0)]
    for (const expected of [1, 2]) {
      const stores = await openTestStores(dataDir)
      await stores.traces.append(NS, {
        ingestId: nextIngestId(),
        items: items.map(span => ({ ...span, spanId: `${expected}`.padStart(16, '0') }))
      })
      expect((await stores.traces.trace(NS, traceIdOf(1), 9, NEVER)).spans).toHaveLength(expected)
      expect(await stores.recordsByKind()).toMatchObject({ logs: 3, spans: expected })
      await stores.close()
    }
  } finally {
    await folder.remove()
  }
}, 60_000)
