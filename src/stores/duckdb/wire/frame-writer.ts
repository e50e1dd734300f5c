import type { Socket } from 'node:net'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

// Copying that much costs less than the call of the system that it saves.
const MAX_COPIED_BYTES = 256 * 1024

/** Writes frames to a pipe. Many small ones come in one turn of the event loop: they leave together. */
export class FrameWriter {
  readonly #pipe: Socket
  #frames: Buffer[] = []
  #bytes = 0

  constructor(pipe: Socket) {
    this.#pipe = pipe
  }

  /** A frame, in parts that follow each other. */
  write(...parts: readonly Buffer[]): void {
    if (this.#frames.length === 0) setImmediate(() => this.flush())
    this.#frames.push(...parts)
    for (const { length } of parts) this.#bytes += length
  }

  /** Sends what has been written; resolves in a later turn of the event loop, once the pipe has room or is closed. */
  async drained(): Promise<void> {
    this.flush()
    if (!this.#pipe.writableNeedDrain) return yieldToEventLoop()
    await new Promise<void>(resolve => {
      const done = (): void => {
        this.#pipe.off('drain', done).off('close', done)
        resolve()
      }
      this.#pipe.on('drain', done).on('close', done)
    })
  }

  /** Sends what has been written now: for callers that have gathered it themselves. */
  flush(): void {
    if (this.#frames.length === 0) return
    const frames = this.#frames
    const bytes = this.#bytes
    this.#frames = []
    this.#bytes = 0
    if (bytes <= MAX_COPIED_BYTES) {
      this.#pipe.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames, bytes))
      return
    }
    this.#pipe.cork()
    for (const frame of frames) this.#pipe.write(frame)
    this.#pipe.uncork()
  }
}
