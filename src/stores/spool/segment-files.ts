import type { NamespaceId } from '../../domain/ids.js'
import { syncFolder } from '../disk/durable-files.js'
import type { Mark } from './done-marks.js'
import { SpoolSegment } from './segment.js'
import type { SpoolQueue, WaitingFrame } from './spool-queue.js'

/** A file of which less than this waits is worth rewriting when room is scarce. */
const SPARSE = 0.5

/** What the set of files works with. */
export interface SegmentFilesDeps {
  readonly folder: string
  readonly segmentBytes: number
  readonly maxBytes: number
  /** Files of an earlier start. */
  readonly found: readonly SpoolSegment[]
  readonly onTrouble: (message: string, error: unknown) => void
}

/** The spool's files: the one that is written, and older ones that go when nothing in them waits. */
export class SpoolSegmentFiles {
  readonly #parts: SegmentFilesDeps
  readonly #old: SpoolSegment[]
  #current: SpoolSegment | null = null
  readonly #expelled = new Set<SpoolSegment>()
  #removing: Promise<void> = Promise.resolve()

  constructor(parts: SegmentFilesDeps) {
    this.#parts = parts
    this.#old = [...parts.found]
    // Frames that were replayed before this start are not looked at.
    for (const segment of this.#old) segment.tenants = null
  }

  get count(): number {
    return this.#old.length + (this.#current ? 1 : 0)
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#old.reduce((sum, { bytes }) => sum + bytes, this.#current?.bytes ?? 0)
  }

  /** Bytes of all files in which nothing waits. */
  get deadBytes(): number {
    const dead = (segment: SpoolSegment): number => segment.bytes - segment.liveBytes
    return this.#old.reduce((sum, segment) => sum + dead(segment), this.#current ? dead(this.#current) : 0)
  }

  /** The file to write to; a new one is named by the number of its first frame, which no other file ever has. */
  async current(firstNumber: number): Promise<SpoolSegment> {
    const current = this.#current
    if (current && !current.isBroken && current.bytes < this.#parts.segmentBytes) return current
    await this.#retire()
    this.#current = await SpoolSegment.create(this.#parts.folder, firstNumber)
    return this.#current
  }

  /** Counts a frame that waits in its file. */
  hold({ segment, bytes }: WaitingFrame, ns: NamespaceId): void {
    segment.tenants?.add(ns)
    segment.frames++
    segment.liveBytes += bytes
  }

  /** Marks frames as needing no replay; resolves when the marks are written, synced or not. */
  async release(frames: readonly WaitingFrame[]): Promise<void> {
    const bySegment = new Map<SpoolSegment, Mark[]>()
    for (const frame of frames) {
      const marks = bySegment.get(frame.segment)
      if (marks) marks.push(frame)
      else bySegment.set(frame.segment, [frame])
      frame.segment.frames--
      frame.segment.liveBytes -= frame.bytes
    }
    for (const [segment, marks] of bySegment) {
      await segment.mark(marks).catch((error: unknown) => this.#trouble('a replayed frame could not be marked', error))
    }
  }

  /** From now on no file may stay that has or had frames of the namespace: what waits in it is to be moved. */
  async expel(ns: NamespaceId): Promise<void> {
    if (this.#current && mayContain(this.#current, ns)) await this.#retire()
    for (const segment of this.#old) if (mayContain(segment, ns)) this.#expelled.add(segment)
  }

  /** Files that are to go, as far as they are not held for what could not be set aside. */
  get expelled(): readonly SpoolSegment[] {
    return this.#old.filter(segment => this.#expelled.has(segment) && !segment.isHeld)
  }

  /** Whether something is there to tidy. */
  get isUntidy(): boolean {
    return this.#old.some(isFree) || (this.#current !== null && isFree(this.#current)) || this.sparse !== null
  }

  /** An old file that holds little while room is scarce. */
  get sparse(): SpoolSegment | null {
    if (this.bytes * 2 < this.#parts.maxBytes) return null
    return this.#old.find(({ isHeld, bytes, liveBytes, frames }) => !isHeld && frames > 0 && liveBytes < bytes * SPARSE) ?? null
  }

  /** Removes the files in which nothing waits; only between two writes. */
  async sweep(): Promise<void> {
    if (this.#current && isFree(this.#current)) await this.#retire()
    this.#removing = this.#removing.then(() => this.#remove())
    await this.#removing
  }

  /** Lets go of all files. */
  async close(): Promise<void> {
    await this.sweep()
    await this.#retire()
    for (const segment of this.#old) await segment.close()
  }

  /** Copies the frames of `queues` that are in `segment` behind all others, synced; they keep their numbers. */
  async move(segment: SpoolSegment, queues: Iterable<SpoolQueue>, number: number): Promise<void> {
    const inSegment = [...queues].flatMap(queue => queue.all().map(frame => ({ frame, ns: queue.ns })))
    const found = inSegment.filter(({ frame }) => frame.segment === segment)
    const frames = found.map(({ frame }) => frame)
    const pieces = await Promise.all(frames.map(({ at, bytes }) => segment.read(at, bytes)))
    const target = await this.current(number)
    let at = await target.write(
      pieces,
      pieces.reduce((sum, { length }) => sum + length, 0)
    )
    const gone: Mark[] = []
    for (const { frame, ns } of found) {
      // One that was replayed meanwhile must not come back from its copy.
      if (frame.isGone) gone.push({ at, number: frame.number })
      else {
        segment.frames--
        segment.liveBytes -= frame.bytes
        frame.segment = target
        frame.at = at
        this.hold(frame, ns)
      }
      at += frame.bytes
    }
    if (gone.length > 0) await target.mark(gone)
  }

  async #retire(): Promise<void> {
    const current = this.#current
    if (!current) return
    this.#current = null
    this.#old.push(current)
    await current.seal().catch((error: unknown) => this.#trouble('a file of the spool could not be closed', error))
  }

  async #remove(): Promise<void> {
    const free = this.#old.filter(isFree)
    if (free.length === 0) return
    try {
      for (const segment of free) {
        if (!(await segment.remove())) continue
        this.#old.splice(this.#old.indexOf(segment), 1)
        this.#expelled.delete(segment)
      }
      await syncFolder(this.#parts.folder)
    } catch (error) {
      this.#trouble('an old file of the spool could not be removed', error)
    }
  }

  #trouble(message: string, error: unknown): void {
    this.#parts.onTrouble(message, error)
  }
}

function mayContain({ tenants }: SpoolSegment, ns: NamespaceId): boolean {
  return tenants === null || tenants.has(ns)
}

function isFree({ frames, isHeld }: SpoolSegment): boolean {
  return frames === 0 && !isHeld
}
