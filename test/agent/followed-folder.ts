import { readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentConfig, FileSource } from '../../agent/src/config/config.js'
import type { SealedBatch } from '../../agent/src/deliver/batch-body.js'
import type { Delivery } from '../../agent/src/deliver/deliverer.js'
import { FaultLog } from '../../agent/src/fault-log.js'
import { BufferedLines } from '../../agent/src/files/buffered-lines.js'
import { FirstLook, sizesNow } from '../../agent/src/files/first-look.js'
import { Follower } from '../../agent/src/files/follower.js'
import type { Line } from '../../agent/src/files/line-splitter.js'
import { Source } from '../../agent/src/files/source.js'
import type { Gap, Pin, Recovered } from '../../agent/src/files/stream-record.js'
import { Journal } from '../../agent/src/journal/journal.js'
import { LIMITS } from '../../agent/src/limits.js'
import type { LedgerStream } from '../../agent/src/recover/ledger-streams.js'
import { recoverStreams } from '../../agent/src/recover/recover-streams.js'

/** What the service has of one stream. */
interface StoredStream {
  readonly lines: string[]
  readonly gaps: Gap[]
  end: Pin['end']
  nextSeq: number
  bytesTo: number
  lineTo: number
  readonly path: string
  head: string
  anchor: string
  readonly firstAtMs: number
  lastAtMs: number
  /** A first batch whose records are stored without being in the ledger, and how many these are. */
  pending: LedgerStream['pending']
  unrecorded: number
}

const ROTATE_WAIT_MS = 5_000

/** An agent over a real folder, with a clock that tests move and a service in memory that stores each batch once. */
export class FollowedFolder {
  readonly folder: string
  readonly stored = new Map<string, StoredStream>()
  /** Lines of each batch that was stored, in the order of arrival. */
  readonly batches: (readonly Line[])[] = []
  nowMs = Date.now()
  /** The next batches are stored, and their response is lost. */
  losesResponses = false
  /** The service ends between storing the next batches and writing them into its ledger. */
  losesLedger = false
  /** Resolves when the service responds again; null while it does. */
  outage: Promise<void> | null = null
  /** What the clock of the host is ahead. */
  wallAheadMs = 0
  /** Lines of a batch that the service takes. */
  maxLines = Number.POSITIVE_INFINITY
  /** Bytes of lines in memory at which streams wait. */
  bufferedBytes: number = LIMITS.bufferedBytes
  /** Most bytes of lines that were in memory. */
  peakBytes = 0
  /** Fields of what was reported of files that cannot be read. */
  readonly faults: Readonly<Record<string, unknown>>[] = []
  /** Batches that were sent before the journal was synced. */
  sentUnsynced = 0
  readonly #unsynced = new Set<string>()
  #source: FileSource
  /** Further entries of the configuration. */
  readonly #others: FileSource[] = []
  #follower: Follower | null = null
  #journal: Journal | null = null

  constructor(folder: string, source: Partial<FileSource> = {}) {
    this.folder = folder
    const defaults = {
      service: null,
      format: 'plain',
      startAt: 'beginning',
      exclude: [],
      level: null,
      tags: {},
      multiline: null
    } as const
    this.#source = { path: this.path('a.log'), ...defaults, ...source }
  }

  /** Changes the configuration for the next start. */
  configure(source: Partial<FileSource>): void {
    this.#source = { ...this.#source, ...source }
  }

