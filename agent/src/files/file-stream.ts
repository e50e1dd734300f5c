import { access } from 'node:fs/promises'
import type { AgentConfig, FileSource } from '../config/config.js'
import type { SealedBatch } from '../deliver/batch-body.js'
import type { Delivery, Position } from '../deliver/deliverer.js'
import type { Journal } from '../journal/journal.js'
import { LIMITS } from '../limits.js'
import { fingerprint, LineReader } from './line-reader.js'
import type { Line } from './line-splitter.js'
import type { OpenFile } from './open-file.js'
import { readPinned, sumOf } from './recognize.js'
import type { EndReason, Fingerprint, Gap, GapReason, Pin, StreamRecord } from './stream-record.js'

/** What a stream needs of the agent. */
export interface StreamDeps {
  readonly config: AgentConfig
  readonly journal: Journal
  /** Sends a batch until it is known what became of it. */
  readonly deliver: (batch: SealedBatch) => Promise<Delivery>
  /** Finds the file that goes on where a stream was cut off; null when there is none now. */
  readonly findRest: (record: StreamRecord) => Promise<OpenFile | null>
  readonly nowMs: () => number
  /** Called when a stream may go on. */
  readonly wake: () => void
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** `live`: its path leads to it. `leaving`: renamed or removed. `copy`: its rest is elsewhere. `cut`: the rest is looked for. */
export type StreamPhase = 'live' | 'leaving' | 'copy' | 'cut' | 'ended'

/** Between two searches for the rest of a file, and after a failure. */
const PAUSE_MS = 250

/** The bytes before a place of a file, as far as they serve to recognize it; fewer where the file ends before. */
async function bytesBefore(file: OpenFile | null, offset: number): Promise<Buffer> {
  const length = Math.min(LIMITS.anchorBytes, offset)
  return file === null ? Buffer.alloc(0) : file.read(offset - length, length)
}

/**
 * Follows one file: reads whole lines, seals them into batches, notes each batch in the journal before it is sent, and goes
 * on when the service has it. One batch at a time, in order.
 */
export class FileStream {
  readonly #deps: StreamDeps
  readonly source: FileSource
  record: StreamRecord
  phase: StreamPhase
  #file: OpenFile | null
  #reader: LineReader
  #firstLineAtMs = 0
  #quietSinceMs: number
  #finish: { readonly gap: Gap | null; readonly end: EndReason } | null = null
  #sending: Promise<void> | null = null
  #notBeforeMs = 0

  constructor(deps: StreamDeps, source: FileSource, record: StreamRecord, file: OpenFile | null, phase: StreamPhase) {
    this.#deps = deps
    this.source = source
    this.record = record
    this.#file = file
    this.phase = phase
    this.#reader = new LineReader(record.offset)
    this.#quietSinceMs = deps.nowMs()
  }

  get file(): OpenFile | null {
    return this.#file
  }

  /** Whether the rest of its file is being looked for. */
  get isCut(): boolean {
    return this.phase === 'cut'
  }

  /** What is known of the file up to where it was read, which may be ahead of the journal. */
  get seen(): StreamRecord {
    return { ...this.record, pin: null, ...this.#reader.scanned }
  }

  /** The path leads to another file now, or to none. */
  depart(): void {
    if (this.phase === 'live') this.#enter('leaving')
  }

  /** Reads what is there and sends what is due. Returns whether there may be more at once. */
  async step(): Promise<boolean> {
    if (this.#sending !== null || this.phase === 'ended' || this.#deps.nowMs() < this.#notBeforeMs) return false
    if (this.record.pin !== null) return this.#resend(this.record.pin)
    const isMore = this.#finish === null && (await this.#read())
    if (!this.#isDue(isMore)) return isMore
    await this.#seal()
    return false
  }

  /** Resolves when no batch is in flight. */
  async idle(): Promise<void> {
    await this.#sending
  }

  async close(): Promise<void> {
    await this.idle()
    await this.#file?.close()
    this.#file = null
  }

  #enter(phase: StreamPhase, file = this.#file): void {
    this.phase = phase
    this.#file = file
    this.#quietSinceMs = this.#deps.nowMs()
    this.#notBeforeMs = 0
  }

  #pause(): void {
    this.#notBeforeMs = this.#deps.nowMs() + PAUSE_MS
  }

  #hasWaited(): boolean {
    return this.#deps.nowMs() - this.#quietSinceMs >= this.#deps.config.logs.rotateWaitMs
  }

