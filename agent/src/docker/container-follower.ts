import type { Clock } from '../clock.js'
import type { AgentConfig, FileSource } from '../config/config.js'
import type { SealedBatch } from '../deliver/batch-body.js'
import { deliverBatch, pinned } from '../deliver/deliver-batch.js'
import type { Delivery } from '../deliver/deliverer.js'
import type { Log } from '../fault-log.js'
import type { Line } from '../files/line-splitter.js'
import { sumOf } from '../files/pinned-lines.js'
import type { Gap, Pin, StreamRecord } from '../files/stream-record.js'
import type { Journal } from '../journal/journal.js'
import { soonerOf } from '../journald/sooner-of.js'
import { LIMITS } from '../limits.js'
import { ContainerBatch } from './container-batch.js'
import type { ContainerLine, LineDecoder } from './container-lines.js'
import type { ContainerPlace } from './container-place.js'
import { ContainerReading, type ReadLine } from './container-reading.js'
import { type ContainerRecord, cursorOf, NO_BYTES, parseCursor } from './container-records.js'

export interface ContainerFollowerDeps {
  readonly config: Pick<AgentConfig, 'logs'>
  readonly journal: Journal
  readonly clock: Clock
  /** Sends a batch until it is known what became of it. */
  readonly deliver: (batch: SealedBatch) => Promise<Delivery>
  readonly log: Log
}

/** What a container wrote from a time on, and writes until it stops. */
export type OpenOutput = (since: string, signal: AbortSignal) => AsyncIterable<Buffer>

type Pinned = ContainerRecord & { readonly pin: Pin }

/** Sends the log of one container in its order, one batch at a time. Each is noted on disk before it is sent. */
export class ContainerFollower {
  readonly #deps: ContainerFollowerDeps
  readonly #source: FileSource
  #record: ContainerRecord
  /** The batch that was noted before and has to be sent first. */
  #pinned: Pinned | null
  #place: ContainerPlace
  /** The line of the place is not in the log any more. */
  #isLost = false
  #batch: ContainerBatch | null = null

  constructor(deps: ContainerFollowerDeps, source: FileSource, record: ContainerRecord) {
    this.#deps = deps
    this.#source = source
    this.#record = record
    this.#pinned = record.pin === null ? null : { ...record, pin: record.pin }
    this.#place = parseCursor(record).place
  }

