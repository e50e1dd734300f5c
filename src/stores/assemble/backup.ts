import { cp, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GatewayError } from '../../domain/errors.js'
import { whenMissing } from '../disk/when-missing.js'
import { STORE_SIGNALS } from '../shared/engine-descriptor.js'
import type { StoreChoice } from '../shared/store-choice.js'

/** Folders below the data folder, and below a backup. */
export const TELEMETRY_FOLDER = 'telemetry'
/** As above, for users, keys and namespaces. */
export const CONTROL_FOLDER = 'control'
// Written last: a folder without it is not a finished backup.
const MARKER = 'backup.json'
const PRIVATE_MODE = 0o700
const FORMAT = 1

/** An embedded store that can copy itself while it runs. */
export interface BackupPart {
  readonly folder: typeof TELEMETRY_FOLDER | typeof CONTROL_FOLDER
  /** A consistent copy into an empty folder. */
  backup(folder: string): Promise<void>
}

/** The content of the marker of a finished backup. */
export interface BackupContent {
  /** ISO 8601. */
  readonly madeAt: string
  /** What the backup does not contain, as sentences that name its location. */
  readonly notIncluded: readonly string[]
}

async function contents(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(whenMissing<string[]>([]))
}

async function requireEmpty(folder: string, what: string): Promise<void> {
  if ((await contents(folder)).length > 0) throw new GatewayError('conflict', `${what} ${folder} is not empty`)
}

async function writeMarker(folder: string, marker: object): Promise<void> {
  const file = await open(join(folder, MARKER), 'wx')
  try {
    await file.writeFile(`${JSON.stringify(marker)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Copies the embedded stores into an empty folder while they run; each copy is consistent. Control comes last: a namespace
 * without data is harmless, data of an unknown namespace would be set aside. `conflict` when the folder is not empty.
 */
export async function backupStores(parts: readonly BackupPart[], target: string, content: BackupContent): Promise<void> {
  const folder = resolve(target)
  await requireEmpty(folder, 'the backup folder')
  for (const part of parts) {
    const copy = join(folder, part.folder)
    await mkdir(copy, { recursive: true, mode: PRIVATE_MODE })
    await part.backup(copy)
  }
  const { madeAt, notIncluded } = content
  const folders = parts.map(part => part.folder)
  await writeMarker(folder, { format: FORMAT, made_at: madeAt, parts: folders, not_included: notIncluded })
}

/** Puts a finished backup into a data folder that is empty or not there. `conflict` otherwise, `not_found` without a backup. */
export async function restoreBackup(source: string, dataDir: string): Promise<void> {
  const folder = resolve(source)
  const marker = await readFile(join(folder, MARKER), 'utf8').catch(() => null)
  if (marker === null) throw new GatewayError('not_found', `${folder} does not contain a finished backup`)
  const { format } = JSON.parse(marker) as { readonly format?: unknown }
  if (format !== FORMAT) throw new GatewayError('conflict', `${folder} has an unsupported backup format`)
  await requireEmpty(dataDir, 'the data folder')
  await mkdir(dataDir, { recursive: true, mode: PRIVATE_MODE })
  const there = new Set(await contents(folder))
  for (const part of [TELEMETRY_FOLDER, CONTROL_FOLDER].filter(name => there.has(name))) {
    await cp(join(folder, part), join(dataDir, part), { recursive: true, errorOnExist: true, force: false })
  }
}

/** Where that is kept which a backup does not hold, as sentences. */
export function outsideBackup({ signals, managed, databaseUrl }: StoreChoice): readonly string[] {
  const sentences = managed.map(engine => {
    const stored = engine.signals.filter(signal => signals[signal] === engine.name).map(signal => STORE_SIGNALS[signal])
    return `${stored.join(', ')} are in ${engine.title}: ${engine.backup}`
  })
  if (databaseUrl !== null) sentences.push('users, keys and namespaces are in PostgreSQL: back it up with pg_dump')
  if (managed.length > 0) sentences.push('spooled records are not copied')
  return sentences
}
