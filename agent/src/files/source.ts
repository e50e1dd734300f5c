import { dirname, join } from 'node:path'
import type { FileSource } from '../config/config.js'
import { Glob, type OnUnreadable } from './glob.js'
import { isCompressed } from './open-content.js'
import { type FolderNames, originalsOf } from './siblings.js'

/** Files of one entry of the configuration. */
export class Source {
  readonly file: FileSource
  readonly glob: Glob
  readonly #excluded: readonly Glob[]

  constructor(file: FileSource) {
    this.file = file
    this.glob = new Glob(file.path)
    this.#excluded = file.exclude.map(pattern => new Glob(pattern))
  }

  /** Whether it has a path. */
  matches(path: string): boolean {
    return this.glob.matches(path) && !this.isExcluded(path)
  }

  /** Whether lines may be added to the file at a path. */
  isLive(path: string): boolean {
    return this.matches(path) && !isCompressed(path)
  }

  /** Paths of which rotations may have made files that are there; of a pattern those in its folder. */
  async formerPaths(folders: FolderNames): Promise<ReadonlySet<string>> {
    if (this.glob.isPath) return new Set([this.glob.pattern])
    const folder = dirname(this.glob.pattern)
    const names = new Glob(folder).isPath ? await folders.of(folder) : []
    return new Set(names.flatMap(name => originalsOf(join(folder, name))).filter(path => this.isLive(path)))
  }

  /** Paths that exist now, sorted. */
  async paths(onUnreadable?: OnUnreadable): Promise<readonly string[]> {
    return (await this.glob.find(onUnreadable)).filter(path => !this.isExcluded(path))
  }

  /** Whether the configuration leaves a path out. */
  isExcluded(path: string): boolean {
    return this.#excluded.some(glob => glob.matches(path))
  }
}
