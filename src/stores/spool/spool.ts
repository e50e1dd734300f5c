import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Batch } from '../../ports/append.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { Logger } from '../../ports/logger.js'
import type { WaitingRecords } from '../../ports/record-spool.js'
import type { WaitingCount } from '../../ports/waiting-board.js'
import { DiskRoom, storageFull } from '../disk/disk-room.js'
import { syncFolder } from '../disk/durable-files.js'
import { lockFolder } from '../disk/folder-lock.js'
import { QueueBudget } from '../shared/queue-budget.js'
import { SetAside } from '../disk/set-aside.js'
import type { SpoolLimits } from './limits.js'
import { SegmentFiles } from './segment-files.js'
import { type RecoveredSpool, recoverSpool } from './spool-recovery.js'
import { type SpoolSignal, toEntry } from './spool-frames.js'
import { SpoolQueue, type WaitingFrame } from './spool-queue.js'
import { SpoolSpace } from './spool-space.js'
import { bytesAlone, SpoolWriter } from './spool-writer.js'

const LOCK_FILE = 'lock'
const PRIVATE_MODE = 0o700
const LOCK_WAIT_MS = 10_000
/** Numbers of frames begin here with the clock: also a spool that was emptied never uses the name of a file again. */
const PURGE_TRIES = 3
const NUMBERS_PER_MS = 1_000
/** A refusal older than this says nothing of now: an engine that is back sends nothing here any more. */
const TROUBLE_LASTS_MS = 30_000
/** Name among the background jobs. */
const TIDY_JOB = 'spool_tidy'
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

/** How to open the spool. */
export interface SpoolParts {
  /** Folder that this process owns; made when missing. */
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: BackgroundJobs
  readonly limits: SpoolLimits
  readonly lockWaitMs?: number
}

/** Numbers of a spool at one moment. */
export interface SpoolNumbers {
  readonly fileBytes: number
  readonly waitingBytes: number
  readonly records: number
  readonly frames: number
  readonly files: number
  readonly namespaces: number
  readonly refused: number
  readonly setAside: number
  /** Unix milliseconds; null when nothing waits. */
  readonly oldestMs: number | null
}

interface Opened extends SpoolParts {
  readonly recovered: RecoveredSpool
  readonly setAside: SetAside
  readonly unlock: () => void
}

/** Batches on this disk, by namespace and signal in the order of their arrival. */
export class Spool {
  /** What was repaired at the start, as sentences. */
  readonly repairs: readonly string[]
  readonly #setAside: SetAside
  readonly #unlock: () => void
  readonly #files: SegmentFiles
  readonly #space: SpoolSpace
  readonly #writer: SpoolWriter
  readonly #budget: QueueBudget
  readonly #queues = new Map<string, SpoolQueue>()
  readonly #monotonicMs: () => number
  #failure = ''
  #failedMs = 0
  #isClosed = false

