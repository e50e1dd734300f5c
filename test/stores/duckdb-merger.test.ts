import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { DEFAULT_DUCKDB_LIMITS as limits } from '../../src/stores/duckdb/limits.js'
import { FailPoints } from '../../src/stores/duckdb/process/fail-points.js'
import { Deletions } from '../../src/stores/duckdb/segments/deletions.js'
import { addSegment } from '../../src/stores/duckdb/segments/manifest.js'
import { Merger } from '../../src/stores/duckdb/segments/merger.js'
import { SegmentFiles } from '../../src/stores/duckdb/segments/segment-files.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { openHotDatabase } from '../../src/stores/duckdb/write/hot-database.js'
import { UniqueNumbers } from '../../src/stores/duckdb/write/unique-numbers.js'
import { NS } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

it('has nothing to merge of a namespace that was dropped a moment ago', async () => {
  const folder = await openTempFolder()
  const failPoints = new FailPoints(null)
  const database = await openHotDatabase({
    layout: LAYOUT,
    failPoints,
    dataDir: folder.path,
    limits,
    lockWaitMs: 0,
    nowMs: () => Date.now(),
    sleep
  })
  const connection = await database.connect()
  const deletions = new Deletions(await database.connect())
  const files = new SegmentFiles(database.segmentsDir, new UniqueNumbers(database.epoch), {
    ...limits,
    format: LAYOUT.format,
    freeColumns: { report: () => undefined, failPoints: new FailPoints(null) }
  })
  for (let i = 0; i < 20; i++) {
    const sizes = { rows: 10, bytes: 10, minNs: 0n, maxNs: 1n }
    await addSegment(connection, { kind: 'logs', ns: NS, day: 0, file: `${NS}/logs-0-${i}.parquet`, ...sizes }, new Map())
  }
  await deletions.drop(['logs'], NS)
  const merger = new Merger({
    layout: LAYOUT,
    connection,
    files,
    deletions,
    damaged: { has: () => false, verify: async () => false },
    failPoints,
    limits
  })
  // True would make upkeep call again at once, and forever.
  expect(await merger.mergeNext()).toBe(false)
  database.close()
  await folder.remove()
})
