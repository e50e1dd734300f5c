import { type DiskRoom, storageFull } from '../disk/disk-room.js'
import { encodeFrame, frameOverhead, type SpoolEntry } from './spool-frames.js'
import type { SpoolQueue, WaitingFrame } from './spool-queue.js'
import type { SpoolSegmentFiles } from './segment-files.js'
import type { SpoolSpace } from './spool-space.js'

/** A batch on its way to the disk. */
interface Writing {
  readonly queue: SpoolQueue
  readonly entry: SpoolEntry
  readonly atMs: number
  resolve(): void
  reject(error: unknown): void
}

/** A frame that is not written yet. */
interface NewFrame {
  readonly queue: SpoolQueue
  readonly members: Writing[]
}

/** What writing works with. */
export interface SpoolWriterDeps {
  readonly files: SpoolSegmentFiles
  readonly space: SpoolSpace
  readonly room: DiskRoom
  readonly nowMs: () => number
  readonly maxWriteBytes: number
  /** The last write failed (an error) or worked (null). */
  readonly onState: (failure: unknown) => void
  /** Called between two writes, when nothing else touches the files. */
  readonly tidy: () => Promise<void>
}

function entryBytes({ head, payload }: SpoolEntry): number {
  return head.length + payload.length
}

/** Bytes of a batch when it gets a frame of its own. */
export function bytesAlone(queue: SpoolQueue, entry: SpoolEntry): number {
  return entryBytes(entry) + frameOverhead(queue.ns)
}

/** Batches of one queue become one frame: what gathers while the last write runs waits for one sync, and later for one reply. */
function toFrames(group: readonly Writing[]): NewFrame[] {
  const frames = new Map<SpoolQueue, NewFrame>()
  for (const writing of group) {
    const frame = frames.get(writing.queue)
    if (frame) frame.members.push(writing)
    else frames.set(writing.queue, { queue: writing.queue, members: [writing] })
  }
  return [...frames.values()]
}

/** Puts batches on the disk: everything that gathered while the last write and its sync ran goes out with one write and one sync. */
export class SpoolWriter {
  readonly #parts: SpoolWriterDeps
  readonly #waiting: Writing[] = []
  #isPumping = false
  #idle: Promise<void> = Promise.resolve()
  #nextNumber: number

  constructor(parts: SpoolWriterDeps, firstNumber: number) {
    this.#parts = parts
    this.#nextNumber = firstNumber
  }

  /** Resolves once the batch is on the disk and at the end of its queue; its space was taken before. */
  async write(queue: SpoolQueue, entry: SpoolEntry): Promise<void> {
    queue.writing++
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ queue, entry, atMs: this.#parts.nowMs(), resolve, reject })
        this.#wake()
      })
    } finally {
      queue.writing--
    }
  }

  /** A number that no frame and no file has. */
  takeNumber(): number {
    return this.#nextNumber++
  }

  /** Resolves when nothing is being written. */
  idle(): Promise<void> {
    return this.#idle
  }

  /** Has `tidy` called soon. */
  nudge(): void {
    this.#wake()
  }

  #wake(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    this.#idle = this.#pump()
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeGroup(this.#take())
    await this.#parts.tidy()
    this.#isPumping = false
    if (this.#waiting.length > 0) this.#wake()
  }

  #take(): Writing[] {
    let bytes = 0
    let count = 0
    for (const { entry } of this.#waiting) {
      bytes += entryBytes(entry)
      if (count > 0 && bytes > this.#parts.maxWriteBytes) break
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #writeGroup(group: readonly Writing[]): Promise<void> {
    const frames = toFrames(group)
    try {
      await this.#writeFrames(frames)
      this.#parts.onState(null)
      for (const writing of group) writing.resolve()
    } catch (error) {
      this.#parts.onState(error)
      for (const { queue, entry } of group) this.#parts.space.give(queue.ns, bytesAlone(queue, entry), 1)
      for (const writing of group) writing.reject(error)
    }
  }

  async #writeFrames(frames: readonly NewFrame[]): Promise<void> {
    const encoded = frames.map(frame => this.#encode(frame))
    const sizeBytes = encoded.reduce((sum, { bytes }) => sum + bytes, 0)
    if (!this.#parts.room.has(sizeBytes, 0)) throw storageFull()
    const segment = await this.#parts.files.current(this.#nextNumber)
    let at = await segment.write(
      encoded.flatMap(({ pieces }) => pieces),
      sizeBytes
    )
    for (const { queue, members, pieces: _pieces, ...facts } of encoded) {
      const frame: WaitingFrame = { ...facts, segment, at, isGone: false }
      at += facts.bytes
      this.#parts.files.hold(frame, queue.ns)
      queue.push(frame)
      // Each was counted as a frame of its own.
      this.#parts.space.give(queue.ns, (members.length - 1) * frameOverhead(queue.ns), members.length - 1)
    }
  }

  #encode({ queue, members }: NewFrame) {
    const number = this.takeNumber()
    const atMs = members[0]!.atMs
    const records = members.reduce((sum, { entry }) => sum + entry.records, 0)
    const pieces = encodeFrame(
      { number, atMs, signal: queue.signal, ns: queue.ns, records },
      members.map(({ entry }) => entry)
    )
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    return { queue, members, pieces, number, atMs, records, bytes }
  }
}