  /** Whether more can be read at once. */
  async #read(): Promise<boolean> {
    if (this.#file === null) return this.#lookForRest()
    if (!(await this.#reader.prime(this.#file, this.record.anchor))) return this.#cut(this.#file)
    const { maxBatchSize } = this.#deps.config.logs
    const { count } = this.#reader
    if (count >= maxBatchSize || this.#reader.to - this.record.offset >= LIMITS.batchBytes) return true
    const found = await this.#reader.read(this.#file, maxBatchSize)
    if (found === 'changed') return this.#cut(this.#file)
    if (found === 'end') return this.#atEnd(this.#file)
    this.#quietSinceMs = this.#deps.nowMs()
    if (count === 0) this.#firstLineAtMs = this.#quietSinceMs
    await this.#refreshHead(this.#file)
    return true
  }

  async #refreshHead(file: OpenFile): Promise<void> {
    const bytes = Math.min(LIMITS.headBytes, this.#reader.scanned!.offset)
    if (this.record.head.bytes < bytes) this.record = { ...this.record, head: fingerprint(await file.read(0, bytes)) }
  }

  async #atEnd(file: OpenFile): Promise<boolean> {
    if (this.phase === 'live' || !this.#hasWaited()) return false
    const { isDeleted } = await file.state()
    const left = isDeleted ? 'deleted' : 'rotated'
    this.#end(this.phase === 'copy' ? 'truncated' : left, null)
    return false
  }

  /** The file has other content than before: what was not read of the old one is looked for elsewhere. */
  async #cut(file: OpenFile): Promise<boolean> {
    this.#enter('cut', null)
    await file.close()
    return true
  }

  async #lookForRest(): Promise<boolean> {
    this.#pause()
    const file = await this.#deps.findRest(this.seen)
    if (file !== null) {
      this.#enter('copy', file)
      return true
    }
    if (!this.#hasWaited()) return false
    const isThere = await access(this.record.path).then(
      () => true,
      () => false
    )
    if (isThere) this.#end('truncated', 'truncated')
    else this.#end('deleted', 'deleted')
    return false
  }

  /** Ends the stream after what was read; a lost rest is of unknown size. */
  #end(end: EndReason, lost: GapReason | null): void {
    this.#reader.flush()
    const { to } = this.#reader
    this.#finish = { gap: lost === null ? null : { from: to, to, lines: null, reason: lost }, end }
  }

  #isDue(isMore: boolean): boolean {
    const { batchSize, maxBatchSize, intervalMs } = this.#deps.config.logs
    const { count, to } = this.#reader
    if (this.#finish !== null) return true
    if (count === 0) return false
    if (count >= maxBatchSize || to - this.record.offset >= LIMITS.batchBytes) return true
    if (isMore) return false
    return count >= batchSize || this.#deps.nowMs() - this.#firstLineAtMs >= intervalMs
  }

  async #seal(): Promise<void> {
    const { record } = this
    const lines = this.#reader.take()
    // A gap is before its batch: one at the end is a batch of its own.
    const finish = this.#finish !== null && (lines.length === 0 || this.#finish.gap === null) ? this.#finish : null
    if (finish !== null && finish.gap === null && lines.length === 0 && record.nextSeq === 1) return this.#forget()
    const pin: Pin = {
      seq: record.nextSeq,
      from: record.offset,
      to: this.#reader.to,
      firstLine: record.nextLine,
      lines: lines.length,
      sealedAtMs: Math.max(this.#deps.nowMs(), record.sealedAtMs + 1),
      sum: sumOf(lines),
      gap: finish?.gap ?? null,
      end: finish?.end ?? null
    }
    this.#send(pin, lines, this.#reader.anchor)
  }

  #send(pin: Pin, lines: readonly Line[], before: Fingerprint): void {
    // Without a file nothing is read, and the place stays what it was.
    const anchor = before.bytes === 0 && pin.to === this.record.offset ? this.record.anchor : before
    this.record = { ...this.record, pin, sealedAtMs: pin.sealedAtMs }
    this.#sending = this.#deliver(pin, lines, anchor)
      .catch((error: unknown) => {
        // The batch is pinned: the next step sends it again.
        this.#pause()
        this.#deps.log('batch not sent', { path: this.record.path, err: String(error) })
      })
      .finally(() => {
        this.#sending = null
        this.#deps.wake()
      })
  }

