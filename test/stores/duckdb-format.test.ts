import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from '@jest/globals'
import type { EncodedHistogram } from '../../src/domain/native-histogram/encode.js'
import { FORMAT_STEPS } from '../../src/stores/duckdb/tables.js'
import { NEVER } from '../contract/fresh-ids.js'
import { toSpan, traceIdOf } from '../contract/trace-fixtures.js'
import { nextIngestId, NS, openTestStores, testLogs } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

/** Columns that later formats than this one added, with their kinds. */
function columnsAfter(format: number): readonly (readonly [kind: string, column: string])[] {
  const later = FORMAT_STEPS.filter(step => step.format > format).flatMap(({ columns = {} }) => Object.entries(columns))
  return later.flatMap(([kind, changes]) => changes.flatMap(change => ('add' in change ? [[kind, change.add] as const] : [])))
}

/** Makes the hot file look as it did in a format that lacked some kinds. */
async function withoutKinds(dataDir: string, format: number, kinds: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`ATTACH '${dataDir}/hot.duckdb' AS hot`)
  for (const kind of kinds) {
    await connection.run(`DELETE FROM hot.hot_tables WHERE kind = '${kind}'`)
    await connection.run(`DROP TABLE hot.${kind}_0_0`)
  }
  for (const [kind, column] of columnsAfter(format)) {
    if (!kinds.includes(kind)) await connection.run(`ALTER TABLE hot.${kind}_0_0 DROP COLUMN "${column}"`)
  }
  await connection.run(`UPDATE hot.meta SET value = '${format}' WHERE key = 'format'`)
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
    await withoutKinds(dataDir, 1, ['spans', 'histograms'])
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

it('opens a folder of the format before native histograms, keeps what is there and takes histograms', async () => {
  const folder = await openTempFolder()
  const dataDir = join(folder.path, 'telemetry')
  const point = { name: 'latency', type: 'counter', labels: [], value: 1 } as const
  const matchers = [{ name: '__name__', op: 'eq', value: 'latency' }] as const
  try {
    const before = await openTestStores(dataDir)
    await before.metrics.append(NS, { ingestId: nextIngestId(), items: [{ ...point, index: 0, timestampNs: 1n }] })
    await before.close()
    await withoutKinds(dataDir, 2, ['histograms'])
    const stores = await openTestStores(dataDir)
    const histogram = 'AQ==' as EncodedHistogram
    await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [{ ...point, index: 0, timestampNs: 2n, histogram }] })
    const request = { matchers, range: { startNs: 0n, endNs: 9n }, maxSeries: 9, maxSamples: 9 }
    const [found] = await stores.metrics.select(NS, request, NEVER)
    expect([found!.values[0], [...found!.histograms!]]).toEqual([1, [[1, histogram]]])
    await stores.close()
  } finally {
    await folder.remove()
  }
}, 60_000)
