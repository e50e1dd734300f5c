import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'

const cleaners = new Map<string, (() => Promise<void>)[]>()

/** A new empty folder; `remove` deletes it with all it holds. */
export async function openTempFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'alidade-test-'))
  cleaners.set(path, [])
  return {
    path,
    remove: async () => {
      for (const clean of cleaners.get(path) ?? []) await clean()
      cleaners.delete(path)
      await rm(path, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/** Has `clean` run when the temporary folder around `path` is removed: what belongs to it is stored elsewhere too. */
export function cleanWithFolder(path: string, clean: () => Promise<void>): void {
  const around = [...cleaners.keys()].find(folder => path === folder || path.startsWith(folder + sep))
  if (around === undefined) throw new Error(`${path} is in no temporary folder`)
  cleaners.get(around)!.push(clean)
}
