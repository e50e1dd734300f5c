import { placeKey } from './file-state.js'
import type { FileStream } from './file-stream.js'
import type { FilePlace } from './open-file.js'

/** The streams of the agent, by the paths and files that they read. */
export class FollowedStreams {
  #all: FileStream[] = []
  #live = new Map<string, FileStream[]>()
  #places = new Set<string>()

  get all(): readonly FileStream[] {
    return this.#all
  }

  add(stream: FileStream): void {
    this.#all.push(stream)
    this.#index(stream)
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
