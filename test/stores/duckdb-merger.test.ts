import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { storageFull } from '../../src/stores/disk/disk-room.js'
import { DEFAULT_DUCKDB_LIMITS as limits } from '../../src/stores/duckdb/limits.js'
import { FailPoints } from '../../src/stores/duckdb/process/fail-points.js'
import { Deletions } from '../../src/stores/duckdb/segments/deletions.js'
import { addSegment } from '../../src/stores/duckdb/segments/manifest.js'
import { KnownManifest } from '../../src/stores/duckdb/segments/known-manifest.js'
import { Merger } from '../../src/stores/duckdb/segments/merger.js'
import { type SegmentFileOptions, SegmentFiles } from '../../src/stores/duckdb/segments/segment-files.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { openHotDatabase } from '../../src/stores/duckdb/write/hot-database.js'
import { UniqueNumbers } from '../../src/stores/duckdb/write/unique-numbers.js'
import { NS } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const SEGMENTS = 20
const SEGMENT_BYTES = 10

let folder: Awaited<ReturnType<typeof openTempFolder>>
let database: Awaited<ReturnType<typeof openHotDatabase>>
let deletions: Deletions
let inRoom: SegmentFileOptions['inRoom']
let merger: Merger

beforeEach(async () => {
  folder = await openTempFolder()
  const failPoints = new FailPoints(null)
  database = await openHotDatabase({
    layout: LAYOUT,
    failPoints,
    dataDir: folder.path,
    limits,
    lockWaitMs: 0,
    nowMs: () => Date.now(),
    sleep
  })
  const connection = await database.connect()
  deletions = new Deletions(await database.connect())
  const files = new SegmentFiles(database.segmentsDir, new UniqueNumbers(database.epoch), {
    ...limits,
    format: LAYOUT.format,
    freeColumns: { report: () => undefined, failPoints: new FailPoints(null) },
    inRoom: (writing, work) => inRoom(writing, work)
  })
  for (let i = 0; i < SEGMENTS; i++) {
    const sizes = { rows: 10, bytes: SEGMENT_BYTES, minNs: 0n, maxNs: 1n }
    await addSegment(connection, { kind: 'logs', ns: NS, day: 0, file: `${NS}/logs-0-${i}.parquet`, ...sizes }, new Map())
  }
  merger = new Merger({
    layout: LAYOUT,
    connection,
    files,
    deletions,
    manifest: new KnownManifest(),
    damaged: { has: () => false, verify: async () => false },
    failPoints,
    limits
  })
})

afterEach(async () => {
  database.close()
  await folder.remove()
})

it('has nothing to merge of a namespace that was dropped a moment ago', async () => {
  await deletions.drop(['logs'], NS)
  // True would make upkeep call again at once, and forever.
  expect(await merger.mergeNext()).toBe(false)
})

it('does not begin a merge whose result has no room', async () => {
  const requested: number[] = []
  inRoom = async ({ sizeBytes }) => {
    requested.push(sizeBytes)
    throw storageFull()
  }
  await expect(merger.mergeNext()).rejects.toMatchObject({ code: 'storage_full' })
  const inputs = requested[0]! / SEGMENT_BYTES
  expect([requested.length, inputs > 1 && inputs <= SEGMENTS]).toEqual([1, true])
})
