import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const NO_NAMES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'])

/** Names by the one that a rotation may have made them of. */
function namesByOriginal(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const name of names)
    for (const path of originalsOf(name)) {
      if (path === name) continue
      const known = found.get(path)
      if (known === undefined) found.set(path, [name])
      else known.push(name)
    }
  return found
}

/** Names in folders. Each folder is read once: make one for one look. */
export class FolderNames {
  readonly #names = new Map<string, Promise<readonly string[]>>()
  readonly #siblings = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>()

  /** Names in a folder that a rotation may have made of `name`. */
  async siblings(folder: string, name: string): Promise<readonly string[]> {
    const index = this.#siblings.get(folder) ?? this.of(folder).then(namesByOriginal)
    this.#siblings.set(folder, index)
    return (await index).get(name) ?? []
  }

  /** Names of which a rotation has made others since the folder was read; null where it cannot be read. */
  async added(folder: string): Promise<ReadonlySet<string> | null> {
    const before = new Set(await this.of(folder))
    // A folder that is gone, or that may not be read, has none; another error may pass.
    const now = await readdir(folder).catch((error: NodeJS.ErrnoException) => (NO_NAMES.has(error.code) ? [] : null))
    return now && new Set(namesByOriginal(now.filter(name => !before.has(name))).keys())
  }

  /** Names of a folder; none where it cannot be read. */
  of(folder: string): Promise<readonly string[]> {
    const known = this.#names.get(folder)
    if (known !== undefined) return known
    const names = readdir(folder).catch((): string[] => [])
    this.#names.set(folder, names)
    return names
  }
}

/** Files next to one that a rotation may have made of it. */
export interface Siblings {
  /** Oldest first. */
  readonly paths: readonly string[]
  /** A listed name no longer exists; its file may have been renamed. */
  readonly isOutdated: boolean
}

/** Whether the path no longer exists; a dangling symbolic link does. */
function isGone(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT'
  )
}

/** Files next to one that a rotation may have made of it: `name.1`, `name-20260101`, `name.1.gz`. */
export async function siblingsOf(path: string, folders = new FolderNames()): Promise<Siblings> {
  const [folder, name] = [dirname(path), basename(path)]
  const found: { path: string; mtimeMs: number }[] = []
  let isOutdated = false
  for (const other of await folders.siblings(folder, name)) {
    const sibling = join(folder, other)
    // Removed since the folder was read.
    const stats = await stat(sibling).catch(() => null)
    if (stats === null) isOutdated ||= await isGone(sibling)
    else if (stats.isFile()) found.push({ path: sibling, mtimeMs: stats.mtimeMs })
  }
  return { paths: found.toSorted((a, b) => a.mtimeMs - b.mtimeMs).map(one => one.path), isOutdated }
}

/** Paths of which a rotation may have made the file at `path`, and `path` itself: the reverse of `siblingsOf`. */
export function originalsOf(path: string): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)]
  const found = [name]
  for (const { index } of name.matchAll(/[.-]/g)) {
    const prefix = name.slice(0, index)
    if (prefix === '') continue
    found.push(prefix)
    // `name-20260101.log` of `name.log`, which has no `name-debug.log`.
    const rest = name.slice(index).replace(/(?<=\..*)\.gz$/, '')
    // A date may have dots: `name-2026-01-01T10-00-00.000.log`.
    if (/^-\d/.test(rest)) for (const [extension] of rest.matchAll(/\.[^.]+/g)) found.push(prefix + extension)
  }
  return [...new Set(found)].map(one => join(folder, one))
}
