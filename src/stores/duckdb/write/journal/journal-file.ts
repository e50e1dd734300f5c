import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { removeFile, syncFolder } from '../../process/durable-files.js'
import { JOURNAL_MAGIC } from './journal-frames.js'

const NUMBER_DIGITS = 8
const NAME = /^(\d{8,})\.log$/

/** The number in a journal file's name; null when it is none. */
export function journalNumber(name: string): number | null {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** One file of the journal. */
export class JournalFile {
  readonly path: string
  /** Entries that are not applied yet; what holds one more keeps the file from being removed. */
  open = 0
  #handle: FileHandle | null
  #bytes: number
  #isBroken = false

  private constructor(file: string, handle: FileHandle | null, bytes: number) {
    this.path = file
    this.#handle = handle
    this.#bytes = bytes
  }

  /** Makes a new file; its name is on the disk when this resolves. */
  static async create(folder: string, number: number): Promise<JournalFile> {
    const file = path.join(folder, `${String(number).padStart(NUMBER_DIGITS, '0')}.log`)
    const handle = await open(file, 'wx')
    try {
      await handle.write(JOURNAL_MAGIC, 0, JOURNAL_MAGIC.length, 0)
      await syncFolder(folder)
    } catch (error) {
      await handle.close()
      await removeFile(file)
      throw error
    }
    return new JournalFile(file, handle, JOURNAL_MAGIC.length)
  }

  /** A file of an earlier start: nothing more is written to it. */
  static found(file: string, bytes: number): JournalFile {
    return new JournalFile(file, null, bytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#bytes <= JOURNAL_MAGIC.length
  }

  /** Nothing may be written behind a place that could not be cut off. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Adds frames and forces them to the disk: all of them or, as far as the file goes, none. */
  async write(pieces: readonly Buffer[], sizeBytes: number): Promise<void> {
    const handle = this.#handle!
    try {
      const { bytesWritten } = await handle.writev(pieces, this.#bytes)
      if (bytesWritten !== sizeBytes) throw new Error('ENOSPC: the journal took only a part')
      await handle.datasync()
    } catch (error) {
      await this.#cutOff(handle)
      throw error
    }
    this.#bytes += sizeBytes
  }

  // After a failed sync nobody knows what the disk holds: the file takes nothing more, whether it could be cut or not.
  async #cutOff(handle: FileHandle): Promise<void> {
    this.#isBroken = true
    await handle.truncate(this.#bytes).catch(() => undefined)
    await handle.datasync().catch(() => undefined)
  }

  /** Takes no more frames. */
  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = null
    await handle?.close()
  }
}
