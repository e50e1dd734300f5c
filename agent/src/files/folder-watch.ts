import { type FSWatcher, watch } from 'node:fs'

const MAX_FOLDERS = 100

/**
 * Notices that something changes in folders, by inotify. A hint alone: file systems of other machines notify of nothing, and
 * a link leads to a folder that is not watched.
 */
export class FolderWatch {
  #watchers: FSWatcher[] = []
  #isChanged = false
  #notify = (): void => undefined

  /** Whether folders are watched. */
  get isArmed(): boolean {
    return this.#watchers.length > 0
  }

  /** Watches folders, at most 100. One that cannot be watched is left out. */
  arm(folders: readonly string[]): void {
    this.disarm()
    const changed = (): void => {
      this.#isChanged = true
      this.#notify()
    }
    for (const folder of folders.slice(0, MAX_FOLDERS)) {
      try {
        const watcher = watch(folder, { persistent: false }, changed)
        // A folder that goes is a change.
        this.#watchers.push(watcher.on('error', changed))
      } catch {
        // The folder does not exist, or the limit of watches is reached: looks notice the change later.
      }
    }
  }

  /** Busy files are not watched: each write would be a notification. */
  disarm(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
    this.#isChanged = false
  }

  /** Resolves at the first change since `arm`. */
  changed(): Promise<void> {
    if (this.#isChanged) return Promise.resolve()
    return new Promise(resolve => {
      this.#notify = resolve
    })
  }
}