  /** Takes what the container writes until it stops; rejects as its log does and when the agent stops. */
  async follow(open: OpenOutput, decoder: () => LineDecoder, signal: AbortSignal): Promise<void> {
    while (!(await this.#read(open, decoder(), signal))) signal.throwIfAborted()
  }

  /** Notes that the container is gone. @param isLost it may have written more than was read. */
  async end(isLost: boolean): Promise<void> {
    if (this.#pinned !== null) await this.#giveUp(this.#pinned)
    if (this.#record.endedAtMs !== null) return
    // Nothing was sent of it, and nothing is missing.
    if (this.#record.nextSeq === 1 && !isLost) return this.#deps.journal.forget(this.#record.id)
    const { offset: at } = this.#record
    const gap: Gap | null = isLost ? { from: at, to: at, lines: null, reason: 'deleted' } : null
    await this.#send(new ContainerBatch(this.#record, gap, 0), 'deleted')
  }

  /** False when the log has to be read again from the place. */
  async #read(open: OpenOutput, decode: LineDecoder, signal: AbortSignal): Promise<boolean> {
    const reading = new ContainerReading(this.#place, this.#isLost)
    const ended = new AbortController()
    this.#batch = null
    try {
      const output = open(reading.since, AbortSignal.any([signal, ended.signal]))
      return await this.#takeAll(output, decode, reading, signal)
    } finally {
      ended.abort()
    }
  }

  async #takeAll(
    output: AsyncIterable<Buffer>,
    decode: LineDecoder,
    reading: ContainerReading,
    signal: AbortSignal
  ): Promise<boolean> {
    const iterator = output[Symbol.asyncIterator]()
    const read = (): Promise<IteratorResult<Buffer>> => {
      const next = iterator.next()
      // It may end while a batch is sent.
      next.catch(() => undefined)
      return next
    }
    for (let next = read(); ;) {
      const found = await soonerOf(next, this.#dueInMs(reading), signal)
      if (found !== 'late' && found.done === true) return this.#ended(reading)
      const goesOn = found === 'late' ? this.#silent(reading) : this.#take(decode(found.value), reading)
      if (!(await goesOn)) return false
      if (found !== 'late') next = read()
    }
  }

  async #take(lines: readonly ContainerLine[], reading: ContainerReading): Promise<boolean> {
    for (const line of lines) {
      const read = reading.take(line)
      if (read === 'lost') return this.#lose()
      if (read !== null && !(await this.#add(read))) return false
    }
    return true
  }

  /** Nothing came for some time: a batch is due, or the line of the place is not in the log. */
  async #silent({ isFound }: ContainerReading): Promise<boolean> {
    return isFound ? this.#flush() : this.#lose()
  }

  /** Null: nothing waits. */
  #dueInMs({ isFound }: ContainerReading): number | null {
    if (!isFound) return LIMITS.containerScanMs
    if (this.#batch === null || this.#pinned !== null) return null
    const { batchSize, intervalMs } = this.#deps.config.logs
    if (this.#batch.count >= batchSize) return 0
    return Math.max(0, this.#batch.beganMs + intervalMs - this.#deps.clock.elapsedMs())
  }

  /** The container has stopped: what it wrote is sent. */
  async #ended(reading: ContainerReading): Promise<boolean> {
    if (!reading.isFound) return this.#lose()
    if (this.#pinned !== null) {
      await this.#giveUp(this.#pinned)
      return false
    }
    return this.#flush()
  }

  /** Lines were removed from the log before they were read, and the line of the place with them. */
  #lose(): false {
    this.#isLost = true
    return false
  }

  /** False when the log has to be read again. */
  async #add(read: ReadLine): Promise<boolean> {
    if (this.#pinned !== null) return this.#addPinned(this.#pinned, read)
    // The service has more than was known.
    if (read.place.at <= this.#record.offset) return true
    if (this.#batch !== null && this.#isFull(this.#batch) && !(await this.#flush())) return false
    this.#batch ??= new ContainerBatch(this.#record, this.#gapBefore(), this.#deps.clock.elapsedMs())
    this.#batch.add(read)
    return true
  }

  #isFull({ count, bytes }: ContainerBatch): boolean {
    return count >= this.#deps.config.logs.maxBatchSize || bytes >= LIMITS.containerBatchBytes
  }

  /** What was removed from the log before it was read. */
  #gapBefore(): Gap | null {
    const { offset: from } = this.#record
    const to = Math.max(from, this.#place.at)
    return this.#isLost || to > from ? { from, to, lines: null, reason: 'rotated_away' } : null
  }

  /** Collects the lines of the batch that was noted, and sends it when it is whole. */
  async #addPinned(record: Pinned, read: ReadLine): Promise<boolean> {
    const { pin } = record
    this.#batch ??= new ContainerBatch({ ...record, offset: pin.from }, null, 0)
    if (pin.lines > 0) this.#batch.add(read)
    if (this.#batch.count < pin.lines) return true
    const { lines } = this.#batch
    if (sumOf(lines) !== pin.sum) {
      await this.#giveUp(record)
      return false
    }
    const batch = this.#batch
    this.#batch = null
    const isBehind = await this.#deliver(record, lines, batch)
    // A line behind it was read to send a batch without lines.
    return isBehind && (pin.lines > 0 || this.#add(read))
  }

  /** The lines of the batch that was noted are gone: a gap under its number. If it had arrived, that is a repeat. */
  async #giveUp(record: Pinned): Promise<void> {
    const { pin } = record
    const { pinTo } = parseCursor(record)
    const gap = { from: pin.gap?.from ?? pin.from, to: pin.to, lines: pin.lines, reason: 'rotated_away' } as const
    const lost = { ...pin, from: pin.to, firstLine: pin.firstLine + pin.lines, lines: 0, sum: sumOf([]) }
    const none = new ContainerBatch({ ...record, offset: pin.to }, null, 0)
    await this.#deliver({ ...record, pin: pin.lines === 0 ? pin : { ...lost, gap } }, [], none)
    if (pinTo !== null && this.#record.offset === pin.to) this.#moveTo(pinTo)
  }

  async #flush(): Promise<boolean> {
    const batch = this.#batch
    this.#batch = null
    return batch === null || this.#send(batch)
  }

  async #send(batch: ContainerBatch, end: Pin['end'] = null): Promise<boolean> {
    const cursor = cursorOf(this.#place, batch.last)
    const record = pinned({ ...this.#record, cursor }, batch.pin(end), this.#deps.clock.nowMs())
    return this.#deliver({ ...record, cursor }, batch.lines, batch)
  }

  /** False when the service is at another place than behind the batch. */
  async #deliver(record: Pinned, lines: readonly Line[], batch: ContainerBatch): Promise<boolean> {
    const { clock, journal, deliver, log } = this.#deps
    const note = async (noted: StreamRecord): Promise<void> => {
      await journal.put(noted)
      await journal.sync()
    }
    const fingerprintAt = async (offset: number) => batch.fingerprintAt(offset)
    const deps = { note, send: deliver, fingerprintAt, nowMs: () => clock.nowMs(), log }
    this.#pinned = record
    const anchor = lines.length === 0 ? record.anchor : batch.fingerprintAt(record.pin.to)
    const after = await deliverBatch(deps, { record, lines, source: this.#source, anchor })
    this.#pinned = null
    this.#record = { ...after, cursor: record.cursor, anchor: after.anchor.bytes === 0 ? NO_BYTES : after.anchor }
    // Not that of the batch: lines behind it are read again, and those that the service has are left out.
    const place = batch.placeAt(after.offset)
    if (place !== null) this.#moveTo(place)
    await journal.put(this.#record)
    return after.offset === record.pin.to
  }

  #moveTo(place: ContainerPlace): void {
    this.#place = place
    this.#isLost = false
    this.#record = { ...this.#record, cursor: cursorOf(place) }
  }
}
