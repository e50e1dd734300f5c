import { Arrivals } from '../arrivals.js'
import type { FileSource } from '../config/config.js'
import { deliverBatch, pinned, type PinnedBatch } from '../deliver/deliver-batch.js'
import type { DeliveryDeps } from '../deliver/delivery-deps.js'
import type { Gap, Pin } from '../files/stream-record.js'
import { LIMITS } from '../limits.js'
import { gapBetween, JournalBatch, repeatedPin } from './journal-batch.js'
import { cursorOf, type JournalEntry } from './journal-entry.js'
import { type JournalRecord, journalRecords, newJournalRecord } from './journal-streams.js'
import { NO_BYTES } from '../files/line-reader.js'
import type { JournalChunk } from './read-journal.js'

/** Dependencies of `JournalFollower`. */
export interface JournalFollowerDeps extends DeliveryDeps {
  /** Of the source, and the path of its streams. */
  readonly name: string
}

const PREFIX = 'journal-'
const idOf = ({ sequence }: JournalEntry): string => PREFIX + sequence

type Pinned = JournalRecord & { readonly pin: Pin }

const isPinned = (record: JournalRecord): record is Pinned => record.pin !== null

/**
 * Sends the entries of the system journal in its order, one batch at a time. A batch has entries of one numbering; a hole
 * in a numbering is a gap.
 */
export class JournalFollower {
  readonly #deps: JournalFollowerDeps
  readonly #source: FileSource
  readonly #records = new Map<string, JournalRecord>()
  #batch: JournalBatch | null = null
  /** The batch that was noted before and has to be sent first. */
  #pinned: Pinned | null
  #cursor: string
  #hasUnreadable = false

  constructor(deps: JournalFollowerDeps) {
    this.#deps = deps
    const { name } = deps
    this.#source = {
      ...{ path: name, service: null, format: 'journald', startAt: 'end', exclude: [], level: null, tags: {}, multiline: null }
    }
    const known = journalRecords(deps.journal, name).toSorted((a, b) => a.sealedAtMs - b.sealedAtMs)
    for (const record of known) this.#records.set(record.id, record)
    this.#pinned = known.find(isPinned) ?? null
    this.#cursor = (this.#pinned ?? known.at(-1))?.cursor ?? ''
  }

  /** From where the journal is to be read. */
  get cursor(): string {
    return this.#cursor
  }

  /** Takes entries until they end or have to be read again from `cursor`; rejects as they do and when the agent stops. */
  async follow(chunks: AsyncIterable<JournalChunk>, signal: AbortSignal): Promise<void> {
    this.#batch = null
    this.#hasUnreadable = false
    const arrivals = new Arrivals(chunks)
    for (;;) {
      const found = await arrivals.next(this.#dueInMs(), signal)
      if (found !== 'late' && found.done === true) return
      if (!(await (found === 'late' ? this.#flush() : this.#take(found.value)))) return
    }
  }

  /** Null: nothing waits. */
  #dueInMs(): number | null {
    if (this.#batch === null || this.#pinned !== null) return null
    const { batchSize, intervalMs } = this.#deps.config.logs
    if (this.#batch.entries.length >= batchSize) return 0
    return Math.max(0, this.#batch.beganMs + intervalMs - this.#deps.clock.elapsedMs())
  }

  /** False when entries have to be read again. */
  async #take(chunk: JournalChunk): Promise<boolean> {
    for (const entry of chunk) {
      if (entry === null) this.#hasUnreadable = true
      else if (!(await this.#add(entry))) return false
    }
    return true
  }

  async #add(entry: JournalEntry): Promise<boolean> {
    if (this.#pinned !== null && !(await this.#addPinned(this.#pinned, entry))) return false
    // What is collected for a pinned batch is not added to another one.
    if (this.#pinned !== null || this.#isStored(entry)) return true
    if (this.#batch !== null && !this.#goesOn(this.#batch, entry) && !(await this.#flush())) return false
    if (this.#batch === null) {
      const place = { ...entry, number: entry.number - 1 }
      const record = this.#records.get(idOf(entry)) ?? newJournalRecord(this.#deps.name, place, this.#cursor)
      this.#batch = new JournalBatch(record, this.#gapBefore(record, entry), this.#deps.clock.elapsedMs())
    }
    this.#batch.add(entry)
    this.#hasUnreadable = false
    return true
  }

  #isStored(entry: JournalEntry): boolean {
    const record = this.#records.get(idOf(entry))
    return record !== undefined && entry.number <= record.offset
  }

  #goesOn({ record, entries, bytes, to }: JournalBatch, entry: JournalEntry): boolean {
    const isFull = entries.length >= this.#deps.config.logs.maxBatchSize || bytes >= LIMITS.batchBytes
    return !isFull && record.id === idOf(entry) && entry.number === to + 1
  }

  #gapBefore(record: JournalRecord, entry: JournalEntry): Gap | null {
    // Several numberings can share their numbers: entries of users are in files of their own.
    const isAlone = [...this.#records.values()].every(({ id, offset }) => id === record.id || offset < record.offset)
    return gapBetween(record, entry, isAlone, this.#hasUnreadable ? 'unreadable' : 'journal_vacuumed')
  }

  /** Collects what is left of the pinned batch, and sends it when no more can come. False when entries have to be read again. */
  async #addPinned(record: Pinned, entry: JournalEntry): Promise<boolean> {
    const { pin } = record
    this.#batch ??= new JournalBatch({ ...record, offset: pin.from }, null, 0)
    const isOfBatch = idOf(entry) === record.id && entry.number <= pin.to
    if (isOfBatch && entry.number > pin.from) this.#batch.add(entry)
    const isBefore = isOfBatch ? entry.number < pin.to : this.#isStored(entry)
    return isBefore || this.#sendPinned(record, this.#batch)
  }

  async #sendPinned(record: Pinned, batch: JournalBatch): Promise<boolean> {
    this.#pinned = null
    this.#batch = null
    const { pin } = record
    const first = batch.entries[0]
    const from = first === undefined ? pin.to : batch.entries.length === pin.lines ? pin.from : first.number - 1
    const lines = from === pin.from ? batch.lines : batch.lines.map((line, i) => (i === 0 ? { ...line, bytes: 1 } : line))
    return this.#send({ ...record, pin: repeatedPin(pin, lines, from) }, lines, batch.entries.at(-1))
  }

  async #flush(): Promise<boolean> {
    const batch = this.#batch
    if (batch === null) return true
    this.#batch = null
    const record = pinned({ ...batch.record, cursor: this.#cursor }, batch.pin(), this.#deps.clock.nowMs())
    return this.#send(record as Pinned, batch.lines, batch.entries.at(-1))
  }

  /** False when the service is at another place than behind the batch. */
  async #send(record: Pinned, lines: PinnedBatch['lines'], last: JournalEntry | undefined): Promise<boolean> {
    const deps = { ...this.#deps, fingerprintAt: async () => NO_BYTES }
    try {
      const after = await deliverBatch(deps, { record, lines, source: this.#source, anchor: NO_BYTES })
      const isBehind = after.offset === record.pin.to
      const place = { sequence: record.id.slice(PREFIX.length), number: after.offset }
      this.#cursor = isBehind && last !== undefined ? last.cursor : cursorOf(place)
      const known = { ...after, cursor: this.#cursor }
      this.#records.set(known.id, known)
      await this.#deps.journal.put(known)
      return isBehind
    } catch (error) {
      // It is noted, and sent first when the journal is read again.
      this.#pinned = record
      this.#cursor = record.cursor
      throw error
    }
  }
}
