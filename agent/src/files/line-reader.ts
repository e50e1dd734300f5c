import { LIMITS } from '../limits.js'
import type { BeginsRecord } from '../parse/record-lines.js'
import { type Line, LineSplitter } from './line-splitter.js'
import { type OpenFile, sha256 } from './open-file.js'
import type { Fingerprint, Mark } from './stream-record.js'

const NOTHING = Buffer.alloc(0)
/** Most reads of a file that is followed find little. */
const SMALLEST_READ_BYTES = 16 * 1024

/** Length and SHA-256 of bytes. */
export function fingerprint(bytes: Buffer): Fingerprint {
  return { bytes: bytes.length, sum: sha256(bytes) }
}

/** Recognizes no place. */
export const NO_BYTES: Fingerprint = fingerprint(Buffer.alloc(0))

/** The bytes before a place of a file, as far as they serve to recognize it; none where it does not have them all. */
export async function bytesBefore(file: OpenFile, offset: number): Promise<Buffer> {
  const length = Math.min(LIMITS.anchorBytes, offset)
  const bytes = await file.read(offset - length, length)
  return bytes.length === length ? bytes : NOTHING
}

function last(bytes: Buffer, count: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - count)))
}

/** Lines of a file, the place behind them, and the bytes before that. */
export interface TakenLines extends Mark {
  readonly lines: readonly Line[]
}

/** The first `count` of the lines that were read, the place behind them and the bytes before it. */
interface WholeLines {
  readonly count: number
  readonly to: number
  readonly before: Buffer
}

/**
 * Reads whole lines from an offset of a file on. Each read begins a few bytes before its place and compares them, so that
 * a file that was truncated or rewritten is distinguished from one that has grown. Where records have several lines, those
 * of the last record are kept back until the next one begins.
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
  readonly #begins: BeginsRecord | null
  /** Lines of whole records. */
  #whole: WholeLines
  #takenTo: number

  /** @param begins null where each line is a record. */
  constructor(offset: number, begins: BeginsRecord | null = null) {
    this.#scan = offset
    this.#to = offset
    this.#begins = begins
    this.#whole = { count: 0, to: offset, before: NOTHING }
    this.#takenTo = offset
  }

  /** Lines that were read and not taken. */
  get count(): number {
    return this.#lines.length
  }

  /** Those of them that can be taken. */
  get wholeCount(): number {
    return this.#whole.count
  }

  /** Offset behind the lines that were taken. */
  get takenTo(): number {
    return this.#takenTo
  }

  /** Offset behind the last whole line. */
  get to(): number {
    return this.#to
  }

  /** Offset up to which the file was read, half lines included. */
  get scan(): number {
    return this.#scan
  }

  /** Places up to which the file was read: behind the last whole line, and half lines included. */
  get marks(): readonly Mark[] {
    if (!this.#isPrimed) return []
    const all = [
      { offset: this.#to, anchor: fingerprint(this.#anchor) },
      { offset: this.#scan, anchor: fingerprint(this.#recent) }
    ]
    // Behind a place whose bytes are not known, as of a batch that is sent again without its file, nothing was read.
    return all.filter(({ offset, anchor }) => offset === 0 || anchor.bytes > 0)
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
    this.#push(bytes, before, most)
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

  /** The last record has no more lines. */
  endRecord(): void {
    this.#whole = { count: this.#lines.length, to: this.#to, before: this.#anchor }
  }

  /** Takes the lines of whole records. */
  take(): TakenLines {
    const { count, to, before } = this.#whole
    const lines = this.#lines.slice(0, count)
    this.#lines = this.#lines.slice(count)
    this.#whole = { count: 0, to, before }
    this.#takenTo = to
    return { lines, offset: to, anchor: fingerprint(before) }
  }

  /** Begins at another place, before which the file has these bytes. */
  restart(at: number, before: Buffer): void {
    this.#splitter = new LineSplitter()
    this.#lines = []
    this.#scan = at
    this.#to = at
    this.#recent = before
    this.#anchor = before
    this.#whole = { count: 0, to: at, before }
    this.#takenTo = at
    this.#isPrimed = true
  }

  /** @param bytes what was read, which begins with `known` bytes that were read before. */
  #push(bytes: Buffer, known: number, most: number): void {
    const count = this.#lines.length
    const used = this.#splitter.push(bytes.subarray(known), this.#lines, most)
    const window = bytes.subarray(0, known + used)
    const before = { to: this.#to, anchor: this.#anchor }
    this.#scan += used
    if (this.#lines.length > count) {
      const pending = this.#splitter.pendingBytes
      this.#to = this.#scan - pending
      this.#anchor = last(window.subarray(0, window.length - pending), LIMITS.anchorBytes)
      if (this.#begins === null) this.endRecord()
      else this.#findWhole(this.#begins, count, window, before)
    }
    this.#recent = last(window, LIMITS.anchorBytes)
  }

  /** Looks for the last of the new lines that begins a record: those before it are whole. */
  #findWhole(
    begins: BeginsRecord,
    known: number,
    window: Buffer,
    before: { readonly to: number; readonly anchor: Buffer }
  ): void {
    let at = this.#to
    for (let i = this.#lines.length - 1; i >= Math.max(known, 1); i--) {
      const { text, bytes } = this.#lines[i]!
      at -= bytes
      if (!begins(text, this.#lines[i - 1]!.text)) continue
      // The first of them may have begun in an earlier read.
      const anchor = i === known ? before.anchor : last(window.subarray(0, window.length - (this.#scan - at)), LIMITS.anchorBytes)
      this.#whole = { count: i, to: i === known ? before.to : at, before: anchor }
      return
    }
  }
}
