import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { GatewayError } from '../../../domain/errors.js'
import { syncFile, syncFolder } from '../../disk/durable-files.js'
import type { HotDatabase } from '../write/hot-database.js'
import { indexFilesOf } from '../segment-indexes.js'
import { readManifest } from './manifest.js'
import type { SnapshotPins } from './snapshot-pins.js'
import type { Upkeep } from './upkeep.js'

/** What a backup works with. */
export interface BackupDeps {
  readonly database: HotDatabase
  readonly connection: DuckDBConnection
  readonly upkeep: Upkeep
  readonly pins: SnapshotPins
  /** Runs work when everything acknowledged is in the hot file, and nothing more comes in meanwhile. */
  readonly afterAll: (work: () => Promise<void>) => Promise<void>
}

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await syncFile(to)
}

async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new GatewayError('conflict', `the folder ${folder} is not empty`)
}

/**
 * Copies the data into an empty folder that can then serve as a data folder. Writes wait only while the hot file is
 * copied; the segments that it names are copied afterwards and cannot go away meanwhile.
 */
export async function backUp(parts: BackupDeps, folder: string): Promise<void> {
  const { database, connection, upkeep, pins, afterAll } = parts
  await requireEmpty(folder)
  const unpin = pins.enter()
  try {
    let files: string[] = []
    await upkeep.serial(() =>
      afterAll(async () => {
        await database.checkpoint(connection)
        files = (await readManifest(connection)).map(({ file }) => file)
        await copySynced(database.hotFile, path.join(folder, path.basename(database.hotFile)))
        await copySynced(database.walFile, path.join(folder, path.basename(database.walFile))).catch(ignoreMissing)
      })
    )
    const segments = path.join(folder, 'segments')
    await mkdir(segments)
    for (const file of files) {
      await mkdir(path.dirname(path.join(segments, file)), { recursive: true })
      const [from, to] = [path.join(database.segmentsDir, file), path.join(segments, file)]
      // A segment that is missing is missing in the copy, too: its manifest lists it, and results there report it.
      await copySynced(from, to).catch(ignoreMissing)
      const indexes = indexFilesOf(to)
      for (const [i, index] of indexFilesOf(from).entries()) await copySynced(index, indexes[i]!).catch(ignoreMissing)
    }
    for (const each of new Set(files.map(file => path.dirname(file)))) await syncFolder(path.join(segments, each))
    await syncFolder(segments)
    await syncFolder(folder)
  } finally {
    unpin()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