  private constructor({ folder, clock, logger, jobs, limits, recovered, setAside, unlock }: Opened) {
    this.repairs = recovered.repairs
    this.#monotonicMs = () => clock.monotonicMs()
    this.#setAside = setAside
    this.#unlock = unlock
    this.#files = new SegmentFiles({
      folder,
      segmentBytes: limits.segmentBytes,
      maxBytes: limits.maxBytes,
      found: recovered.segments,
      onTrouble: (what, error) => jobs.monitor(TIDY_JOB).failed(error, { what })
    })
    this.#space = new SpoolSpace({ bytes: limits.maxBytes, frames: limits.maxFrames }, () => this.#files.deadBytes)
    this.#budget = new QueueBudget(limits.maxQueuedBytes)
    for (const { facts, frame } of recovered.frames) {
      this.#files.hold(frame, facts.ns)
      this.#space.hold(facts.ns, frame.bytes)
      this.queue(facts.ns, facts.signal).push(frame)
    }
    const last = recovered.frames.at(-1)?.facts.number ?? 0
    const parts = {
      files: this.#files,
      space: this.#space,
      room: new DiskRoom(folder, limits.minFreeBytes, 1),
      nowMs: () => clock.nowMs(),
      maxWriteBytes: limits.maxWriteBytes,
      onState: (failure: unknown) => this.#noteState(failure, logger),
      tidy: () => jobs.run(TIDY_JOB, () => this.#tidy())
    }
    this.#writer = new SpoolWriter(parts, Math.max(last + 1, clock.nowMs() * NUMBERS_PER_MS))
  }

  /** Reads what an earlier start left. `conflict` when another process holds the folder, or its format is not known. */
  static async open(parts: SpoolParts): Promise<Spool> {
    const { folder, clock, logger } = parts
    if ((await mkdir(folder, { recursive: true, mode: PRIVATE_MODE })) !== undefined) await syncFolder(path.dirname(folder))
    const unlock = await lockFolder(path.join(folder, LOCK_FILE), parts.lockWaitMs ?? LOCK_WAIT_MS, clock)
    try {
      const setAside = await SetAside.open(folder)
      const recovered = await recoverSpool(folder, setAside)
      for (const repair of recovered.repairs) logger.error({}, repair)
      const spool = new Spool({ ...parts, recovered, setAside, unlock })
      spool.#writer.nudge()
      return spool
    } catch (error) {
      unlock()
      throw error
    }
  }

  /** The queue of a namespace and signal, made when there is none. */
  queue(ns: NamespaceId, signal: SpoolSignal): SpoolQueue {
    const key = `${signal} ${ns}`
    const found = this.#queues.get(key)
    if (found) return found
    const made = new SpoolQueue(ns, signal)
    this.#queues.set(key, made)
    return made
  }

  /** Whether a batch of the namespace and signal has to line up behind others. */
  isWaiting(ns: NamespaceId, signal: SpoolSignal): boolean {
    return this.#queues.get(`${signal} ${ns}`)?.isWaiting ?? false
  }

  /** Queues of these signals in which something waits. */
  waitingQueues(signals: ReadonlySet<SpoolSignal>): SpoolQueue[] {
    return [...this.#queues.values()].filter(queue => signals.has(queue.signal) && queue.length > 0)
  }

  /**
   * Resolves with its queue once the batch is on the disk. `overloaded` when the spool or the namespace's share of it is
   * full, `storage_full` when the disk is.
   */
  async append(ns: NamespaceId, signal: SpoolSignal, batch: Batch<unknown>): Promise<SpoolQueue> {
    if (this.#isClosed) throw new GatewayError('store_unavailable', 'the service is stopping', { retryAfterS: 5 })
    const entry = toEntry(batch)
    const queue = this.queue(ns, signal)
    const bytes = bytesAlone(queue, entry)
    this.#budget.take(ns, bytes)
    try {
      this.#take(ns, bytes)
      await this.#writer.write(queue, entry)
      return queue
    } catch (error) {
      throw asRefusal(error)
    } finally {
      this.#budget.give(ns, bytes)
      this.#forgetEmpty(queue)
    }
  }

  /** The bytes of a frame, header and all. */
  read({ segment, at, bytes }: WaitingFrame): Promise<Buffer> {
    return segment.read(at, bytes)
  }

  /** Takes the oldest frames away, since they need no replay any more. */
  async remove(queue: SpoolQueue, count: number): Promise<void> {
    const frames = queue.shift(count)
    for (const { bytes } of frames) this.#space.give(queue.ns, bytes, 1)
    this.#forgetEmpty(queue)
    await this.#files.release(frames)
    if (this.#files.isUntidy) this.#writer.nudge()
  }

  /**
   * Takes the bytes of a namespace whose queues are empty off the disk: files that have or had frames of it are written
   * again, what was set aside of it is removed. `store_unavailable` when that cannot be done now.
   */
  async purge(ns: NamespaceId): Promise<void> {
    await this.#setAside.removeNamed(`.${ns}.`)
    await this.#files.expel(ns)
    // The first tidying may have begun before.
    for (let i = 0; i < PURGE_TRIES && this.#files.expelled.length > 0; i++) {
      this.#writer.nudge()
      await this.#writer.idle()
    }
    if (this.#files.expelled.length === 0) return
    throw new GatewayError('store_unavailable', 'files of the spool still hold records of a deleted namespace', {
      retryAfterS: 60
    })
  }

  /** Keeps bytes that cannot be replayed; where that fails their file stays. */
  async keepAside(frame: WaitingFrame, name: string, bytes: Buffer): Promise<void> {
    try {
      await this.#setAside.keep(name, [bytes])
    } catch {
      // The caller logs why the frame cannot be replayed; nothing of it is lost.
      frame.segment.isHeld = true
    }
  }

  /** Resolves when what is being written is. */
  written(): Promise<void> {
    return this.#writer.idle()
  }

  /** What waits of all namespaces, in a fixed order. */
  waitingOfAll(): readonly WaitingCount[] {
    const waiting = [...this.#queues.values()].filter(({ length }) => length > 0)
    const counts = waiting.map(({ ns, signal, byDay }) => ({
      namespaceId: ns,
      signal,
      records: byDay.reduce((sum, { records }) => sum + records, 0)
    }))
    return counts.toSorted((a, b) => (`${a.signal} ${a.namespaceId}` < `${b.signal} ${b.namespaceId}` ? -1 : 1))
  }

  /** What waits of a namespace. */
  waiting(ns: NamespaceId): WaitingRecords[] {
    const own = [...this.#queues.values()].filter(queue => queue.ns === ns)
    return own.flatMap(({ signal, byDay }) => byDay.map(({ day, records }) => ({ day, signal, records })))
  }

  /** Why it took no records lately, in plain words; empty when it did, or when nobody asked it to. */
  get trouble(): string {
    return this.#monotonicMs() - this.#failedMs < TROUBLE_LASTS_MS ? this.#failure : ''
  }

  /** What was repaired or set aside, in plain words. */
  get notes(): string {
    return [...this.repairs, this.#setAside.detail].filter(text => text !== '').join('; ')
  }

  get numbers(): SpoolNumbers {
    let records = 0
    let oldestMs: number | null = null
    for (const { byDay, first } of this.#queues.values()) {
      for (const day of byDay) records += day.records
      if (first) oldestMs = Math.min(oldestMs ?? first.atMs, first.atMs)
    }
    return {
      fileBytes: this.#files.bytes,
      waitingBytes: this.#space.bytes,
      records,
      frames: this.#space.frames,
      files: this.#files.count,
      namespaces: this.#space.namespaces,
      refused: this.#space.refused,
      setAside: this.#setAside.count,
      oldestMs
    }
  }

  /** Ends what is being written and lets go of the files; what waits stays. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writer.idle()
    await this.#files.close()
    this.#unlock()
  }

  #take(ns: NamespaceId, bytes: number): void {
    try {
      this.#space.take(ns, bytes)
    } catch (error) {
      this.#fail((error as Error).message)
      throw error
    }
  }

  #forgetEmpty(queue: SpoolQueue): void {
    if (!queue.isWaiting) this.#queues.delete(`${queue.signal} ${queue.ns}`)
  }

  #noteState(failure: unknown, logger: Logger): void {
    const text = failure === null ? '' : asRefusal(failure).message
    if (text !== '' && text !== this.#failure) logger.error({ err: failure }, 'records cannot be spooled')
    this.#fail(text)
  }

  #fail(text: string): void {
    this.#failure = text
    this.#failedMs = this.#monotonicMs()
  }

  /** Between two writes: files in which nothing waits go, and one that is nearly empty is rewritten where room is scarce. */
  async #tidy(): Promise<void> {
    await this.#files.sweep()
    const { sparse, expelled } = this.#files
    const movable = new Set(sparse ? [sparse, ...expelled] : expelled)
    for (const segment of movable) await this.#files.move(segment, this.#queues.values(), this.#writer.takeNumber())
    if (movable.size > 0) await this.#files.sweep()
  }
}

/** What a caller is told of a write that failed: a full disk is no fault of the engine's. */
function asRefusal(error: unknown): GatewayError {
  if (isGatewayError(error)) return error
  if (DISK_FULL.has((error as NodeJS.ErrnoException).code ?? '') || String(error).includes('ENOSPC')) return storageFull()
  return new GatewayError('store_unavailable', 'the store does not answer, and the spool cannot be written', {
    retryAfterS: 5,
    cause: error
  })
}
