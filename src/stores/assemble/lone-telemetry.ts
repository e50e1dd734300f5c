import { access, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { GatewayError } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { KnownSizes } from '../../ports/stores.js'
import { CONTROL_FOLDER, TELEMETRY_FOLDER } from './backup.js'
import { syncFolder } from '../disk/durable-files.js'
import { lockFolder } from '../disk/folder-lock.js'
import { CONTROL_FILE } from './open-control.js'
import { LOCK_FILE, SPOOL_FOLDER } from '../shared/store-choice.js'
import { whenMissing } from '../disk/when-missing.js'

const SET_ASIDE = 'set-aside'
const PRIVATE_MODE = 0o700
const SEGMENTS = 'segments'
const HOT_FILE = 'hot.duckdb'

async function isThere(path: string): Promise<boolean> {
  return access(path).then(() => true, whenMissing(false))
}

async function names(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(whenMissing<string[]>([]))
}

/** Whether the data folder has a database of users and keys. SQLite takes an empty file for a new database. */
export async function hasControl(dataDir: string): Promise<boolean> {
  return stat(join(dataDir, CONTROL_FOLDER, CONTROL_FILE)).then(({ size }) => size > 0, whenMissing(false))
}

/** Whether a user exists: a database without users was created by a start that was refused. */
async function hasUsers(dataDir: string): Promise<boolean> {
  if (!(await hasControl(dataDir))) return false
  const database = new Database(join(dataDir, CONTROL_FOLDER, CONTROL_FILE))
  try {
    const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'users'").all()
    return tables.length > 0 && database.prepare('SELECT 1 FROM users LIMIT 1').all().length > 0
  } finally {
    database.close()
  }
}

/** Folders of the data folder that hold records of an earlier start. */
async function telemetryFolders(dataDir: string): Promise<readonly string[]> {
  const telemetry = join(dataDir, TELEMETRY_FOLDER)
  const isUsed = (await isThere(join(telemetry, HOT_FILE))) || (await names(join(telemetry, SEGMENTS))).length > 0
  const isWaiting = (await names(join(dataDir, SPOOL_FOLDER))).some(name => name.endsWith('.spool'))
  return [...(isUsed ? [TELEMETRY_FOLDER] : []), ...(isWaiting ? [SPOOL_FOLDER] : [])]
}

/** The refusal of a start that would create a new operator next to records that only the old one may read. */
function loneTelemetry(dataDir: string): GatewayError {
  const file = join(dataDir, CONTROL_FOLDER, CONTROL_FILE)
  const remedy =
    'restore it from a backup; or run "npm run admin -- begin-anew", which moves the records to set-aside, and start with a new operator'
  return new GatewayError('conflict', `${file} has no users, but the data folder contains records of an earlier start: ${remedy}`)
}

/** Throws when records are in the data folder and the database of users and keys does not. */
export async function requireControlStore(dataDir: string): Promise<void> {
  if (!(await hasControl(dataDir)) && (await telemetryFolders(dataDir)).length > 0) throw loneTelemetry(dataDir)
}

/** Throws when stores without users have records of a namespace: an empty database of users next to them is not that of a first start. */
export function requireNoRecords({ namespaces }: KnownSizes, dataDir: string): void {
  if (namespaces.some(({ records }) => records > 0)) throw loneTelemetry(dataDir)
}

/**
 * Moves the records of a data folder out of the way of a first start, whole as they are; returns where to. `conflict` while
 * the service runs, and when there is nothing to move or the records have their users.
 */
export async function setTelemetryAside(dataDir: string, clock: Clock): Promise<readonly string[]> {
  const release = await lockFolder(join(dataDir, LOCK_FILE), 0, clock)
  try {
    if (await hasUsers(dataDir)) throw new GatewayError('conflict', `${dataDir} has its users and keys: there is nothing to move`)
    const folders = await telemetryFolders(dataDir)
    if (folders.length === 0) throw new GatewayError('conflict', `${dataDir} does not contain records of an earlier start`)
    const time = new Date(clock.nowMs()).toISOString().replaceAll(':', '-')
    const aside = join(dataDir, SET_ASIDE)
    await mkdir(aside, { recursive: true, mode: PRIVATE_MODE })
    const moved = folders.map(folder => [join(dataDir, folder), join(aside, `${folder}-${time}`)] as const)
    for (const [from, to] of moved) await rename(from, to)
    await syncFolder(aside)
    await syncFolder(dataDir)
    return moved.map(([, to]) => to)
  } finally {
    release()
  }
}
