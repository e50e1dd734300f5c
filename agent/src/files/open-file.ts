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

export function isSamePlace(a: FilePlace, b: FilePlace): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.bornMs === b.bornMs
}

/** A file that stays readable under any name, and when it is removed. */
export class OpenFile {
  readonly #handle: FileHandle
  readonly #base: number
  readonly place: FilePlace

  private constructor(handle: FileHandle, place: FilePlace, base: number) {
    this.#handle = handle
    this.place = place
    this.#base = base
  }

  /** @param base offset of its first byte, of a file that has the end of a longer one. */
  static async open(path: string, base = 0): Promise<OpenFile> {
    const handle = await open(path, 'r')
    const { dev, ino, birthtimeMs } = await handle.stat()
    return new OpenFile(handle, { dev, ino, bornMs: birthtimeMs }, base)
  }

  /** Size of its content, and whether it has no name any more. */
  async state(): Promise<{ readonly size: number; readonly isDeleted: boolean; readonly isFile: boolean }> {
    const stats = await this.#handle.stat()
    return { size: stats.size + this.#base, isDeleted: stats.nlink === 0, isFile: stats.isFile() }
  }

  /** Bytes from `offset` on, at most `length`; fewer at the end. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (length <= 0 || offset < this.#base) return Buffer.alloc(0)
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, offset - this.#base + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
