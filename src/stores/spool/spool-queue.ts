import type { NamespaceId } from '../../domain/ids.js'
import type { SpoolSegment } from './segment.js'
import type { SpoolSignal } from './spool-frames.js'

const DAY_MS = 86_400_000

/** A frame that waits: where it is and how much it is. */
export interface WaitingFrame {
  readonly number: number
  readonly atMs: number
  readonly records: number
  /** With its header. */
  readonly bytes: number
  segment: SpoolSegment
  at: number
  /** Needs no replay any more. */
  isGone: boolean
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** What waits of one namespace and signal, oldest first. */
export class SpoolQueue {
  readonly ns: NamespaceId
  readonly signal: SpoolSignal
  /** Batches on their way to the disk. */
  writing = 0
  #frames: WaitingFrame[] = []
  #head = 0
  readonly #recordsByDay = new Map<number, number>()

  constructor(ns: NamespaceId, signal: SpoolSignal) {
    this.ns = ns
    this.signal = signal
  }

  /** Whether a new batch has to line up behind others. */
  get isWaiting(): boolean {
    return this.writing > 0 || this.length > 0
  }

  /** Frames. */
  get length(): number {
    return this.#frames.length - this.#head
  }

  get first(): WaitingFrame | undefined {
    return this.#frames[this.#head]
  }

  get last(): WaitingFrame | undefined {
    return this.length === 0 ? undefined : this.#frames.at(-1)
  }

  /** Records that wait, by day of arrival. */
  get byDay(): { day: string; records: number }[] {
    return [...this.#recordsByDay].map(([day, records]) => ({ day: dayOf(day * DAY_MS), records }))
  }

  push(frame: WaitingFrame): void {
    this.#frames.push(frame)
    this.#count(frame, frame.records)
  }

  /** The oldest frames up to about so many records and bytes, at least one if there is any. */
  front(maxRecords: number, maxBytes: number): WaitingFrame[] {
    let records = 0
    let bytes = 0
    let end = this.#head
    for (; end < this.#frames.length; end++) {
      const frame = this.#frames[end]!
      records += frame.records
      bytes += frame.bytes
      if (end > this.#head && (records > maxRecords || bytes > maxBytes)) break
    }
    return this.#frames.slice(this.#head, end)
  }

  /** Removes the oldest `count` frames and returns them. */
  shift(count: number): WaitingFrame[] {
    const taken = this.#frames.slice(this.#head, this.#head + count)
    for (const frame of taken) {
      frame.isGone = true
      this.#count(frame, -frame.records)
    }
    this.#head += taken.length
    // Cut off the list only when they are half of it.
    if (this.#head * 2 >= this.#frames.length) {
      this.#frames = this.#frames.slice(this.#head)
      this.#head = 0
    }
    return taken
  }

  /** All frames, oldest first. */
  all(): WaitingFrame[] {
    return this.#frames.slice(this.#head)
  }

  #count({ atMs }: WaitingFrame, records: number): void {
    const day = Math.floor(atMs / DAY_MS)
    const sum = (this.#recordsByDay.get(day) ?? 0) + records
    if (sum > 0) this.#recordsByDay.set(day, sum)
    else this.#recordsByDay.delete(day)
  }
}
