import type { Clock } from '../clock.js'

/** How long a stream waits for a rotation to come to rest. */
export class RotateWait {
  readonly #clock: Clock
  readonly #waitMs: number
  #quietSinceMs: number
  #soughtSinceMs: number | null = null

  /** @param waitMs `logs.rotate_wait` */
  constructor(clock: Clock, waitMs: number) {
    this.#clock = clock
    this.#waitMs = waitMs
    this.#quietSinceMs = clock.elapsedMs()
  }

  /** The file became another one, or has another name. */
  begin(): void {
    this.noteRead()
    this.#soughtSinceMs = null
  }

  /** Something was read. */
  noteRead(): void {
    this.#quietSinceMs = this.#clock.elapsedMs()
  }

  /** Whether nothing was read for the whole wait. */
  hasBeenQuiet(): boolean {
    return this.#clock.elapsedMs() - this.#quietSinceMs >= this.#waitMs
  }

  /** Notes a search for the rest of the file; whether the first one was a whole wait ago: during a rotation a file may have no name. */
  hasSought(): boolean {
    const nowMs = this.#clock.elapsedMs()
    this.#soughtSinceMs ??= nowMs
    return nowMs - this.#soughtSinceMs >= this.#waitMs
  }
}
