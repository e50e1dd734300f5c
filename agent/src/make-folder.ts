import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    // `mkdir` states why not.
    () => false
  )
}

/**
 * Makes a folder and those above it. `mkdir` with `recursive` of Node never ends where the parent is there and takes no
 * folders, such as `/proc`: the kernel returns ENOENT, and Node makes the parent again.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path || (await isThere(parent))) throw error
    await makeFolder(parent, mode)
    await makeFolder(path, mode)
  }
}
