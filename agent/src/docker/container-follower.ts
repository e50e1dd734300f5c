import { Arrivals } from '../arrivals.js'
import type { FileSource } from '../config/config.js'
import { deliverBatch, pinned, type PinnedRecord } from '../deliver/deliver-batch.js'
import type { DeliveryDeps } from '../deliver/delivery-deps.js'
import type { Line } from '../files/line-splitter.js'
import { sumOf } from '../files/pinned-lines.js'
import type { Gap, Pin } from '../files/stream-record.js'
import { LIMITS } from '../limits.js'
import { ContainerBatch } from './container-batch.js'
import type { ContainerLine, LineDecoder } from './container-lines.js'
import type { ContainerPlace } from './container-place.js'
import { ContainerReading, type ReadLine } from './container-reading.js'
import { type ContainerRecord, cursorOf, parseCursor } from './container-records.js'
import { NO_BYTES } from '../files/line-reader.js'

/** What a container wrote from a time on, and writes until it stops. */
export type OpenOutput = (since: string, signal: AbortSignal) => AsyncIterable<Buffer>

/** How a log ended: `grown` after new lines, `whole` without any, `moved` when it has to be read from another place. */
export type LogEnd = 'grown' | 'whole' | 'moved'

type Pinned = ContainerRecord & PinnedRecord

/** Sends the log of one container in its order, one batch at a time. Each is noted on disk before it is sent. */
export class ContainerFollower {
  readonly #deps: DeliveryDeps
  readonly #source: FileSource
  #record: ContainerRecord
  /** The batch that was noted before and has to be sent first. */
  #pinned: Pinned | null
  #place: ContainerPlace
  /** The line of the place is not in the log any more. */
  #isLost = false
  #batch: ContainerBatch | null = null
  /** Lines were sent since the log was read from the place on. */
  #hasGrown = false
  /** The log ended before what is known to be in it. */
  #isShort = false

  constructor(deps: DeliveryDeps, source: FileSource, record: ContainerRecord) {
    this.#deps = deps
    this.#source = source
    this.#record = record
    this.#pinned = record.pin === null ? null : { ...record, pin: record.pin }
    this.#place = parseCursor(record).place
  }

  /**
   * Takes what the container wrote, and writes until it stops. Rejects as its log does, when that ends before what is known
   * to be in it, and when the agent stops.
   */
  async read(open: OpenOutput, decode: LineDecoder, signal: AbortSignal): Promise<LogEnd> {
    signal.throwIfAborted()
    const reading = new ContainerReading(this.#place, this.#isLost)
    const ended = new AbortController()
    this.#batch = null
    this.#hasGrown = false
    try {
      return await this.#takeAll(open(reading.since, AbortSignal.any([signal, ended.signal])), decode, reading, signal)
    } finally {
      ended.abort()
    }
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

  async #takeAll(
    output: AsyncIterable<Buffer>,
    decode: LineDecoder,
    reading: ContainerReading,
    signal: AbortSignal
  ): Promise<LogEnd> {
    const arrivals = new Arrivals(output)
    for (;;) {
      const found = await arrivals.next(this.#dueInMs(reading), signal)
      if (found !== 'late' && found.done === true) return this.#ended(reading)
      const goesOn = found === 'late' ? this.#silent(reading) : this.#take(decode(found.value), reading)
      if (!(await goesOn)) return 'moved'
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

  /** The container has stopped, or the daemon: what came is sent. */
  async #ended(reading: ContainerReading): Promise<LogEnd> {
    if (!reading.isFound || this.#pinned !== null) return this.#endedShort(this.#pinned, reading)
    if (!(await this.#flush())) return 'moved'
    return this.#hasGrown ? 'grown' : 'whole'
  }

  /** The first time it may be the daemon that ended; the second time it is the log. */
  async #endedShort(record: Pinned | null, { isFound }: ContainerReading): Promise<'moved'> {
    this.#isShort = !this.#isShort
    if (this.#isShort) throw new Error('the log ended before the line that was read last')
    if (!isFound || record === null) this.#lose()
    else await this.#giveUp(record)
    return 'moved'
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
    // Of a batch that was sent in halves, the first one is stored.
    if (pin.lines > 0 && read.place.at <= pin.from) return true
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
    const fingerprintAt = async (offset: number) => batch.fingerprintAt(offset)
    const deps = { ...this.#deps, fingerprintAt, noted: (part: PinnedRecord) => this.#noted(part, batch) }
    this.#pinned = record
    const anchor = lines.length === 0 ? record.anchor : batch.fingerprintAt(record.pin.to)
    const after = await deliverBatch(deps, { record, lines, source: this.#source, anchor })
    this.#pinned = null
    this.#hasGrown = true
    this.#isShort = false
    this.#record = { ...after, cursor: record.cursor, anchor: after.anchor.bytes === 0 ? NO_BYTES : after.anchor }
    // Not that of the batch: lines behind it are read again, and those that the service has are left out.
    const place = batch.placeAt(after.offset)
    if (place !== null) this.#moveTo(place)
    await this.#deps.journal.put(this.#record)
    return after.offset === record.pin.to
  }

  /** A batch that is too large is sent in halves: each has places of its own. */
  #noted(record: PinnedRecord, batch: ContainerBatch): ContainerRecord {
    const { cursor = this.#record.cursor, offset, pin } = record
    const { place, pinTo } = parseCursor({ ...record, cursor })
    return { ...record, cursor: cursorOf(batch.placeAt(offset) ?? place, batch.placeAt(pin.to) ?? pinTo) }
  }

  #moveTo(place: ContainerPlace): void {
    this.#place = place
    this.#isLost = false
    this.#record = { ...this.#record, cursor: cursorOf(place) }
  }
}
