import type { NamespaceId } from '../../domain/ids.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import { frameBody } from '../checked-frames.js'
import type { Attempt } from './attempt.js'
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

/** Batches that go out together, and how often that failed with an error of no known kind. */
interface Sending {
  readonly batches: readonly Batch<unknown>[]
  faults: number
}

/** What keeps a group from being done. */
export interface Obstacle {
  readonly error: unknown
  /** The engine did not answer at all. */
  readonly isSilent: boolean
  /** Answers that came too late and are still to come. */
  readonly late: readonly Promise<unknown>[]
}

/** What a group reports to while it runs. */
export interface GroupParts {
  readonly spool: Spool
  readonly queue: SpoolQueue
  readonly limits: Pick<SpoolLimits, 'replayRecords' | 'replayBytes' | 'maxFaults'>
  /** Told of what is lost to the engine for good. */
  readonly onTrouble: (message: string, error: unknown) => void
}

/** The oldest frames of a queue, all of one day, that are replayed together. What of it is done stays done over attempts. */
export class ReplayGroup {
  readonly frames: readonly WaitingFrame[]
  stored = 0
  rejected = 0
  readonly #parts: GroupParts
  #left: Sending[] = []
  #isAsked = false

  private constructor(parts: GroupParts) {
    const { queue, limits } = parts
    const frames = queue.front(limits.replayRecords, limits.replayBytes)
    const day = dayOf(frames[0]!.atMs)
    const other = frames.findIndex(({ atMs }) => dayOf(atMs) !== day)
    this.frames = other === -1 ? frames : frames.slice(0, other)
    this.#parts = parts
  }

  /** Reads the oldest frames. One that is damaged on the disk is set aside and counts as rejected. */
  static async read(parts: GroupParts, isOrdered: boolean): Promise<ReplayGroup> {
    const group = new ReplayGroup(parts)
    const contents = await Promise.all(group.frames.map(frame => parts.spool.read(frame)))
    const batches: Batch<unknown>[] = []
    for (const [i, frame] of group.frames.entries()) batches.push(...(await group.#decode(frame, contents[i]!)))
    group.#left = (isOrdered ? [batches] : batches.map(batch => [batch]))
      .filter(({ length }) => length > 0)
      .map(together => ({ batches: together, faults: 0 }))
    return group
  }

  /** Whether the engine was asked since this was last read. */
  takeAsked(): boolean {
    const isAsked = this.#isAsked
    this.#isAsked = false
    return isAsked
  }

  /** Sends what is left. Answers null when all is done, else what stands in the way. */
  async send(isOrdered: boolean, ask: (batch: Batch<unknown>) => Promise<Attempt>): Promise<Obstacle | null> {
    const ends: Attempt[] = []
    const sendings = this.#left
    this.#left = []
    const sendOne = async (sending: Sending): Promise<boolean> => {
      this.#isAsked = true
      const end = await ask(joined(sending.batches))
      ends.push(end)
      return this.#take(sending, end)
    }
    if (isOrdered) await this.#inTurn(sendings, sendOne)
    else await Promise.all(sendings.map(sendOne))
    return this.#left.length === 0 ? null : obstacle(ends)
  }

  async #inTurn(sendings: readonly Sending[], sendOne: (sending: Sending) => Promise<boolean>): Promise<void> {
    for (const [i, sending] of sendings.entries()) {
      if (await sendOne(sending)) continue
      this.#left.push(...sendings.slice(i + 1))
      return
    }
  }

  /** Counts the end of one append; false when it has to be sent again. */
  async #take(sending: Sending, end: Attempt): Promise<boolean> {
    switch (end.kind) {
      case 'stored':
        // Also what an earlier attempt stored, whose answer never came.
        this.stored += end.result.accepted + end.result.deduplicated
        this.rejected += end.result.failures.length
        return true
      case 'deleted':
        this.rejected += countOf(sending)
        return true
      case 'outage':
        this.#left.push(sending)
        return false
      case 'fault':
        return this.#fault(sending, end.error)
    }
  }

  async #fault(sending: Sending, error: unknown): Promise<boolean> {
    const { queue, limits, spool, onTrouble } = this.#parts
    if (sending.batches.length > 1) {
      // One of them may be at fault.
      this.#left.push(...sending.batches.map(batch => ({ batches: [batch], faults: 0 })))
      return false
    }
    sending.faults++
    if (sending.faults < limits.maxFaults) {
      this.#left.push(sending)
      return false
    }
    const [batch] = sending.batches
    const { payload } = toEntry(batch!)
    await spool.keepAside(this.frames[0]!, `${queue.signal}.${queue.ns}.${batch!.ingestId}`, payload)
    this.rejected += countOf(sending)
    onTrouble('records that the store fails on were set aside', error)
    return true
  }

  async #decode(frame: WaitingFrame, content: Buffer): Promise<Batch<unknown>[]> {
    const { spool, onTrouble } = this.#parts
    try {
      const body = frameBody(content, 0, isSpoolFrame)
      if (body) return decodeBatches(body)
      throw new Error('its checksum is wrong')
    } catch (error) {
      await spool.keepAside(frame, `${frame.segment.name}.${frame.at}`, content)
      this.rejected += frame.records
      onTrouble('a frame of the spool cannot be read; it was set aside', error)
      return []
    }
  }
}

function countOf({ batches }: Sending): number {
  return batches.reduce((sum, { items }) => sum + items.length, 0)
}

/** Several batches as one, its items numbered anew. */
function joined(batches: readonly Batch<unknown>[]): Batch<unknown> {
  const [first] = batches
  if (batches.length === 1) return first!
  const items = batches.flatMap(batch => batch.items).map((item, index) => ({ ...(item as object), index }))
  return { ingestId: first!.ingestId, items }
}

function obstacle(ends: readonly Attempt[]): Obstacle {
  const outages = ends.filter(end => end.kind === 'outage')
  const faults = ends.filter(end => end.kind === 'fault')
  const error: unknown = outages[0]?.error ?? faults[0]?.error
  return {
    error,
    isSilent: outages.some(({ isSilent }) => isSilent),
    late: outages.flatMap(({ late }) => (late === null ? [] : [late]))
  }
}
