import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Names in folders. Each folder is read once: make one for one look. */
export class FolderNames {
  readonly #names = new Map<string, Promise<readonly string[]>>()

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
  /** One of the names is gone: its file may have another name, which was not listed. */
  readonly isOutdated: boolean
}

/** Whether a folder has the name no more; a symbolic link that leads nowhere is there. */
function isGone(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    () => true
  )
}

/** Files next to one that a rotation may have made of it: `name.1`, `name-20260101`, `name.1.gz`. */
export async function siblingsOf(path: string, folders = new FolderNames()): Promise<Siblings> {
  const [folder, name] = [dirname(path), basename(path)]
  const stem = name.replace(/\.[^.]*$/, '')
  const isSibling = (other: string): boolean =>
    other !== name && (other.startsWith(`${name}.`) || other.startsWith(`${name}-`) || other.startsWith(`${stem}-`))
  const found: { path: string; mtimeMs: number }[] = []
  let isOutdated = false
  for (const other of (await folders.of(folder)).filter(isSibling)) {
    const sibling = join(folder, other)
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
    // `name-20260101.log` of `name.log`.
    const [extension] = /\.[^.]+/.exec(name.slice(index)) ?? []
    if (name[index] === '-' && extension !== undefined) found.push(prefix + extension)
  }
  return [...new Set(found)].map(one => join(folder, one))
}
