import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** Where a file is on its disk. A file that is removed and made again differs in the time of its birth. */
export interface FilePlace {
  readonly dev: number
  readonly ino: number
  readonly bornMs: number
}

/** Hex of SHA-256. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Whether both are the same file of a file system. */
export function isSamePlace(a: FilePlace, b: FilePlace): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.bornMs === b.bornMs
}

/** A file that stays readable under any name, and when it is removed. */
export class OpenFile {
  readonly #handle: FileHandle
  readonly place: FilePlace

  private constructor(handle: FileHandle, place: FilePlace) {
    this.#handle = handle
    this.place = place
  }

  /** @param place of the file that it is the content of, where that is another one. */
  static async open(path: string, place?: FilePlace): Promise<OpenFile> {
    const handle = await open(path, 'r')
    const { dev, ino, birthtimeMs: bornMs } = await handle.stat()
    return new OpenFile(handle, place ?? { dev, ino, bornMs })
  }

  /** Size of its content, and whether it has no name any more. */
  async state(): Promise<{ readonly size: number; readonly isDeleted: boolean }> {
    const { size, nlink } = await this.#handle.stat()
    return { size, isDeleted: nlink === 0 }
  }

  /** Bytes from `offset` on, at most `length`; fewer at the end. */
  async read(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }

  /** As `read`, by one system call: what it returns was in the file at one time. */
  async readAtOnce(offset: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, offset)
    return buffer.subarray(0, bytesRead)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
