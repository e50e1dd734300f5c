import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Batch } from '../../ports/append.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { Logger } from '../../ports/logger.js'
import type { WaitingRecords } from '../../ports/record-spool.js'
import type { WaitingCount } from '../../ports/waiting-board.js'
import { DiskRoom } from '../disk/disk-room.js'
import { syncFolder } from '../disk/durable-files.js'
import { lockFolder } from '../disk/folder-lock.js'
import { QueueBudget } from '../shared/queue-budget.js'
import { SetAside } from '../disk/set-aside.js'
import type { SpoolLimits } from './limits.js'
import { SpoolSegmentFiles } from './segment-files.js'
import { type RecoveredSpool, recoverSpool } from './spool-recovery.js'
import { type SpoolSignal, toEntry } from './spool-frames.js'
import type { SpoolQueue, WaitingFrame } from './spool-queue.js'
import { SpoolQueues } from './spool-queues.js'
import { SpoolSpace } from './spool-space.js'
import { spoolRefusal, SpoolTrouble } from './spool-trouble.js'
import { bytesAlone, SpoolWriter } from './spool-writer.js'

const LOCK_FILE = 'lock'
const PRIVATE_MODE = 0o700
const LOCK_WAIT_MS = 10_000
const PURGE_TRIES = 3
/** Frame numbers start from the clock, so that a spool that was emptied never reuses a file name. */
const NUMBERS_PER_MS = 1_000
/** Name among the background jobs. */
const TIDY_JOB = 'spool_tidy'

/** How to open the spool. */
export interface SpoolDeps {
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

interface OpenedSpoolDeps extends SpoolDeps {
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
  readonly #files: SpoolSegmentFiles
  readonly #space: SpoolSpace
  readonly #writer: SpoolWriter
  readonly #budget: QueueBudget
  readonly #queues = new SpoolQueues()
  readonly #trouble: SpoolTrouble
  #isClosed = false

  private constructor({ folder, clock, logger, jobs, limits, recovered, setAside, unlock }: OpenedSpoolDeps) {
    this.repairs = recovered.repairs
    this.#trouble = new SpoolTrouble(clock, logger)
    this.#setAside = setAside
    this.#unlock = unlock
    this.#files = new SpoolSegmentFiles({
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
      onState: (failure: unknown) => this.#trouble.wrote(failure),
      tidy: () => jobs.run(TIDY_JOB, () => this.#tidy())
    }
    this.#writer = new SpoolWriter(parts, Math.max(last + 1, clock.nowMs() * NUMBERS_PER_MS))
  }

  /** Reads what an earlier start left. `conflict` when another process holds the folder, or its format is not known. */
  static async open(parts: SpoolDeps): Promise<Spool> {
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

  /** The queue of a namespace and signal, created on first use. */
  queue(ns: NamespaceId, signal: SpoolSignal): SpoolQueue {
    return this.#queues.of(ns, signal)
  }

  /** Whether a new batch of the namespace and signal has to queue behind others. */
  isWaiting(ns: NamespaceId, signal: SpoolSignal): boolean {
    return this.#queues.isWaiting(ns, signal)
  }

  /** Non-empty queues of these signals. */
  waitingQueues(signals: ReadonlySet<SpoolSignal>): SpoolQueue[] {
    return this.#queues.waitingOf(signals)
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
      throw spoolRefusal(error)
    } finally {
      this.#budget.give(ns, bytes)
      this.#queues.dropIfIdle(queue)
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
    this.#queues.dropIfIdle(queue)
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
    throw new GatewayError('store_unavailable', 'files of the spool still contain records of a deleted namespace', {
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

  /** Waiting records of all namespaces, sorted by signal and namespace. */
  waitingOfAll(): readonly WaitingCount[] {
    return this.#queues.counts()
  }

  /** Waiting records of a namespace, by signal and day of arrival. */
  waiting(ns: NamespaceId): WaitingRecords[] {
    return this.#queues.countsOf(ns)
  }

  /** Why it rejected records within the last 30 s, as a sentence; empty when it did not. */
  get trouble(): string {
    return this.#trouble.text
  }

  /** What was repaired or set aside, in plain words. */
  get notes(): string {
    return [...this.repairs, this.#setAside.detail].filter(text => text !== '').join('; ')
  }

  get numbers(): SpoolNumbers {
    return {
      fileBytes: this.#files.bytes,
      waitingBytes: this.#space.bytes,
      ...this.#queues.totals,
      frames: this.#space.frames,
      files: this.#files.count,
      namespaces: this.#space.namespaces,
      refused: this.#space.refused,
      setAside: this.#setAside.count
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
      this.#trouble.full((error as Error).message)
      throw error
    }
  }

  /** Between two writes: files in which nothing waits go, and one that is nearly empty is rewritten where room is scarce. */
  async #tidy(): Promise<void> {
    await this.#files.sweep()
    const { sparse, expelled } = this.#files
    const movable = new Set(sparse ? [sparse, ...expelled] : expelled)
    for (const segment of movable) await this.#files.move(segment, this.#queues.all(), this.#writer.takeNumber())
    if (movable.size > 0) await this.#files.sweep()
  }
}
