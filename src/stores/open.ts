import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { Stores } from '../ports/stores.js'
import { backupStores, CONTROL_FOLDER, TELEMETRY_FOLDER } from './backup.js'
import { openSqliteControlStore } from './control/open-sqlite.js'
import type { DuckDbOptions } from './duckdb/duckdb-stores.js'
import { openDuckDbStores } from './duckdb/duckdb-stores.js'
import { syncFolder } from './duckdb/process/durable-files.js'

const CONTROL_FILE = 'control.db'
const PRIVATE_MODE = 0o700

/** What the stores need to open. */
export interface OpenStoresOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly logger: NonNullable<DuckDbOptions['logger']>
  /** Compiled entry of the store process; the one beside this file when absent. */
  readonly storeEntry?: string
  /** Compiled entry of the control database's thread; the one beside its opener when absent. */
  readonly controlEntry?: string
  readonly limits?: DuckDbOptions['limits']
}

/** All stores of one data folder. */
export interface OpenedStores {
  readonly telemetry: Stores
  readonly control: ControlStore
  /** A consistent copy of both into an empty folder, while running. */
  backup(folder: string): Promise<void>
  /** Closes both; the second call does nothing. */
  close(): Promise<void>
}

function ownEntry(): string {
  return fileURLToPath(new URL('./duckdb/process/main.js', import.meta.url))
}

/** Makes the folder and those above it that are missing, and forces each new name to the disk. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: PRIVATE_MODE })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function openControl(dataDir: string, entry: string | undefined): Promise<ControlStore> {
  const folder = join(dataDir, CONTROL_FOLDER)
  await mkdir(folder, { recursive: true, mode: PRIVATE_MODE })
  return openSqliteControlStore({ file: join(folder, CONTROL_FILE), ...(entry === undefined ? {} : { entry }) })
}

async function closeBoth(telemetry: Stores, control: ControlStore): Promise<void> {
  try {
    await control.close()
  } finally {
    await telemetry.close()
  }
}

/**
 * Opens the stores of a data folder. The telemetry store's lock guards the control database too, so that one opens
 * first and closes last.
 */
export async function openStores(options: OpenStoresOptions): Promise<OpenedStores> {
  const dataDir = resolve(options.dataDir)
  await makeFolder(dataDir)
  const telemetry = await openDuckDbStores({
    dataDir: join(dataDir, TELEMETRY_FOLDER),
    entry: options.storeEntry ?? ownEntry(),
    clock: options.clock,
    logger: options.logger,
    ...(options.limits === undefined ? {} : { limits: options.limits })
  })
  const control = await openControl(dataDir, options.controlEntry).catch(async (error: unknown) => {
    await telemetry.close()
    throw error
  })
  // The two folders below it were made by now; a power cut must not take their names.
  await syncFolder(dataDir)
  let closed: Promise<void> | null = null
  return {
    telemetry,
    control,
    backup: folder => backupStores(telemetry, control, folder, new Date(options.clock.nowMs()).toISOString()),
    close: () => (closed ??= closeBoth(telemetry, control))
  }
}
