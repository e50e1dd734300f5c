import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import { LIMITS } from '../limits.js'
import { recordRule } from '../parse/record-lines.js'
import { LineReader, type TakenLines } from './line-reader.js'
import type { OpenFile } from './open-file.js'
import type { Source } from './source.js'
import type { Fingerprint, Mark } from './stream-record.js'

/** Dependencies of `BatchLines`. */
export interface BatchLinesDeps {
  readonly clock: Clock
  readonly config: Pick<AgentConfig, 'logs'>
}

/** Reads the lines of one file and decides when they are a batch. */
export class BatchLines {
  readonly #deps: BatchLinesDeps
  readonly #reader: LineReader
  #firstLineAtMs = 0
  #lastReadMs = 0

  /** @param offset at which the next batch begins. */
  constructor(deps: BatchLinesDeps, { file }: Source, offset: number) {
    this.#deps = deps
    this.#reader = new LineReader(offset, recordRule(file))
  }

  /** Whether no line waits. */
  get isEmpty(): boolean {
    return this.#reader.count === 0
  }

  /** Offset up to which the file was read. */
  get bytesRead(): number {
    return this.#reader.scan
  }

  /** Offset behind the lines that were taken. */
  get takenTo(): number {
    return this.#reader.takenTo
  }

  /** Offset behind the last whole line. */
  get to(): number {
    return this.#reader.to
  }

  get marks(): readonly Mark[] {
    return this.#reader.marks
  }

  /** `full`: the next batch has all lines that it may. `changed`: the file does not have what was read of it any more. */
  async read(file: OpenFile, anchor: Fingerprint): Promise<'full' | 'more' | 'end' | 'changed'> {
    if (!(await this.#reader.prime(file, anchor))) return 'changed'
    if (this.#isFull()) return 'full'
    const { isEmpty } = this
    const found = await this.#reader.read(file, this.#deps.config.logs.maxBatchSize)
    if (found !== 'more') return found
    this.#lastReadMs = this.#deps.clock.elapsedMs()
    if (isEmpty) this.#firstLineAtMs = this.#lastReadMs
    return 'more'
  }

  /** Whether the file has what was read of it. */
  isReadFrom(file: OpenFile): Promise<boolean> {
    return this.#reader.isReadFrom(file)
  }

  /** Whether lines are to be sent. @param isMore more can be read at once. */
  isDue(isMore: boolean): boolean {
    const { batchSize, intervalMs } = this.#deps.config.logs
    const isFull = this.#isFull()
    if (this.#isRecordOver(isFull)) this.#reader.endRecord()
    const { wholeCount } = this.#reader
    if (wholeCount === 0) return false
    if (isFull) return true
    if (isMore) return false
    return wholeCount >= batchSize || this.#deps.clock.elapsedMs() - this.#firstLineAtMs >= intervalMs
  }

  /** Takes the lines of a batch; those of a record that may go on are left. */
  take(): TakenLines {
    this.#firstLineAtMs = this.#lastReadMs
    return this.#reader.take()
  }

  /** The file has ended: a half line and the last record are whole. */
  end(): void {
    this.#reader.flush()
    this.#reader.endRecord()
  }

  /** Forgets a half line if nothing else was read; it is read again. Returns whether it did. */
  dropHalf(): boolean {
    return this.#reader.dropHalf()
  }

  /** Begins at another place, before which the file has these bytes. */
  restart(at: number, before: Buffer): void {
    this.#reader.restart(at, before)
  }

  #isFull(): boolean {
    const { count, to, takenTo } = this.#reader
    return count >= this.#deps.config.logs.maxBatchSize || to - takenTo >= LIMITS.batchBytes
  }

  /** A record ends when the next one begins, when its file is quiet, and when it is all that a batch may have. */
  #isRecordOver(isFull: boolean): boolean {
    const { count, wholeCount } = this.#reader
    if (count === wholeCount) return false
    return (isFull && wholeCount === 0) || this.#deps.clock.elapsedMs() - this.#lastReadMs >= LIMITS.recordWaitMs
  }
}
