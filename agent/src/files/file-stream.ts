import { pinned, type PinnedBatch } from '../deliver/deliver-batch.js'
import { LIMITS } from '../limits.js'
import { BatchLines } from './batch-lines.js'
import { BatchSender } from './batch-sender.js'
import { seeFile } from './file-state.js'
import { bytesBefore, fingerprint } from './line-reader.js'
import type { OpenFile } from './open-file.js'
import { readPinned, sumOf } from './pinned-lines.js'
import { RotateWait } from './rotate-wait.js'
import type { Source } from './source.js'
import type { Rest, StreamDeps } from './stream-deps.js'
import type { EndReason, Fingerprint, Gap, GapReason, Pin, SeenStream, StreamRecord } from './stream-record.js'

/** `live`: its path leads to it. `leaving`: renamed or removed. `copy`: its rest is elsewhere. `cut`: the rest is looked for. */
export type StreamPhase = 'live' | 'leaving' | 'copy' | 'cut' | 'ended'

/** Between two searches for the rest of a file, and after a failure. */
const PAUSE_MS = 250

/**
 * Follows one file: reads whole lines, seals them into batches, notes each batch in the journal before it is sent, and goes
 * on when the service has it. One batch at a time, in order.
 */
export class FileStream {
  readonly #deps: StreamDeps
  readonly source: Source
  record: StreamRecord
  phase: StreamPhase
  #file: OpenFile | null
  readonly #lines: BatchLines
  #bufferedBytes = 0
  readonly #wait: RotateWait
  #finish: { readonly gap: Gap | null; readonly end: EndReason } | null = null
  readonly #sender: BatchSender
  #notBeforeMs = Number.NEGATIVE_INFINITY

