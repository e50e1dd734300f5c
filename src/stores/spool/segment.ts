import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import type { NamespaceId } from '../../domain/ids.js'
import { AppendFile } from '../disk/append-file.js'
import { removeFile } from '../disk/durable-files.js'
import { encodeMarks, type Mark } from './done-marks.js'
import { SPOOL_MAGIC } from './spool-frames.js'

const DIGITS = 16
const NAME = /^(\d{16})\.spool$/
const MARKS_OF = /^(\d{16})\.done$/

/** The number in the name of a file of frames; null for any other file. */
export function segmentNumber(name: string): number | null {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** The name of the file whose marks this file holds; null when it holds none. */
export function markedSegment(name: string): string | null {
  const digits = MARKS_OF.exec(name)?.[1]
  return digits === undefined ? null : `${digits}.spool`
}

/** The path of the marks of a file of frames. */
export function marksFile(file: string): string {
  return file.replace(/\.spool$/, '.done')
}

/** One file of frames, and the file that states which of them need no replay. */
export class SpoolSegment {
  /** Frames that wait, and their bytes. */
  frames = 0
  liveBytes = 0
  /** Namespaces whose frames it has, those that need no replay included; null when that is not known. */
  tenants: Set<NamespaceId> | null = new Set()
  /** Stays on the disk: it holds what could not be set aside. */
  isHeld = false
  readonly #file: AppendFile
  #reader: Promise<FileHandle> | null = null
  #marks: Promise<FileHandle> | null = null
  /** Reads and marks in flight. */
  readonly #busy = new Set<Promise<unknown>>()

  constructor(file: AppendFile) {
    this.#file = file
  }

  /** Makes a new file; its name is on the disk when this resolves. */
  static async create(folder: string, number: number): Promise<SpoolSegment> {
    const file = path.join(folder, `${String(number).padStart(DIGITS, '0')}.spool`)
    return new SpoolSegment(await AppendFile.create(file, SPOOL_MAGIC))
  }

  get name(): string {
    return path.basename(this.#file.path)
  }

  get bytes(): number {
    return this.#file.bytes
  }

  /** Takes nothing more after a failed write. */
  get isBroken(): boolean {
    return this.#file.isBroken
  }

  /** Adds frames and forces them to the disk; returns where the first one begins. */
  async write(pieces: readonly Buffer[], sizeBytes: number): Promise<number> {
    const at = this.#file.bytes
    await this.#file.write(pieces, sizeBytes)
    return at
  }

  /** The bytes of a frame, its header among them. */
  read(at: number, sizeBytes: number): Promise<Buffer> {
    return this.#during(async () => {
      const handle = await (this.#reader ??= open(this.#file.path, 'r'))
      const bytes = Buffer.allocUnsafe(sizeBytes)
      const { bytesRead } = await handle.read(bytes, 0, sizeBytes, at)
      return bytes.subarray(0, bytesRead)
    })
  }

  /** Notes that frames need no replay any more. */
  mark(marks: readonly Mark[]): Promise<void> {
    return this.#during(async () => {
      const handle = await (this.#marks ??= open(marksFile(this.#file.path), 'a'))
      await handle.write(encodeMarks(marks))
    })
  }

  /** Takes no more frames. */
  seal(): Promise<void> {
    return this.#file.close()
  }

  /** Lets go of the file. */
  async close(): Promise<void> {
    while (this.#busy.size > 0) await Promise.allSettled(this.#busy)
    await this.#file.close()
    // One that could not be opened failed the read or the mark that needed it.
    for (const opened of [this.#reader, this.#marks]) await (await opened?.catch(() => undefined))?.close()
    this.#reader = null
    this.#marks = null
  }

  /** Removes both files; false when they are still held open (Windows). */
  async remove(): Promise<boolean> {
    await this.close()
    // The marks last: without them every frame would come back.
    return (await removeFile(this.#file.path)) && (await removeFile(marksFile(this.#file.path)))
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#busy.add(running)
    try {
      return await running
    } finally {
      this.#busy.delete(running)
    }
  }
}
