import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { ManifestRow } from '../../../src/stores/duckdb/segments/manifest.js'
import { replacedBy } from '../../../src/stores/duckdb/segments/replaced-files.js'
import { FailPoints } from '../../../src/stores/duckdb/process/fail-points.js'
import { SegmentFiles } from '../../../src/stores/duckdb/segments/segment-files.js'
import { UniqueNumbers } from '../../../src/stores/duckdb/write/unique-numbers.js'
import { openTempFolder } from '../../support/temp-folder.js'

const NS = 'testnamespace01' as NamespaceId
const OTHER = 'testnamespace02' as NamespaceId

let folder: Awaited<ReturnType<typeof openTempFolder>>
let instance: DuckDBInstance
let connection: DuckDBConnection

beforeEach(async () => {
  folder = await openTempFolder()
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  for (const ns of [NS, OTHER]) await mkdir(join(folder.path, ns))
})

afterEach(async () => {
  connection.closeSync()
  instance.closeSync()
  await folder.remove()
})

/** A segment of rows from 10 to 19, by default. */
async function write(
  file: string,
  { from = 10, replaces }: { from?: number; replaces?: readonly string[] } = {}
): Promise<string> {
  const mark = replaces ? `, KV_METADATA {alidade: '${JSON.stringify({ replaces })}'}` : ''
  const sql = `COPY (SELECT range::BIGINT AS ts FROM range(${from}, ${from + 10})) TO '${join(folder.path, file)}' (FORMAT parquet${mark})`
  await connection.run(sql)
  return file
}

/** Of the segment of logs of day 1 with number 5 and rows from 10 to 19. */
const DAMAGED = `${NS}/logs-1-1_5.f5.parquet`

function concerned(replaced: readonly string[]): Promise<readonly string[]> {
  const files = new SegmentFiles(folder.path, new UniqueNumbers(1n), {
    gramIndexRows: 1,
    format: 5,
    freeColumns: { report: () => undefined, failPoints: new FailPoints(null) },
    inRoom: (_, work) => work()
  })
  const row: ManifestRow = { kind: 'logs', ns: NS, day: 1, file: DAMAGED, rows: 10, bytes: 1, minNs: 10n, maxNs: 19n }
  return replacedBy({ connection, files }, replaced, [row])
}

it('keeps what the damaged segment may have replaced, and nothing else', async () => {
  const kept = [await write(`${NS}/logs-1-1_3.f5.parquet`), await write(`${NS}/logs-1-1_4.f5.parquet`, { from: 15 })]
  const others = [
    await write(`${OTHER}/logs-1-1_3.f5.parquet`),
    await write(`${NS}/spans-1-1_3.f5.parquet`),
    await write(`${NS}/logs-2-1_3.f5.parquet`),
    await write(`${NS}/logs-1-1_6.f5.parquet`),
    await write(`${NS}/logs-1-1_2.f5.parquet`, { from: 20 })
  ]
  expect(await concerned([...others, ...kept])).toEqual(kept)
})

it('keeps a file that states neither its place nor its times', async () => {
  const names = [`${NS}/logs-1-1_3.f5.parquet`, `${NS}/old name.parquet`]
  for (const name of names) await writeFile(join(folder.path, name), 'no segment')
  expect(await concerned(names)).toEqual(names)
})

it('uses what the damaged segment itself states, where that can be read', async () => {
  const [own, other] = [await write(`${NS}/logs-1-1_3.f5.parquet`), await write(`${NS}/logs-1-1_4.f5.parquet`)]
  await write(DAMAGED, { replaces: [own] })
  expect(await concerned([own, other])).toEqual([own])
  await rm(join(folder.path, DAMAGED))
  expect(await concerned([own, other])).toEqual([own, other])
})