  /** Notes the batch in the journal, on disk, and sends it. */
  async #deliver(pin: Pin, lines: readonly Line[], anchor: Fingerprint): Promise<void> {
    const { journal, log } = this.#deps
    const { path } = this.record
    await journal.put(this.record)
    await journal.sync()
    const delivery = await this.#deps.deliver({ record: this.record, pin, lines, source: this.source, anchor })
    if (delivery.kind === 'too_large') return this.#halve(pin)
    if (delivery.kind === 'stored' && delivery.rejected > 0)
      log('records rejected', { path, rejected: delivery.rejected, from: pin.from, to: pin.to })
    const { position } = delivery
    if (position.nextSeq !== pin.seq + 1 || position.bytesTo !== pin.to) return this.#resync(position)
    const endedAtMs = pin.end === null ? null : this.#deps.nowMs()
    const place = { offset: pin.to, anchor, nextLine: pin.firstLine + pin.lines, nextSeq: pin.seq + 1 }
    this.record = { ...this.record, ...place, pin: null, endedAtMs }
    await journal.put(this.record)
    if (pin.end !== null) await this.#finished()
  }

  /** Nothing of the batch was stored: half of its lines are a new batch under its number. */
  async #halve(pin: Pin): Promise<void> {
    const lines = this.#file === null ? null : await readPinned(this.#file, pin)
    if (lines === null || lines.length < 2) throw new Error(`a batch of ${pin.lines} lines exceeds the limit of the service`)
    const half = lines.slice(0, Math.floor(lines.length / 2))
    const to = pin.from + half.reduce((sum, { bytes }) => sum + bytes, 0)
    const before = await bytesBefore(this.#file, to)
    const sealedAtMs = Math.max(this.#deps.nowMs(), pin.sealedAtMs + 1)
    const smaller = { ...pin, to, lines: half.length, sum: sumOf(half), sealedAtMs, gap: null, end: null }
    this.#finish = null
    this.#reader.restart(to, before)
    this.record = { ...this.record, pin: smaller, sealedAtMs }
    await this.#deliver(smaller, half, fingerprint(before))
  }

  /** The service is elsewhere in the stream than the journal: its position is the truth. */
  async #resync(position: Position): Promise<void> {
    const { bytesTo, lineTo, nextSeq } = position
    this.#deps.log('position taken over from the service', { path: this.record.path, id: this.record.id, ...position })
    const before = await bytesBefore(this.#file, bytesTo)
    if (before.length < Math.min(LIMITS.anchorBytes, bytesTo))
      throw new Error(`the service has the stream up to byte ${bytesTo}, which the file does not have`)
    this.record = { ...this.record, offset: bytesTo, anchor: fingerprint(before), nextLine: lineTo + 1, nextSeq, pin: null }
    this.#finish = null
    this.#reader.restart(bytesTo, before)
    await this.#deps.journal.put(this.record)
  }

  /** A batch that was noted before: the same bytes again, or a gap under its number where they are gone. */
  async #resend(pin: Pin): Promise<boolean> {
    const lines = this.#file === null ? null : await readPinned(this.#file, pin)
    if (lines === null && pin.lines > 0) return this.#resendElsewhere(pin)
    const before = await bytesBefore(this.#file, pin.to)
    this.#reader.restart(pin.to, before)
    this.#send(pin, lines ?? [], fingerprint(before))
    return false
  }

  async #resendElsewhere(pin: Pin): Promise<boolean> {
    this.#pause()
    const file = await this.#deps.findRest(this.record)
    if (file !== null) {
      await this.#file?.close()
      this.#enter('copy', file)
      return true
    }
    if (!this.#hasWaited()) return false
    const gap = { from: pin.from, to: pin.to, lines: pin.lines, reason: 'deleted' } as const
    const lost = { ...pin, from: pin.to, firstLine: pin.firstLine + pin.lines, lines: 0, sum: sumOf([]) }
    this.#reader.restart(pin.to, Buffer.alloc(0))
    // What was written after it nobody knows.
    this.#end('deleted', 'deleted')
    this.#send({ ...lost, gap, end: null }, [], fingerprint(Buffer.alloc(0)))
    return false
  }

  async #forget(): Promise<void> {
    await this.#deps.journal.forget(this.record.id)
    await this.#finished()
  }

  async #finished(): Promise<void> {
    const file = this.#file
    this.#enter('ended', null)
    await file?.close()
  }
}
