import { access, mkdir, rm, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { syncFolder } from '../../disk/durable-files.js'
import { inTransaction, literal, run } from '../process/sql.js'
import { readWholeStrings } from '../process/whole-strings.js'
import type { DuckDbLimits } from '../limits.js'
import { rebuildIfSparse } from './rebuild.js'
import { type AttachOptions, attachHotFile } from './attach-hot-file.js'
import { forgetLoss } from './repair-log.js'
import { bringUpToDate, type FormatOptions, readFormat } from './format.js'
import { isNewHotFile, noteStale, readMeta, type StaleReason } from './hot-file-state.js'
import { readJournalManifest } from './journal/journal-manifest.js'
import { ADDED_TABLES } from './schema.js'
import { requireKnownSegments } from '../sealed-files.js'
import { lastEpochOfFiles } from './last-epoch.js'
import { SetAside } from '../../disk/set-aside.js'
import { whenMissing } from '../../disk/when-missing.js'

const HOT_FILE = 'hot.duckdb'
const SEGMENTS = 'segments'
const JOURNAL = 'journal'
/** Rows that one statement of a list reads mostly: a page and one more. */
const PAGE_ROWS = '1001'
// Only a safety net: checkpoints are made after seals, when there is little to write.
const CHECKPOINT_THRESHOLD = '1GiB'

/** What opening the hot file needs from outside. */
export interface HotOptions extends FormatOptions, AttachOptions {
  readonly limits: DuckDbLimits
}

/** The hot file, attached to an in-memory instance so that a full disk invalidates one database and not the process. */
export class HotDatabase {
  readonly instance: DuckDBInstance
  readonly dataDir: string
  /** Number of this start; see `UniqueNumbers`. */
  readonly epoch: bigint
  /** What was repaired while opening; empty when all was well. */
  readonly repairs: readonly string[]
  /** Whether the hot file was made by this start, or by one before it that did not come to its end. */
  readonly isNew: boolean
  /** Whether this start found a hot file of no bytes, and created it again. */
  readonly isEmpty: boolean

  constructor(instance: DuckDBInstance, dataDir: string, opened: Pick<HotDatabase, 'epoch' | 'repairs' | 'isNew' | 'isEmpty'>) {
    this.instance = instance
    this.dataDir = dataDir
    this.epoch = opened.epoch
    this.repairs = opened.repairs
    this.isNew = opened.isNew
    this.isEmpty = opened.isEmpty
  }

  get hotFile(): string {
    return path.join(this.dataDir, HOT_FILE)
  }

  get walFile(): string {
    return `${this.hotFile}.wal`
  }

  get segmentsDir(): string {
    return path.join(this.dataDir, SEGMENTS)
  }

  get journalDir(): string {
    return path.join(this.dataDir, JOURNAL)
  }

  connect(): Promise<DuckDBConnection> {
    return this.instance.connect()
  }

  /**
   * Merges the log into the file. The next write begins a new log, whose name must be on the disk before anything relies on
   * it: one small write makes it at once.
   */
  async checkpoint(connection: DuckDBConnection): Promise<void> {
    await connection.run('CHECKPOINT hot')
    await run(connection, "UPDATE hot.main.meta SET value = ? WHERE key = 'epoch'", [String(this.epoch)])
    await this.syncLogName()
  }

  /** Forces the names in the data folder to the disk. */
  syncLogName(): Promise<void> {
    return syncFolder(this.dataDir)
  }

  /** Lets go of the file; commits are already in it or in its log. */
  close(): void {
    this.instance.closeSync()
  }
}

async function nextEpoch(connection: DuckDBConnection, dataDir: string, stale: StaleReason | null): Promise<bigint> {
  const known = BigInt((await readMeta(connection, 'epoch')) ?? '0')
  const ofFiles = await lastEpochOfFiles(connection, dataDir, path.join(dataDir, SEGMENTS))
  const ofJournal = BigInt((await readJournalManifest(dataDir)).state.epoch)
  const last = [known, ofFiles, ofJournal].reduce((a, b) => (a > b ? a : b))
  const reason = stale ?? (last > known && !(await isNewHotFile(connection)) ? 'older' : null)
  await inTransaction(connection, async () => {
    if (reason !== null) await noteStale(connection, reason)
    await run(connection, "UPDATE hot.main.meta SET value = ? WHERE key = 'epoch'", [String(last + 1n)])
  })
  return last + 1n
}

function exists(file: string): Promise<boolean> {
  return access(file).then(() => true, whenMissing(false))
}

/** A file of no bytes, as a power cut leaves one, holds nothing, and DuckDB does not take it for a new one. */
async function removeIfEmpty(hotFile: string): Promise<boolean> {
  const size = await stat(hotFile).then(stats => stats.size, whenMissing(-1))
  if (size !== 0) return false
  await unlink(hotFile)
  return true
}

/** DuckDB removes a log whose database is missing, and a rebuilt file may be the only one: both are kept before that. */
async function keepLoneFiles(dataDir: string, hotFile: string): Promise<string[]> {
  const done: string[] = []
  for (const file of [`${hotFile}.wal`, `${hotFile}.new`, `${hotFile}.new.wal`]) {
    if (!(await exists(file))) continue
    const name = await (await SetAside.open(dataDir)).move(file)
    done.push(`${path.basename(file)} had no database file and was set aside as ${name}`)
  }
  return done
}

async function createInstance(dataDir: string, limits: DuckDbLimits): Promise<DuckDBInstance> {
  const tempDir = path.join(dataDir, 'tmp')
  await rm(tempDir, { recursive: true, force: true })
  for (const folder of [SEGMENTS, JOURNAL]) await mkdir(path.join(dataDir, folder), { recursive: true })
  readWholeStrings()
  return DuckDBInstance.create(':memory:', {
    memory_limit: `${limits.memoryLimitMiB}MiB`,
    threads: String(limits.threads),
    temp_directory: tempDir,
    checkpoint_threshold: CHECKPOINT_THRESHOLD,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false',
    // A page of newest rows is found by its keys; by default, the engine does so for 50 rows at most.
    late_materialization_max_rows: PAGE_ROWS,
    allocator_background_threads: 'true',
    // Metadata that is kept where it is would keep the file from being cut off behind it.
    experimental_metadata_reuse: 'false',
    // Hot rows are sealed within minutes: choosing a compression for them would only make checkpoints stall commits.
    force_compression: 'uncompressed'
  })
}

/** Opens or makes the hot file: lock, repair of a torn log, format, and the number of this start. */
export async function openHotDatabase(options: HotOptions): Promise<HotDatabase> {
  const { dataDir, limits } = options
  const instance = await createInstance(dataDir, limits)
  try {
    const connection = await instance.connect()
    const hotFile = path.join(dataDir, HOT_FILE)
    await requireKnownSegments(path.join(dataDir, SEGMENTS), options.layout.format)
    const isEmpty = await removeIfEmpty(hotFile)
    const kept = (await exists(hotFile)) ? [] : await keepLoneFiles(dataDir, hotFile)
    const { repairs, isLogLost } = await attachHotFile(connection, hotFile, options)
    // Before anything is written: data of a newer version stays as it is.
    const found = await readFormat(connection, options)
    if (await rebuildIfSparse(connection, hotFile, limits.rebuildBytes)) await attachHotFile(connection, hotFile, options)
    await connection.run(`SET GLOBAL allowed_directories = [${literal(dataDir + path.sep)}]`)
    await connection.run('SET GLOBAL enable_external_access = false')
    await bringUpToDate(connection, found, options)
    for (const statement of ADDED_TABLES) await connection.run(statement)
    const epoch = await nextEpoch(connection, dataDir, isLogLost ? 'log' : null)
    await forgetLoss(`${hotFile}.wal`)
    await syncFolder(dataDir)
    const isNew = await isNewHotFile(connection)
    connection.closeSync()
    return new HotDatabase(instance, dataDir, { epoch, repairs: [...kept, ...repairs], isNew, isEmpty })
  } catch (error) {
    instance.closeSync()
    throw error
  }
}
