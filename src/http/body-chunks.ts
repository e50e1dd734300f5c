import { Pace } from '../threads/pace.js'

/** Bytes that are copied without yielding to the event loop: a few milliseconds, most of them for new pages of memory. */
const COPIED_AT_ONCE = 4 * 1024 * 1024

/** All chunks in one buffer that shares no memory with them; of many bytes other work runs between the copies. */
export async function joinInSlices(chunks: readonly Buffer[], bytes: number): Promise<Buffer> {
  if (bytes <= COPIED_AT_ONCE) return Buffer.concat(chunks, bytes)
  const whole = Buffer.allocUnsafeSlow(bytes)
  const pace = new Pace(COPIED_AT_ONCE)
  let end = 0
  for (const chunk of chunks) {
    end += chunk.copy(whole, end)
    if (pace.isDue(chunk.length)) await pace.rest()
  }
  // What reads the whole of it begins in an iteration of its own.
  await pace.rest()
  return whole
}

/** Chunks below this are copied together: each Buffer takes more than a hundred bytes besides its own. */
const SMALL_CHUNK = 4 * 1024
const JOINED_BYTES = 64 * 1024

/** The chunks of a body as they arrive. */
export class BodyChunks {
  #chunks: Buffer[] = []
  #bytes = 0
  /** The last chunk while more small ones may be copied behind it. */
  #joined: Buffer | null = null
  #joinedBytes = 0

  get bytes(): number {
    return this.#bytes
  }

  add(chunk: Buffer): void {
    const isFirst = this.#bytes === 0
    this.#bytes += chunk.length
    if (chunk.length >= SMALL_CHUNK || isFirst) this.#push(chunk)
    else this.#join(chunk)
  }

  /** All of them in one piece that shares no memory with the socket's buffers; the chunks are gone then. */
  take(): Promise<Buffer> {
    this.#endJoined()
    const chunks = this.#chunks
    this.#chunks = []
    return joinInSlices(chunks, this.#bytes)
  }

  #push(chunk: Buffer): void {
    this.#endJoined()
    this.#chunks.push(chunk)
  }

  #join(chunk: Buffer): void {
    if (this.#joined === null || this.#joinedBytes + chunk.length > JOINED_BYTES) {
      this.#endJoined()
      this.#joined = Buffer.allocUnsafeSlow(JOINED_BYTES)
    }
    this.#joinedBytes += chunk.copy(this.#joined, this.#joinedBytes)
  }

  #endJoined(): void {
    if (this.#joined !== null) this.#chunks.push(this.#joined.subarray(0, this.#joinedBytes))
    this.#joined = null
    this.#joinedBytes = 0
  }
}