  /** Adds an entry to the configuration for the next start. */
  alsoFollow(source: Partial<FileSource>): void {
    this.#others.push({ ...this.#source, ...source })
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** Sets the last write of a file, to the clock of the agent when no time is given. */
  async touch(path: string, atMs = this.nowMs): Promise<void> {
    await utimes(path, atMs / 1_000, atMs / 1_000)
  }

  /** Up to when the journal knows all files, Unix milliseconds. */
  async lookedAtMs(): Promise<number> {
    const entries = (await readFile(this.path('state/journal'), 'utf8')).split('\n')
    const noted = entries.findLast(entry => entry.includes('"lookedAtMs":'))!
    return (JSON.parse(noted.slice(17)) as { lookedAtMs: number }).lookedAtMs
  }

  /** Starts the agent, as after a crash when it ran before. */
  async start(ledger: readonly LedgerStream[] = []): Promise<void> {
    await this.begin(ledger)
    await this.settle()
  }

  /** Sizes of the files, as an agent notes them that waits for the service. */
  sizes(): Promise<ReadonlyMap<string, number>> {
    return sizesNow([new Source(this.#source)])
  }

  /** Starts the agent, which has not looked at its files yet. @param sizes before it waited. */
  async begin(ledger: readonly LedgerStream[] = [], sizes: ReadonlyMap<string, number> | null = null): Promise<void> {
    this.#journal = await Journal.open(this.path('state'))
    this.#watchSyncs(this.#journal)
    const files = [this.#source, ...this.#others]
    const known = { streams: ledger, sinceMs: this.nowMs - LIMITS.endedMs }
    const recovered = await recoverStreams(this.#journal, files, known, () => undefined)
    const logs = { enabled: true, batchSize: 3, maxBatchSize: 10, intervalMs: 0, rotateWaitMs: ROTATE_WAIT_MS, pollMs: 1 }
    const config = { logs: { ...logs, files } } as unknown as AgentConfig
    const clock = { nowMs: () => this.nowMs + this.wallAheadMs, elapsedMs: () => this.nowMs }
    const log = (): void => undefined
    this.#follower = new Follower(
      {
        config,
        journal: this.#journal,
        clock,
        buffered: this.#buffered(),
        deliver: async batch => {
          await this.outage
          return this.#store(batch)
        },
        wake: () => undefined,
        log,
        faults: new FaultLog((event, fields) => void (event.endsWith(' not readable') && this.faults.push(fields)), clock)
      },
      this.path('state'),
      files,
      new FirstLook(sizes, recovered)
    )
    await this.#follower.resume()
  }

  /** Lets the agent look at its files, and read nothing. */
  async look(): Promise<void> {
    await this.#follower!.look()
  }

  /** Sets the clock behind the wait for rotated files; nothing is done meanwhile. */
  skipWait(): void {
    this.nowMs += ROTATE_WAIT_MS
  }

  /** Lets the agent look at its files once and do what is to be done at once; what it sends may be in flight after that. */
  async round(): Promise<void> {
    await this.#follower!.look()
    while (await this.#follower!.step()) continue
    await new Promise(resolve => setImmediate(resolve))
  }

  /** Ends it as a crash does, and starts it without its state folder: it takes its streams from the service. */
  async loseState(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.crash()
    await rm(this.path('state'), { recursive: true })
    await meanwhile()
    await this.start(this.ledger)
  }

  /** What the service knows of the streams. */
  get ledger(): readonly LedgerStream[] {
    return [...this.stored].map(([id, { path, nextSeq, bytesTo, lineTo, head, anchor, pending, end, firstAtMs, lastAtMs }]) => {
      const place = { nextSeq, bytesTo, lineTo, head, anchor: anchor === '' ? null : anchor, pending }
      return { id, path, ...place, isEnded: end !== null, firstAtMs, lastAtMs, sealedAtMs: 0, recovered: null }
    })
  }

  /** Ends it as a crash does: nothing is finished, and what was noted is there. */
  async crash(): Promise<void> {
    await this.#follower!.close()
    await this.#journal!.close()
    this.#follower = null
  }

  #buffered(): BufferedLines {
    const buffered = new BufferedLines(this.bufferedBytes)
    const change = buffered.change.bind(buffered)
    let bytes = 0
    buffered.change = (from, to) => {
      change(from, to)
      bytes += to - from
      this.peakBytes = Math.max(this.peakBytes, bytes)
    }
    return buffered
  }

  /** Lets the agent do all that there is to do at this time. */
  async settle(): Promise<void> {
    for (let round = 0; round < 12; round++) {
      await this.#follower!.look()
      while (await this.#follower!.step()) continue
      if (this.outage === null) await this.#follower!.idle()
      else await new Promise(resolve => setImmediate(resolve))
    }
  }

  /** Lets time pass in which a rotation comes to rest. */
  async pass(times = 3): Promise<void> {
    for (let i = 0; i < times; i++) {
      this.nowMs += ROTATE_WAIT_MS
      await this.settle()
    }
  }

  /** All lines that the service has, by stream in the order of their first batch. */
  get lines(): readonly (readonly string[])[] {
    return [...this.stored.values()].map(({ lines }) => lines).filter(lines => lines.length > 0)
  }

  /** The same of all streams, sorted. */
  get found(): readonly string[] {
    return this.lines.flat().toSorted()
  }

  get gaps(): readonly Gap[] {
    return [...this.stored.values()].flatMap(({ gaps }) => gaps)
  }

  get ends(): readonly Pin['end'][] {
    return [...this.stored.values()].map(({ end }) => end)
  }

  /** A batch that is sent before it is on disk is not sent again after a power cut. */
  #watchSyncs(journal: Journal): void {
    const [put, sync] = [journal.put.bind(journal), journal.sync.bind(journal)]
    journal.put = async record => {
      this.#unsynced.add(JSON.stringify(record))
      await put(record)
    }
    journal.sync = async () => {
      const noted = [...this.#unsynced]
      await sync()
      for (const one of noted) this.#unsynced.delete(one)
    }
  }

  #store({ record, pin, lines, anchor }: SealedBatch): Delivery {
    if (this.#unsynced.has(JSON.stringify(record))) this.sentUnsynced++
    if (lines.length > this.maxLines) return { kind: 'too_large' }
    const none: StoredStream = {
      ...{ lines: [], gaps: [], end: null, pending: null, unrecorded: 0 },
      nextSeq: pin.seq,
      bytesTo: pin.gap?.from ?? pin.from,
      lineTo: pin.firstLine - 1,
      ...{ path: record.path, head: '', anchor: '', firstAtMs: this.nowMs, lastAtMs: this.nowMs }
    }
    const stream = this.stored.get(record.id) ?? none
    this.stored.set(record.id, stream)
    let recovered: Recovered | undefined
    if (pin.seq === stream.nextSeq) {
      if ((pin.gap?.from ?? pin.from) !== stream.bytesTo) throw new Error(`batch ${pin.seq} does not continue its stream`)
      const before = Math.max(0, stream.unrecorded - (record.recovered?.records ?? stream.unrecorded))
      stream.lines.push(...lines.slice(before).map(({ text, isPartial }) => (isPartial ? `${text}…` : text)))
      if (this.losesLedger) {
        stream.pending ??= { to: pin.to, anchor: anchor.sum }
        stream.unrecorded = Math.max(before, lines.length)
        throw new Error('the service ended')
      }
      ;[recovered, stream.pending] = [nextRecovered(record.recovered, lines.length, stream.unrecorded), null]
      if (lines.length > 0) this.batches.push(lines)
      if (pin.gap) stream.gaps.push(pin.gap)
      stream.end = pin.end
      stream.nextSeq++
      stream.bytesTo = pin.to
      stream.lineTo = pin.firstLine + pin.lines - 1
      stream.lastAtMs = this.nowMs
      if (record.head.bytes > 0) stream.head = record.head.sum
      if (anchor.bytes > 0) stream.anchor = anchor.sum
    }
    if (this.losesResponses) throw new Error('no response')
    const { nextSeq, bytesTo, lineTo } = stream
    return { kind: 'stored', position: { nextSeq, bytesTo, lineTo, ...(recovered && { recovered }) }, rejected: 0 }
  }
}

/** What the next batch is compared with, when more is stored of the batch that followed than was sent again. */
function nextRecovered(before: Recovered | undefined, sent: number, stored: number): Recovered | undefined {
  if (before === undefined || stored <= before.records + sent) return undefined
  return { seq: before.seq, records: before.records + sent }
}
