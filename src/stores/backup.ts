import { cp, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GatewayError } from '../domain/errors.js'
import type { ControlStore } from '../ports/control-store.js'
import type { Stores } from '../ports/stores.js'

/** Folders below the data folder, and below a backup. */
export const TELEMETRY_FOLDER = 'telemetry'
/** As above, for users, keys and namespaces. */
export const CONTROL_FOLDER = 'control'
// Written last: a folder without it is no finished backup.
const MARKER = 'backup.json'
const PRIVATE_MODE = 0o700
const FORMAT = 1

async function contents(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

async function requireEmpty(folder: string, what: string): Promise<void> {
  if ((await contents(folder)).length > 0) throw new GatewayError('conflict', `${what} ${folder} is not empty`)
}

async function writeMarker(folder: string, madeAt: string): Promise<void> {
  const file = await open(join(folder, MARKER), 'wx')
  try {
    await file.writeFile(`${JSON.stringify({ format: FORMAT, made_at: madeAt })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Copies both stores into an empty folder while they run; the copy is consistent. `conflict` when it is not empty. */
export async function backupStores(telemetry: Stores, control: ControlStore, target: string, madeAt: string): Promise<void> {
  const folder = resolve(target)
  await requireEmpty(folder, 'the backup folder')
  const telemetryCopy = join(folder, TELEMETRY_FOLDER)
  const controlCopy = join(folder, CONTROL_FOLDER)
  await mkdir(telemetryCopy, { recursive: true, mode: PRIVATE_MODE })
  await mkdir(controlCopy, { recursive: true, mode: PRIVATE_MODE })
  // Control last: a namespace without data is harmless, data of an unknown namespace would be set aside.
  await telemetry.backup(telemetryCopy)
  await control.backup(controlCopy)
  await writeMarker(folder, madeAt)
}

/** Puts a finished backup into a data folder that is empty or not there. `conflict` otherwise, `not_found` without a backup. */
export async function restoreBackup(source: string, dataDir: string): Promise<void> {
  const folder = resolve(source)
  const marker = await readFile(join(folder, MARKER), 'utf8').catch(() => null)
  if (marker === null) throw new GatewayError('not_found', `${folder} holds no finished backup`)
  const { format } = JSON.parse(marker) as { readonly format?: unknown }
  if (format !== FORMAT) throw new GatewayError('conflict', `${folder} was made by another version of the format`)
  await requireEmpty(dataDir, 'the data folder')
  await mkdir(dataDir, { recursive: true, mode: PRIVATE_MODE })
  for (const part of [TELEMETRY_FOLDER, CONTROL_FOLDER]) {
    await cp(join(folder, part), join(dataDir, part), { recursive: true, errorOnExist: true, force: false })
  }
}
