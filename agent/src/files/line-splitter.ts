import { isAscii } from 'node:buffer'
import { LIMITS } from '../limits.js'

/** One line of a file. */
export interface Line {
  readonly text: string
  /** Its bytes in the file, line feed included. */
  readonly bytes: number
  /** It was longer than a line may be; `text` is its beginning. */
  readonly isTruncated: boolean
  /** The file ended within it. */
  readonly isPartial: boolean
}

const LF = 0x0a
const CR = 0x0d
const NUL = 0
const BYTE_ORDER_MARK = 0xfeff
/** Buffers that a line is kept in. */
const MOST_PARTS = 64

/** How many zero bytes a part begins with. */
function leadingNuls(part: Buffer): number {
  let count = 0
  while (part[count] === NUL) count++
  return count
}

/**
 * Splits bytes into lines at line feeds, with or without a carriage return before them. Memory is bounded: of a line over
 * the limit only the beginning is kept. Zero bytes before a line are left out of its text: a writer whose file is truncated
 * leaves as many as there were bytes, unless it appends. So is a byte order mark.
 */
export class LineSplitter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #keptBytes = 0
  /** Zero bytes before the text. */
  #nulBytes = 0
  #lineBytes = 0

  /** @param maxBytes of one line. */
  constructor(maxBytes: number = LIMITS.lineBytes) {
    this.#maxBytes = maxBytes
  }

  /** Bytes after the last line feed. */
  get pendingBytes(): number {
    return this.#lineBytes
  }

  /** Adds the lines that the chunk completes to `lines`, at most `most`; returns how many bytes of it were used. */
  push(chunk: Buffer, lines: Line[], most = Number.POSITIVE_INFINITY): number {
    let start = this.#pushAscii(chunk, lines, most)
    while (lines.length < most) {
      const end = chunk.indexOf(LF, start)
      if (end < 0) break
      this.#keep(chunk.subarray(start, end))
      this.#lineBytes += end - start + 1
      lines.push(this.#take(false))
      start = end + 1
    }
    if (lines.length >= most) return start
    this.#keep(Buffer.from(chunk.subarray(start)))
    this.#lineBytes += chunk.length - start
    return chunk.length
  }

  /**
   * Adds whole lines of a chunk that begins with a line and has ASCII alone; returns how many bytes they have. Decoded at once,
   * lines are parts of one string: that takes a third of the time.
   */
  #pushAscii(chunk: Buffer, lines: Line[], most: number): number {
    if (this.#lineBytes > 0 || chunk.length > LIMITS.readBytes || !isAscii(chunk)) return 0
    const all = chunk.toString('latin1')
    let start = 0
    while (lines.length < most) {
      const end = all.indexOf('\n', start)
      if (end < 0 || end - start > this.#maxBytes || all.charCodeAt(start) === NUL) break
      const last = end > start && all.charCodeAt(end - 1) === CR ? end - 1 : end
      lines.push({ text: all.slice(start, last), bytes: end - start + 1, isTruncated: false, isPartial: false })
      start = end + 1
    }
    return start
  }

  /** The bytes after the last line feed as a line; null without any. */
  flush(): Line | null {
    return this.#lineBytes === 0 ? null : this.#take(true)
  }

  #keep(bytes: Buffer): void {
    const nuls = this.#keptBytes === 0 && bytes[0] === NUL ? leadingNuls(bytes) : 0
    this.#nulBytes += nuls
    const part = bytes.subarray(nuls)
    const room = this.#maxBytes - this.#keptBytes
    if (room <= 0 || part.length === 0) return
    this.#parts.push(part.length > room ? part.subarray(0, room) : part)
    // A line that comes byte by byte would take a hundred times its bytes.
    if (this.#parts.length >= MOST_PARTS) this.#parts = [Buffer.concat(this.#parts)]
    this.#keptBytes += Math.min(room, part.length)
  }

  #take(isPartial: boolean): Line {
    const only = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    const contentBytes = this.#lineBytes - this.#nulBytes - (isPartial ? 0 : 1)
    const isTruncated = contentBytes > this.#keptBytes
    const hasReturn = !isTruncated && !isPartial && only.length > 0 && only[only.length - 1] === CR
    const text = only.toString('utf8', 0, hasReturn ? only.length - 1 : only.length)
    const line = {
      text: text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text,
      bytes: this.#lineBytes,
      isTruncated,
      isPartial
    }
    this.#parts = []
    this.#keptBytes = 0
    this.#nulBytes = 0
    this.#lineBytes = 0
    return line
  }
}
