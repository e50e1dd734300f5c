import { LIMITS } from '../limits.js'
import { type Line, LineSplitter } from './line-splitter.js'
import { type OpenFile, sha256 } from './open-file.js'
import type { Fingerprint, Mark } from './stream-record.js'

const NOTHING = Buffer.alloc(0)
/** Most reads of a file that is followed find little. */
const SMALLEST_READ_BYTES = 16 * 1024

export function fingerprint(bytes: Buffer): Fingerprint {
  return { bytes: bytes.length, sum: sha256(bytes) }
}

function last(bytes: Buffer, count: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - count)))
}

/**
 * Reads whole lines from an offset of a file on. Each read begins a few bytes before its place and compares them, so that
 * a file that was truncated or rewritten is distinguished from one that has grown.
 */
export class LineReader {
  #splitter = new LineSplitter()
  #lines: Line[] = []
  #scan: number
  /** Bytes before `#scan`. */
  #recent: Buffer = NOTHING
  #to: number
  /** Bytes before `#to`. */
  #anchor: Buffer = NOTHING
  #isPrimed = false
  #readBytes = SMALLEST_READ_BYTES

  constructor(offset: number) {
    this.#scan = offset
    this.#to = offset
  }

  /** Lines that were read and not taken. */
  get count(): number {
    return this.#lines.length
  }

  /** Offset behind the last whole line. */
  get to(): number {
    return this.#to
  }

  /** Offset up to which the file was read, half lines included. */
  get scan(): number {
    return this.#scan
  }

  /** Of the bytes before `to`. */
  get anchor(): Fingerprint {
    return fingerprint(this.#anchor)
  }

  /** Places up to which the file was read: behind the last whole line, and half lines included. */
  get marks(): readonly Mark[] {
    if (!this.#isPrimed) return []
    return [
      { offset: this.#to, anchor: fingerprint(this.#anchor) },
      { offset: this.#scan, anchor: fingerprint(this.#recent) }
    ]
  }

  /** Whether the bytes before the offset are those that were there; only the first time it has to look. */
  async prime(file: OpenFile, anchor: Fingerprint): Promise<boolean> {
    if (this.#isPrimed) return true
    const length = Math.min(LIMITS.anchorBytes, this.#scan)
    const bytes = await file.read(this.#scan - length, length)
    if (bytes.length < length || sha256(last(bytes, anchor.bytes)) !== anchor.sum) return false
    this.restart(this.#scan, bytes)
    return true
  }

  /** Reads on, up to `most` lines in all. `changed`: the file does not have what was read of it any more. */
  async read(file: OpenFile, most: number): Promise<'more' | 'end' | 'changed'> {
    const before = this.#recent.length
    const size = this.#readBytes
    const bytes = await file.readAtOnce(this.#scan - before, before + size)
    this.#readBytes = bytes.length < before + size ? SMALLEST_READ_BYTES : Math.min(4 * size, LIMITS.readBytes)
    if (!bytes.subarray(0, before).equals(this.#recent)) return 'changed'
    if (!(await this.#hasLines(file))) return 'changed'
    if (bytes.length === before) return 'end'
    this.#push(bytes.subarray(before), most)
    return 'more'
  }

  /** Whether the file has what was read of it. */
  async isReadFrom(file: OpenFile): Promise<boolean> {
    const { length } = this.#recent
    return (await file.readAtOnce(this.#scan - length, length)).equals(this.#recent) && (await this.#hasLines(file))
  }

  /** Within a long line many files have the same bytes: then those before it count, too. */
  async #hasLines(file: OpenFile): Promise<boolean> {
    if (this.#splitter.pendingBytes === 0) return true
    const { length } = this.#anchor
    return (await file.readAtOnce(this.#to - length, length)).equals(this.#anchor)
  }

  /** Forgets a half line if nothing else was read; it is read again. Returns whether it did. */
  dropHalf(): boolean {
    if (this.#lines.length > 0 || this.#splitter.pendingBytes === 0) return false
    this.restart(this.#to, this.#anchor)
    return true
  }

  /** Takes a half line at the end for a line. */
  flush(): void {
    const half = this.#splitter.flush()
    if (half === null) return
    this.#lines.push(half)
    this.#to = this.#scan
    this.#anchor = this.#recent
  }

  take(): readonly Line[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }

  /** Begins at another place, before which the file has these bytes. */
  restart(at: number, before: Buffer): void {
    this.#splitter = new LineSplitter()
    this.#lines = []
    this.#scan = at
    this.#to = at
    this.#recent = before
    this.#anchor = before
    this.#isPrimed = true
  }

  #push(chunk: Buffer, most: number): void {
    const count = this.#lines.length
    const used = this.#splitter.push(chunk, this.#lines, most)
    const window = Buffer.concat([this.#recent, chunk.subarray(0, used)])
    this.#scan += used
    if (this.#lines.length > count) {
      const pending = this.#splitter.pendingBytes
      this.#to = this.#scan - pending
      this.#anchor = last(window.subarray(0, window.length - pending), LIMITS.anchorBytes)
    }
    this.#recent = last(window, LIMITS.anchorBytes)
  }
}
