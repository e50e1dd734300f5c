import { type SeenFile, stateOf } from './file-state.js'

/** A file that was looked at, as it was. */
interface Settled {
  readonly state: string
  /** The stream that has all of it; null when it is of no concern. */
  readonly streamId: string | null
}

/** A file that could not be decided on, as it was. */
interface Deferred {
  readonly state: string
  /** Unix milliseconds of its last write. */
  readonly mtimeMs: number
  readonly waitMs: number
  readonly dueMs: number
}

const LONGEST_WAITS = 8

/** Files that need no look until they change, and files that are looked at again after a while. */
export class SettledFiles {
  readonly #settled = new Map<string, Settled>()
  readonly #deferred = new Map<string, Deferred>()

  /** @param nowMs of a clock that does not jump. */
  needsLook(path: string, state: string, nowMs: number): boolean {
    if (this.#settled.get(path)?.state === state) return false
    const deferred = this.#deferred.get(path)
    return deferred?.state !== state || deferred.dueMs <= nowMs
  }

  isDeferred(path: string): boolean {
    return this.#deferred.has(path)
  }

  /** Last write of the oldest file that is looked at again, Unix milliseconds; infinite without one. */
  get deferredSinceMs(): number {
    return Math.min(...[...this.#deferred.values()].map(({ mtimeMs }) => mtimeMs))
  }

  /** A stream follows the file that has the path now. */
  drop(path: string): void {
    this.#deferred.delete(path)
  }

  settle(path: string, state: string, streamId: string | null): 'decided' {
    this.#deferred.delete(path)
    this.#settled.set(path, { state, streamId })
    return 'decided'
  }

  /** The file is looked at again after `waitMs`, then after twice that, at most eight times that; at once when it changes. */
  defer(path: string, seen: SeenFile, waitMs: number, nowMs: number): 'later' {
    const state = stateOf(seen)
    const before = this.#deferred.get(path)
    const longer = before?.state === state ? Math.min(2 * before.waitMs, LONGEST_WAITS * waitMs) : waitMs
    this.#settled.delete(path)
    this.#deferred.set(path, { state, mtimeMs: seen.mtimeMs, waitMs: longer, dueMs: nowMs + longer })
    return 'later'
  }

  /** Streams of files that are there. */
  streamIds(): ReadonlySet<string | null> {
    return new Set([...this.#settled.values()].map(({ streamId }) => streamId))
  }

  /** Forgets files that are not there. */
  async prune(isThere: (path: string) => Promise<boolean>): Promise<void> {
    for (const paths of [this.#settled, this.#deferred])
      for (const path of [...paths.keys()]) if (!(await isThere(path))) paths.delete(path)
  }
}
