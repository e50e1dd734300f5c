import { randomBytes } from 'node:crypto'
import { access, mkdir, open, rm, rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { CONTROL_FOLDER, TELEMETRY_FOLDER } from '../assemble/backup.js'
import { type Finding, Findings, wordsOf } from '../shared/finding.js'
import { lockFolder } from '../disk/folder-lock.js'
import { CONTROL_FILE } from '../assemble/open-control.js'
import { type EmbeddedOptions, openEmbedded } from '../assemble/open-embedded.js'
import { LOCK_FILE, type StoreChoice, usesEmbedded } from '../shared/store-choice.js'
import { unreadControl, unreadRecords, unreadTelemetry } from '../assemble/unread-data.js'
import { examinePostgres } from '../control/examine-postgres.js'

const STORE = 'data folder'
const MIN_FREE_BYTES = 1024 ** 3
const GIB = 1024 ** 3
const UNREAD_REMEDY = 'set the store of that signal to duckdb to read them again, or wait for retention to delete them'

async function examineWriting(folder: string, findings: Findings): Promise<boolean> {
  const file = join(folder, `doctor-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(folder, { recursive: true })
    const handle = await open(file, 'wx')
    await handle.sync()
    await handle.close()
    findings.good('writing', `${folder} can be written`)
    return true
  } catch (error) {
    findings.bad(
      'writing',
      `${folder} cannot be written: ${wordsOf(error)}`,
      'correct data_dir, or change its owner to the user of the service'
    )
    return false
  } finally {
    // Whether the folder is writable is reported already.
    await rm(file, { force: true }).catch(() => undefined)
  }
}

async function examineRoom(folder: string, findings: Findings, { spoolBytes }: StoreChoice): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${(free / GIB).toFixed(1)} GiB are free`
  if (free < MIN_FREE_BYTES) findings.bad('disk', text, 'free disk space; writes stop before the disk is full')
  else if (free < spoolBytes) findings.notice('disk', `${text}, less than spool_size`, 'free disk space, or reduce spool_size')
  else findings.good('disk', text)
}

/** Opens the embedded engine as the service would, unless the service runs, and reads which records are unreadable. */
async function examineEmbedded(dataDir: string, choice: StoreChoice, options: EmbeddedOptions): Promise<readonly string[]> {
  const release = await lockFolder(join(dataDir, LOCK_FILE), 0, options.clock)
  try {
    const engine = await openEmbedded(join(dataDir, TELEMETRY_FOLDER), options)
    try {
      return unreadRecords(await engine.recordsByKind(), choice)
    } finally {
      await engine.close()
    }
  } finally {
    release()
  }
}

function exists(path: string): Promise<boolean> {
  // One that cannot be reached is examined as missing.
  return access(path).then(
    () => true,
    () => false
  )
}

async function unread(dataDir: string, choice: StoreChoice, options: EmbeddedOptions | null): Promise<readonly string[]> {
  const folder = join(dataDir, TELEMETRY_FOLDER)
  if (!usesEmbedded(choice)) return unreadTelemetry(folder)
  return options && (await exists(folder)) ? examineEmbedded(dataDir, choice, options) : []
}

/**
 * Examines the data folder: that it can be written, has room, that the embedded engine opens, and what is there unread.
 * `options` is null while the service runs, which has the engine open.
 */
export async function examineFolder(
  dataDir: string,
  choice: StoreChoice,
  options: EmbeddedOptions | null
): Promise<readonly Finding[]> {
  const findings = new Findings(STORE)
  const isNew = !(await exists(dataDir))
  if (!(await examineWriting(dataDir, findings))) return findings.list
  if (isNew) {
    findings.notice(
      'folder',
      `${dataDir} did not exist: the first start creates it`,
      'set --data-dir if the data is in another folder'
    )
    await examineRoom(dataDir, findings, choice)
    // Nothing is left behind, and a folder that is not empty by now is not removed.
    await rmdir(dataDir).catch(() => undefined)
    return findings.list
  }
  await examineRoom(dataDir, findings, choice)
  try {
    const control = choice.databaseUrl === null ? [] : await unreadControl(join(dataDir, CONTROL_FOLDER), CONTROL_FILE)
    for (const sentence of [...(await unread(dataDir, choice, options)), ...control])
      findings.notice('unread', sentence, UNREAD_REMEDY)
  } catch (error) {
    findings.bad('embedded store', wordsOf(error), 'stop the process that has the folder open, or restore a backup')
  }
  return findings.list
}

/** What is examined. */
interface Examined extends EmbeddedOptions {
  readonly dataDir: string
  readonly choice: StoreChoice
  /** Whether the service runs on this data folder: the embedded stores are then left to it. */
  readonly isRunning: boolean
}

/** Connects to each store that is chosen, whether or not the service runs, and returns the findings. Leaves nothing behind. */
export async function examineStores({ dataDir, choice, isRunning, ...embedded }: Examined): Promise<readonly Finding[]> {
  const { clock } = embedded
  const findings = await Promise.all([
    examineFolder(dataDir, choice, isRunning ? null : embedded),
    ...choice.managed.map(engine => engine.examine(clock)),
    choice.databaseUrl === null ? [] : examinePostgres(choice.databaseUrl, clock)
  ])
  return findings.flat()
}