  constructor(deps: StreamDeps, source: Source, record: StreamRecord, file: OpenFile | null, phase: StreamPhase) {
    this.#deps = deps
    this.source = source
    this.record = record
    this.#file = file
    this.phase = phase
    this.#lines = new BatchLines(deps, source, record.offset)
    this.#wait = new RotateWait(deps.clock, deps.config.logs.rotateWaitMs)
    this.#sender = new BatchSender(deps, {
      changed: after => {
        this.record = after
      },
      fingerprintAt: async offset => fingerprint(await this.#bytesBefore(offset)),
      delivered: after => this.#delivered(after),
      failed: error => this.#fail('batch not sent', error),
      ended: () => {
        this.#countBuffered()
        deps.wake()
      }
    })
  }

  get file(): OpenFile | null {
    return this.#file
  }

  /** What is known of the file up to where it was read, maybe ahead of the journal; a batch before a restart by its sum. */
  get seen(): SeenStream {
    const pin = this.#lines.bytesRead < (this.record.pin?.to ?? 0) ? this.record.pin : null
    return { record: { ...this.record, pin }, marks: this.#lines.marks }
  }

  /** Whether it waits for nothing but its file to grow. */
  get isQuiet(): boolean {
    return this.phase === 'live' && !this.#sender.isSending && this.record.pin === null && this.#lines.isEmpty
  }

  /** Offset up to which the file was read. */
  get bytesRead(): number {
    return this.#lines.bytesRead
  }

  /** The path leads to another file now, or to none. */
  depart(): void {
    if (this.phase === 'live') this.#enter('leaving')
  }

  /** Reads what is there and sends what is due. Returns whether there may be more at once. */
  async step(): Promise<boolean> {
    if (this.#sender.isSending || this.phase === 'ended' || this.#deps.clock.elapsedMs() < this.#notBeforeMs) return false
    try {
      return await this.#advance()
    } catch (error) {
      this.#fail('file not read', error)
      return false
    } finally {
      this.#countBuffered()
    }
  }

  /** Resolves when no batch is in flight. */
  idle(): Promise<void> {
    return this.#sender.idle()
  }

  async close(): Promise<void> {
    await this.idle()
    await this.#file?.close()
    this.#file = null
  }

  async #advance(): Promise<boolean> {
    const { buffered } = this.#deps
    if (this.record.pin !== null) return buffered.isFull ? false : this.#resend(this.record.pin)
    if (buffered.isFull && this.#lines.dropHalf()) return this.#pause()
    const isMore = this.#finish === null && !buffered.isFull && (await this.#read())
    if (this.#finish === null && !this.#lines.isDue(isMore)) return isMore
    await this.#seal()
    return false
  }

  /** What was read and is not stored is in memory. */
  #countBuffered(): void {
    const bytes = this.phase === 'ended' ? 0 : Math.min(this.#lines.bytesRead - this.record.offset, LIMITS.batchBytes)
    this.#deps.buffered.change(this.#bufferedBytes, bytes)
    this.#bufferedBytes = bytes
  }

  #enter(phase: StreamPhase, file = this.#file): void {
    this.phase = phase
    this.#file = file
    this.#wait.begin()
    this.#notBeforeMs = Number.NEGATIVE_INFINITY
  }

  #pause(): false {
    this.#notBeforeMs = this.#deps.clock.elapsedMs() + PAUSE_MS
    return false
  }

  #fail(event: string, error: unknown): void {
    const { path } = this.record
    this.#pause()
    // The agent stops: the batch is sent again after the next start.
    if (error instanceof Error && error.name === 'AbortError') return
    this.#deps.faults.report(event, path, { path, err: String(error) })
  }

  /** Whether more can be read at once. */
  async #read(): Promise<boolean> {
    if (this.#file === null) return this.#lookForRest()
    const found = await this.#lines.read(this.#file, this.record.anchor)
    if (found === 'changed') return this.#cut(this.#file)
    if (found === 'end') return this.#atEnd(this.#file)
    if (found === 'full') return true
    this.#wait.noteRead()
    await this.#refreshHead(this.#file)
    return true
  }

  async #refreshHead(file: OpenFile): Promise<void> {
    const known = this.record.head.bytes
    const bytes = Math.min(LIMITS.headBytes, this.#lines.bytesRead)
    if (known >= bytes) return
    const head = fingerprint(await file.read(0, bytes))
    // Truncated meanwhile, it may have the head of another file.
    if (!(await this.#lines.isReadFrom(file))) return
    this.record = { ...this.record, head }
    // A file that was read is known after a crash, also when nothing was sent.
    if (known === 0) await this.#deps.journal.put(this.record)
  }

  async #atEnd(file: OpenFile): Promise<boolean> {
    if (this.phase === 'live' || !this.#wait.hasBeenQuiet()) return false
    const next = this.phase === 'leaving' ? await this.#deps.findReplacement(this.seen, this.source, file) : null
    if (next !== null) return this.#goOnIn(next)
    const left = (await file.state()).isDeleted ? 'deleted' : 'rotated'
    this.#end(this.phase === 'copy' ? 'truncated' : left, null)
    return false
  }

  /** The file has other content than before: what was not read of the old one is looked for elsewhere. */
  async #cut(file: OpenFile): Promise<boolean> {
    if (this.phase === 'live') this.#deps.rotated(this.record.path, this.source)
    this.#enter('cut', null)
    await file.close()
    return true
  }

  async #goOnIn({ file, isAtPath }: Rest): Promise<boolean> {
    await this.#file?.close()
    this.record = { ...this.record, ...file.place }
    await this.#goBack(file)
    // A stream that was first seen after a rotation has the path of then, to which no lines are added.
    const atPath = this.source.isLive(this.record.path) ? 'live' : 'leaving'
    this.#enter(isAtPath ? atPath : 'copy', file)
    return true
  }

  async #lookForRest(): Promise<boolean> {
    this.#pause()
    const rest = await this.#deps.findRest(this.seen, this.source)
    if (rest !== null) return this.#goOnIn(rest)
    if (!this.#wait.hasSought()) return false
    if ((await seeFile(this.record.path)) !== null) this.#end('truncated', 'truncated')
    else this.#end('deleted', 'deleted')
    return false
  }

  /** A stream that was found by the end of its first batch is read from the beginning of that. */
  async #goBack(file: OpenFile): Promise<void> {
    const { pendingFrom: offset, ...record } = this.record
    if (offset === undefined) return
    const before = await bytesBefore(file, offset)
    this.record = { ...record, offset, anchor: fingerprint(before) }
    this.#lines.restart(offset, before)
  }

  /** Ends the stream after what was read; a lost rest is of unknown size. */
  #end(end: EndReason, lost: GapReason | null): void {
    this.#lines.end()
    const { to } = this.#lines
    this.#finish = { gap: lost === null ? null : { from: this.record.pendingFrom ?? to, to, lines: null, reason: lost }, end }
  }

  async #seal(): Promise<void> {
    const { record } = this
    const { lines, offset: to, anchor: before } = this.#lines.take()
    // A gap is before its batch: one at the end is a batch of its own.
    const finish = this.#finish !== null && (lines.length === 0 || this.#finish.gap === null) ? this.#finish : null
    if (finish !== null && finish.gap === null && lines.length === 0 && record.nextSeq === 1) return this.#forget()
    const pin = {
      seq: record.nextSeq,
      from: record.offset,
      to,
      firstLine: record.nextLine,
      lines: lines.length,
      sum: sumOf(lines),
      gap: finish?.gap ?? null,
      end: finish?.end ?? null
    }
    // Without a file nothing is read, and the place stays what it was.
    const anchor = to === record.offset ? record.anchor : before
    this.#sender.send({ record: pinned(record, pin, this.#deps.clock.nowMs()), lines, source: this.source.file, anchor })
  }

  async #delivered(after: StreamRecord): Promise<void> {
    if (after.endedAtMs !== null) return this.#finished()
    if (after.offset !== this.#lines.takenTo) await this.#restart(after)
  }

  async #bytesBefore(offset: number): Promise<Buffer> {
    return this.#file === null ? Buffer.alloc(0) : bytesBefore(this.#file, offset)
  }

  /** The service is at another place: what was read is read again from there. */
  async #restart({ offset, anchor }: StreamRecord): Promise<void> {
    this.#finish = null
    this.#lines.restart(offset, await this.#bytesBefore(offset))
    if (offset > 0 && anchor.bytes === 0 && this.#file !== null) await this.#cut(this.#file)
  }

  /** A batch that was noted before: the same bytes again, or a gap under its number where they are gone. */
  async #resend(pin: Pin): Promise<boolean> {
    const lines = this.#file === null ? null : await readPinned(this.#file, pin)
    if (lines === null && pin.lines > 0) return this.#resendElsewhere(pin)
    const before = await this.#bytesBefore(pin.to)
    const isInPlace = before.length === 0 && pin.to === this.record.offset
    this.#lines.restart(pin.to, before)
    this.#sender.send(this.#repeated(pin, lines ?? [], isInPlace ? this.record.anchor : fingerprint(before)))
    return false
  }

  #repeated(pin: Pin, lines: PinnedBatch['lines'], anchor: Fingerprint): PinnedBatch {
    return { record: { ...this.record, pin }, lines, source: this.source.file, anchor }
  }

  async #resendElsewhere(pin: Pin): Promise<boolean> {
    this.#pause()
    const rest = await this.#deps.findRest({ record: this.record, marks: [] }, this.source)
    if (rest !== null) return this.#goOnIn(rest)
    if (!this.#wait.hasSought()) return false
    const gap = { from: pin.from, to: pin.to, lines: pin.lines, reason: 'deleted' } as const
    const lost = { ...pin, from: pin.to, firstLine: pin.firstLine + pin.lines, lines: 0, sum: sumOf([]), gap, end: null }
    this.#lines.restart(pin.to, Buffer.alloc(0))
    // What was written after it is not known.
    this.#end('deleted', 'deleted')
    this.#sender.send(this.#repeated(lost, [], fingerprint(Buffer.alloc(0))))
    return false
  }

  async #forget(): Promise<void> {
    // What is before its beginning must not be read under another name.
    if (this.record.offset > 0) await this.#deps.journal.put({ ...this.record, endedAtMs: this.#deps.clock.nowMs() })
    else await this.#deps.journal.forget(this.record.id)
    await this.#finished()
  }

  async #finished(): Promise<void> {
    const file = this.#file
    this.#enter('ended', null)
    await file?.close()
  }
}
