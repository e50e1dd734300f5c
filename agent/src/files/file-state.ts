import { stat } from 'node:fs/promises'
import type { FilePlace } from './open-file.js'

/** What a path leads to. */
export interface SeenFile extends FilePlace {
  readonly size: number
  /** Unix milliseconds of its last write. */
  readonly mtimeMs: number
}

/** The regular file at a path, behind symbolic links; null without one. */
export async function seeFile(path: string): Promise<SeenFile | null> {
  // The search for paths reports those that cannot be looked at.
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) return null
  return { dev: stats.dev, ino: stats.ino, bornMs: stats.birthtimeMs, size: stats.size, mtimeMs: stats.mtimeMs }
}

/** Equal for two looks between which a file did not change. */
export function stateOf({ dev, ino, bornMs, size, mtimeMs }: SeenFile): string {
  return `${dev} ${ino} ${bornMs} ${size} ${mtimeMs}`
}

/** A key of a place. */
export function placeKey({ dev, ino, bornMs }: FilePlace): string {
  return `${dev} ${ino} ${bornMs}`
}
