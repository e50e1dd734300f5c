import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { removeFile, syncFolder } from './durable-files.js'

/** A file that only grows, each time by a whole write that is on the disk when it resolves. */
export class AppendFile {
  readonly path: string
  #handle: FileHandle | null
  #bytes: number
  #isBroken = false

  private constructor(file: string, handle: FileHandle | null, bytes: number) {
    this.path = file
    this.#handle = handle
    this.#bytes = bytes
  }

  /** Makes a new file that begins with `magic`; its name is on the disk when this resolves. Rejects when the name is taken. */
  static async create(file: string, magic: Buffer): Promise<AppendFile> {
    const handle = await open(file, 'wx')
    try {
      await handle.write(magic, 0, magic.length, 0)
      await syncFolder(dirname(file))
    } catch (error) {
      await handle.close()
      await removeFile(file)
      throw error
    }
    return new AppendFile(file, handle, magic.length)
  }

  /** A file of an earlier start: nothing more is written to it. */
  static found(file: string, bytes: number): AppendFile {
    return new AppendFile(file, null, bytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Nothing may be written behind a place that could not be cut off. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Adds the pieces and forces them to the disk: all of them or, as far as the file goes, none. */
  async write(pieces: readonly Buffer[], sizeBytes: number): Promise<void> {
    const handle = this.#handle!
    try {
      const { bytesWritten } = await handle.writev(pieces, this.#bytes)
      if (bytesWritten !== sizeBytes) throw new Error('ENOSPC: the write was incomplete')
      await handle.datasync()
    } catch (error) {
      await this.#cutOff(handle)
      throw error
    }
    this.#bytes += sizeBytes
  }

  // After a failed sync the content of the disk is unknown: the file accepts no more appends, whether it could be cut or not.
  async #cutOff(handle: FileHandle): Promise<void> {
    this.#isBroken = true
    // The caller throws the failure that led here; what is beyond `#bytes` is cut off by the next start too.
    await handle.truncate(this.#bytes).catch(() => undefined)
    await handle.datasync().catch(() => undefined) // As above.
  }

  /** Takes no more. */
  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = null
    await handle?.close()
  }
}
