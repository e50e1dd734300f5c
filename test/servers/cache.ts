import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const LOCK_RETRY_MS = 300

/** Where fetched servers and built binaries are stored: ALIDADE_TEST_CACHE, else `alidade-test` in the user's cache folder. */
export function cacheFolder(): string {
  return process.env['ALIDADE_TEST_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'alidade-test')
}

/**
 * The folder `name` of the cache, filled once by `fill`. The name appears only when it is complete: a fill that is killed
 * leaves a part that the next one removes. Runs concurrently wait for the one that fills.
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const cache = cacheFolder()
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const release = await takeLock(`${folder}.lock`)
  try {
    if (!existsSync(folder)) await fillAtomically(cache, name, fill)
  } finally {
    await release()
  }
  return folder
}

async function fillAtomically(cache: string, name: string, fill: (folder: string) => Promise<void>): Promise<void> {
  await removeParts(cache, name)
  const part = join(cache, `${name}.part-${process.pid}`)
  await mkdir(part)
  try {
    await fill(part)
    if (!existsSync(join(cache, name))) await rename(part, join(cache, name))
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

/** Parts of fills that were killed; called under the lock, so no fill is running. */
async function removeParts(cache: string, name: string): Promise<void> {
  const parts = (await readdir(cache)).filter(entry => entry.startsWith(`${name}.part-`))
  await Promise.all(parts.map(part => rm(join(cache, part), { recursive: true, force: true })))
}

/**
 * A file with the holder's process id. The lock of a dead process is broken; if two break it at once, both fill and the
 * first to end wins.
 */
async function takeLock(file: string): Promise<() => Promise<void>> {
  while (!(await createExclusively(file))) {
    if (await isHolderGone(file)) await rm(file, { force: true })
    else await delay(LOCK_RETRY_MS)
  }
  return () => rm(file, { force: true })
}

async function createExclusively(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isHolderGone(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, 'utf8').catch(() => ''))
  if (!Number.isInteger(holder) || holder <= 0) return false
  try {
    process.kill(holder, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
