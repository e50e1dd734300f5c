import type { Journal } from '../journal/journal.js'
import { placeKey } from './file-state.js'
import type { FileStream } from './file-stream.js'
import type { FilePlace } from './open-file.js'

/** The streams of the agent, by the paths and files that they read. */
export class FollowedStreams {
  #all: FileStream[] = []
  #live = new Map<string, FileStream[]>()
  #places = new Set<string>()
  /** New streams that the journal may not have yet, and the last write to their files. */
  readonly #unnoted = new Map<FileStream, number>()

  get all(): readonly FileStream[] {
    return this.#all
  }

  add(stream: FileStream): void {
    this.#all.push(stream)
    this.#index(stream)
  }

  /** Adds a stream that begins, or goes on after its end. @param mtimeMs of the last write to its file, Unix milliseconds. */
  addNew(stream: FileStream, mtimeMs: number): void {
    this.add(stream)
    this.#unnoted.set(stream, mtimeMs)
  }

  /** A file is empty at a time: nothing in it was written before. */
  noteEmpty(stream: FileStream, nowMs: number): void {
    if (this.#unnoted.has(stream)) this.#unnoted.set(stream, nowMs)
  }

  /** Last write to the oldest file that a crash would forget, Unix milliseconds; infinite without one. */
  unnotedSinceMs(journal: Pick<Journal, 'streams'>): number {
    for (const stream of this.#unnoted.keys())
      if (stream.phase === 'ended' || journal.streams.get(stream.record.id)?.endedAtMs === null) this.#unnoted.delete(stream)
    return Math.min(...this.#unnoted.values())
  }

  /** Leaves out ended streams, and notes what became of the others. */
  refresh(): void {
    this.#all = this.#all.filter(({ phase }) => phase !== 'ended')
    this.#live = new Map()
    this.#places = new Set()
    for (const stream of this.#all) this.#index(stream)
  }

  /** Streams that read the file at a path, as of the latest `refresh`: more than one when it was replaced. */
  liveAt(path: string): readonly FileStream[] {
    return (this.#live.get(path) ?? []).filter(({ phase }) => phase === 'live')
  }

  /** Whether a stream reads the file, as of the latest `refresh`. */
  isFollowed(place: FilePlace): boolean {
    return this.#places.has(placeKey(place))
  }

  #index(stream: FileStream): void {
    const { path } = stream.record
    if (stream.phase === 'live') this.#live.set(path, [...(this.#live.get(path) ?? []), stream])
    if (stream.file !== null) this.#places.add(placeKey(stream.file.place))
  }
}
