import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock.js'
import type { FolderWatch } from './folder-watch.js'

/** What the loop does with the files. */
export interface Followed {
  look(): Promise<void>
  /** Whether more can be done at once. */
  step(): Promise<boolean>
  /** Whether nothing is to be done until a file changes. */
  readonly isQuiet: boolean
  /** Bytes that were read of all files. */
  readonly bytesRead: number
  /** Folders of the files. */
  readonly folders: readonly string[]
}

/** Dependencies of the loop. */
export interface LoopDeps {
  readonly followed: Followed
  readonly watch: Pick<FolderWatch, 'isArmed' | 'arm' | 'disarm' | 'changed'>
  readonly clock: Clock
  readonly pollMs: number
  readonly onFault: (error: unknown) => void
  readonly signal: AbortSignal
}

/** Looks without a change after which folders are watched instead. */
const QUIET_LOOKS = 8
/** Time between two looks, in units of `pollMs`, while folders are watched. */
const WATCHED_POLLS = 20

/**
 * Looks at the files each `pollMs` and lets streams read and send. While nothing changes, folders are watched and looks are
 * rare: a look costs a system call for each file, a notification of each write costs more than that.
 */
export class FollowLoop {
  readonly #deps: LoopDeps
  #wake = (): void => undefined
  #quietLooks = 0
  #bytesRead = 0

  constructor(deps: LoopDeps) {
    this.#deps = deps
  }

  /** A stream may go on. */
  wake(): void {
    this.#wake()
  }

  /** Returns after the signal. */
  async run(): Promise<void> {
    const { followed, watch, pollMs, onFault, signal } = this.#deps
    try {
      while (!signal.aborted) {
        await followed.look().catch(onFault)
        await this.#stepFor(pollMs)
        this.#countQuiet()
        // One more look follows `arm`: of what was written before, nothing is heard.
        if (watch.isArmed && this.#quietLooks > QUIET_LOOKS && !signal.aborted) await this.#sleep()
        if (this.#quietLooks >= QUIET_LOOKS && !watch.isArmed) watch.arm(followed.folders)
      }
    } finally {
      watch.disarm()
    }
  }

  async #stepFor(ms: number): Promise<void> {
    const { followed, clock, signal } = this.#deps
    const untilMs = clock.elapsedMs() + ms
    for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = untilMs - clock.elapsedMs()) {
      const woken = new Promise<void>(resolve => {
        this.#wake = resolve
      })
      const isMore = await followed.step()
      await (isMore ? wait(0) : Promise.race([woken, wait(leftMs)]))
    }
  }

  #countQuiet(): void {
    const { followed, watch } = this.#deps
    const isQuiet = followed.isQuiet && followed.bytesRead === this.#bytesRead
    this.#bytesRead = followed.bytesRead
    this.#quietLooks = isQuiet ? this.#quietLooks + 1 : 0
    if (!isQuiet) watch.disarm()
  }

  /** Until something changes, for some time at most. */
  async #sleep(): Promise<void> {
    const { watch, pollMs, signal } = this.#deps
    const ended = new AbortController()
    const either = AbortSignal.any([signal, ended.signal])
    // It rejects when the wait is over for another reason.
    const timeout = wait(WATCHED_POLLS * pollMs, 'timeout', { signal: either }).catch(() => 'timeout')
    const woken = new Promise<void>(resolve => {
      this.#wake = resolve
    })
    const cause = await Promise.race([timeout, watch.changed(), woken])
    ended.abort()
    if (cause !== 'timeout') {
      this.#quietLooks = 0
      watch.disarm()
    }
  }
}
