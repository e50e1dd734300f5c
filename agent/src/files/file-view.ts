import { LIMITS } from '../limits.js'
import { type OpenFile, sha256 } from './open-file.js'
import type { Fingerprint } from './stream-record.js'

/**
 * A file while it is compared with streams: its size and first bytes are read once, however many there are. For one look;
 * the file may change after that.
 */
export class FileView {
  readonly #file: Pick<OpenFile, 'read' | 'state'>
  readonly #sums = new Map<number, string>()
  #size: Promise<number> | null = null
  #first: Promise<Buffer> | null = null

  constructor(file: Pick<OpenFile, 'read' | 'state'>) {
    this.#file = file
  }

  get size(): Promise<number> {
    this.#size ??= this.#file.state().then(({ size }) => size)
    return this.#size
  }

  /** Bytes from `offset` on, at most `length`; fewer at the end. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset + length > LIMITS.viewBytes) return this.#file.read(offset, length)
    return (await this.#firstBytes()).subarray(offset, offset + length)
  }

  /** Whether it begins with these bytes: rules out most streams. */
  async beginsWith({ bytes, sum }: Fingerprint): Promise<boolean> {
    const first = await this.#firstBytes()
    if (bytes > first.length) return false
    const known = this.#sums.get(bytes) ?? sha256(first.subarray(0, bytes))
    this.#sums.set(bytes, known)
    return known === sum
  }

  /** Whether it and another file may begin alike, of which one may have less. */
  async agreesWith(other: FileView): Promise<boolean> {
    const [mine, its] = [await this.#firstBytes(), await other.#firstBytes()]
    const length = Math.min(mine.length, its.length)
    return mine.subarray(0, length).equals(its.subarray(0, length))
  }

  #firstBytes(): Promise<Buffer> {
    // After its size: of a file that grows they are all that it had then.
    this.#first ??= this.size.then(() => this.#file.read(0, LIMITS.viewBytes))
    return this.#first
  }
}
