import { unreachable } from '../../domain/errors.js'
import type { IngestId, NamespaceId } from '../../domain/ids.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import { frameBody } from '../disk/checked-frames.js'
import type { AppendAttempt } from './attempt.js'
import type { SpoolLimits } from './limits.js'
import type { Spool } from './spool.js'
import { decodeBatches, isSpoolFrame, toEntry } from './spool-frames.js'
import { dayOf, type SpoolQueue, type WaitingFrame } from './spool-queue.js'

/** How records of one signal are sent again. */
export interface ReplaySignal {
  append(ns: NamespaceId, batch: Batch<unknown>): Promise<AppendResult>
  /** Batches go out one after another, as one where possible: the later of two records with one identity must win. */
  readonly isOrdered: boolean
}

/** What keeps a group from being done. */
export interface Obstacle {
  readonly error: unknown
  /** The engine did not respond at all. */
  readonly isSilent: boolean
  /** Results after their timeout that have not arrived yet. */
  readonly late: readonly Promise<unknown>[]
}

/** What a group works with. */
export interface ReplayGroupDeps {
  readonly spool: Spool
  readonly queue: SpoolQueue
  readonly limits: Pick<SpoolLimits, 'replayRecords' | 'replayBytes' | 'maxFaults'>
  readonly isOrdered: boolean
  readonly append: (batch: Batch<unknown>) => Promise<AppendAttempt>
  /** Called for what is lost to the engine for good. */
  readonly onTrouble: (message: string, error: unknown) => void
}

type Batches = readonly Batch<unknown>[]

/**
 * The oldest frames of a queue, all of one day, that are replayed together. What of it is done stays done over attempts;
 * between them it holds ids and no records.
 */
export class ReplayGroup {
  readonly frames: readonly WaitingFrame[]
  stored = 0
  rejected = 0
  readonly #parts: ReplayGroupDeps
  readonly #done = new Set<IngestId>()
  readonly #faults = new Map<IngestId, number>()
  readonly #damaged = new Set<WaitingFrame>()
  #isSplit = false
  #isRequested = false

  constructor(parts: ReplayGroupDeps) {
    const { queue, limits } = parts
    const frames = queue.front(limits.replayRecords, limits.replayBytes)
    const day = dayOf(frames[0]!.atMs)
    const other = frames.findIndex(({ atMs }) => dayOf(atMs) !== day)
    this.frames = other === -1 ? frames : frames.slice(0, other)
    this.#parts = parts
  }

  /** Whether any of it was sent to the engine. */
  get isRequested(): boolean {
    return this.#isRequested
  }

  /** Whether something of it is done or known to be at fault; if not, a new group may as well take its place. */
  get isBegun(): boolean {
    return this.#isSplit || this.#done.size + this.#faults.size + this.#damaged.size > 0
  }

  /** Sends what is left, after a failure the first of it alone. Returns null when all is done, else what is in the way. */
  async send(hasFailed: boolean): Promise<Obstacle | null> {
    const sendings = this.#toSendings(await this.#readLeft())
    const first = this.#parts.isOrdered ? sendings.length : hasFailed ? 1 : 0
    const obstacles = await this.#inSlices(sendings.slice(0, first))
    if (obstacles.length === 0) obstacles.push(...(await this.#atOnce(sendings.slice(first))))
    if (obstacles.length === 0) return null
    return {
      error: obstacles[0]!.error,
      isSilent: obstacles.some(({ isSilent }) => isSilent),
      late: obstacles.flatMap(({ late }) => late)
    }
  }

  async #atOnce(sendings: readonly Batches[]): Promise<Obstacle[]> {
    const ends = await Promise.all(sendings.map(batches => this.#sendOne(batches)))
    return ends.filter(end => end !== null)
  }

  async #inSlices(sendings: readonly Batches[]): Promise<Obstacle[]> {
    for (const batches of sendings) {
      const obstacle = await this.#sendOne(batches)
      if (obstacle) return [obstacle]
    }
    return []
  }

  #toSendings(batches: Batches): readonly Batches[] {
    if (batches.length === 0) return []
    return this.#parts.isOrdered && !this.#isSplit ? [batches] : batches.map(batch => [batch])
  }

  async #readLeft(): Promise<Batches> {
    const { spool } = this.#parts
    const contents = await Promise.all(this.frames.map(frame => spool.read(frame)))
    const batches: Batch<unknown>[] = []
    for (const [i, frame] of this.frames.entries()) batches.push(...(await this.#decode(frame, contents[i]!)))
    return batches.filter(({ ingestId }) => !this.#done.has(ingestId))
  }

  async #sendOne(batches: Batches): Promise<Obstacle | null> {
    this.#isRequested = true
    const end = await this.#parts.append(joined(batches))
    switch (end.kind) {
      case 'stored':
        // Also what an earlier attempt stored, whose result never came.
        this.#end(batches, end.result.accepted + end.result.deduplicated, end.result.failures.length)
        return null
      case 'deleted':
        this.#end(batches, 0, countOf(batches))
        return null
      case 'outage':
        return { error: end.error, isSilent: end.isSilent, late: end.late === null ? [] : [end.late] }
      case 'fault':
        return this.#fault(batches, end.error)
      default:
        return unreachable(end)
    }
  }

  #end(batches: Batches, stored: number, rejected: number): void {
    for (const { ingestId } of batches) this.#done.add(ingestId)
    this.stored += stored
    this.rejected += rejected
  }

  async #fault(batches: Batches, error: unknown): Promise<Obstacle | null> {
    const obstacle = { error, isSilent: false, late: [] }
    if (batches.length > 1) {
      // One of them may be at fault.
      this.#isSplit = true
      return obstacle
    }
    const { queue, limits, spool, onTrouble } = this.#parts
    const batch = batches[0]!
    const faults = (this.#faults.get(batch.ingestId) ?? 0) + 1
    this.#faults.set(batch.ingestId, faults)
    if (faults < limits.maxFaults) return obstacle
    await spool.keepAside(this.frames[0]!, `${queue.signal}.${queue.ns}.${batch.ingestId}`, toEntry(batch).payload)
    this.#end(batches, 0, countOf(batches))
    onTrouble('records that the store rejects repeatedly were set aside', error)
    return null
  }

  async #decode(frame: WaitingFrame, content: Buffer): Promise<Batches> {
    if (this.#damaged.has(frame)) return []
    const { spool, onTrouble } = this.#parts
    try {
      const body = frameBody(content, 0, isSpoolFrame)
      if (body) return decodeBatches(body)
      throw new Error('its checksum is wrong')
    } catch (error) {
      await spool.keepAside(frame, `${frame.segment.name}.${frame.at}`, content)
      this.#damaged.add(frame)
      this.rejected += frame.records
      onTrouble('an unreadable frame of the spool was set aside', error)
      return []
    }
  }
}

function countOf(batches: Batches): number {
  return batches.reduce((sum, { items }) => sum + items.length, 0)
}

/** Several batches as one, its items numbered again. */
function joined(batches: Batches): Batch<unknown> {
  const first = batches[0]!
  if (batches.length === 1) return first
  const items = batches.flatMap(batch => batch.items).map((item, index) => ({ ...(item as object), index }))
  return { ingestId: first.ingestId, items }
}
