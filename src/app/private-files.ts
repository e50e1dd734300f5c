import type { Dirent, Stats } from 'node:fs'
import { chmod, lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { whenMissing } from '../stores/disk/when-missing.js'

const OWNER_ONLY_MASK = 0o077
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const MODE_BITS = 0o7777
const STICKY = 0o1000
/** What the service itself makes in a data folder. */
const OWN_ENTRY =
  /^(?:control|telemetry|spool|set-aside|lock|lock-.*|first-run\.txt.*|admin\.json|backup\.json|gateway-id(?:\.new)?)$/
/** Made by the file system in the root of a volume. */
const FILE_SYSTEM_ENTRY = 'lost+found'
const MAX_CONCURRENT = 64

/**
 * Files that this process and its children make from now on are readable by their owner alone, whatever the umask was
 * and whichever library makes them.
 */
export function keepFilesPrivate(): void {
  process.umask(OWNER_ONLY_MASK)
}

/** Whether others may do anything with it. */
function isOpen({ mode }: Stats): boolean {
  return (mode & OWNER_ONLY_MASK) !== 0
}

async function modeOf(path: string): Promise<Stats | null> {
  return lstat(path).catch(whenMissing(null))
}

/** Collects paths whose mode could not be changed, since another user owns them. */
class Tightening {
  readonly refused: string[] = []

  async path(path: string, mode: number): Promise<void> {
    const found = await modeOf(path)
    if (!found || found.isSymbolicLink() || !isOpen(found)) return
    await chmod(path, mode & found.mode & MODE_BITS).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') this.refused.push(path)
    })
  }

  async entry(folder: string, entry: Dirent): Promise<void> {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      await this.path(path, FOLDER_MODE)
      await this.below(path)
    } else if (entry.isFile()) await this.path(path, FILE_MODE)
  }

  async below(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true })
    for (let i = 0; i < entries.length; i += MAX_CONCURRENT) {
      await Promise.all(entries.slice(i, i + MAX_CONCURRENT).map(entry => this.entry(folder, entry)))
    }
  }
}

/**
 * Restricts what is in the data folder, and the folder itself, to the owner. Returns sentences about what
 * stays as it is: a folder that holds other things too (its own mode is left alone then, and so are those things), and
 * files of another owner. Symbolic links are not followed, the data folder itself excepted.
 */
export async function tightenDataFolder(dataDir: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return []
  const folder = await realpath(dataDir).catch(whenMissing(null))
  if (folder === null) return []
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name !== FILE_SYSTEM_ENTRY)
  const own = entries.filter(({ name }) => OWN_ENTRY.test(name))
  const tightening = new Tightening()
  const sentences: string[] = []
  const found = await lstat(folder)
  if (own.length < entries.length || (found.mode & STICKY) !== 0) {
    if (isOpen(found)) {
      sentences.push(
        `${folder} contains files of other owners; its mode was not changed; set data_dir to a folder that only Alidade uses`
      )
    }
  } else await tightening.path(folder, FOLDER_MODE)
  for (const entry of own) await tightening.entry(folder, entry)
  const [first] = tightening.refused
  if (first !== undefined) {
    sentences.push(`${tightening.refused.length} files are readable by others and belong to another user, e.g. ${first}`)
  }
  return sentences
}
