import { basename, dirname } from 'node:path'
import type { Clock } from '../clock.js'
import { type SeenFile, seeFile, stateOf } from './file-state.js'
import type { FollowedStreams } from './followed-streams.js'
import type { SettledFiles } from './settled-files.js'
import { type SiblingLook, SiblingLooks } from './sibling-looks.js'
import { type FolderNames, siblingsOf } from './siblings.js'
import type { Source } from './source.js'

/** What became of a look at a file that no stream follows. */
export type Outcome = 'decided' | 'later'

/** Dependencies of the search for rotated files. */
export interface SiblingDeps {
  readonly sources: readonly Source[]
  readonly clock: Clock
  readonly rotateWaitMs: number
  readonly streams: FollowedStreams
  readonly settled: SettledFiles
  /** Last write of the oldest file that is not decided on, Unix milliseconds; infinite without one. */
  readonly undecidedSinceMs: (source: Source) => number
  /** Decides on a file that no stream follows. */
  readonly begin: (path: string, source: Source, seen: SeenFile) => Promise<Outcome>
}

/** Clocks of file systems are a little late. */
export const CLOCK_SLACK_MS = 1_000
/** Rotated files grow again when their writers are late. */
const ALL_EVERY_MS = 10_000

/** Finds files that rotations left next to the paths of streams, and that never had the name while the agent looked. */
export class SiblingFinder {
  readonly #deps: SiblingDeps
  readonly #looks = new SiblingLooks()
  #allMs: number
  #allAtMs: number

  constructor(deps: SiblingDeps) {
    this.#deps = deps
    this.#allMs = deps.clock.elapsedMs()
    this.#allAtMs = deps.clock.nowMs()
  }

  /** Siblings are looked at when they have had time to settle. */
  schedule(look: SiblingLook): void {
    const { clock, rotateWaitMs } = this.#deps
    this.#looks.schedule(look, clock.elapsedMs() + rotateWaitMs)
  }

  /** What was written before is known, of all paths of a source. A rotation that no look noticed is found by the next look at all. */
  knownUntilMs(source: Source): number {
    return this.#looks.knownUntilMs(source, this.#allAtMs - CLOCK_SLACK_MS)
  }

  /** Takes the siblings that are due, from time to time those of all streams. */
  async take(nowMs: number, elapsedMs: number, folders: FolderNames): Promise<void> {
    if (elapsedMs - this.#allMs >= ALL_EVERY_MS) await this.#scheduleAll(nowMs, elapsedMs, folders)
    const due = this.#looks.takeDue(elapsedMs)
    for (const look of due) await this.#takeOne(look, folders)
    // After a rotation meanwhile a file may have a name that was not listed, and each listed name another file.
    const added = new Map<string, ReadonlySet<string> | null>()
    for (const folder of new Set(due.map(({ path }) => dirname(path)))) added.set(folder, await folders.added(folder))
    for (const look of due) if (added.get(dirname(look.path))?.has(basename(look.path)) ?? true) this.schedule(look)
  }

  async #scheduleAll(nowMs: number, elapsedMs: number, folders: FolderNames): Promise<void> {
    const allAtMs = Math.min(this.#allAtMs, nowMs - (elapsedMs - this.#allMs))
    const since = (source: Source): number => Math.min(allAtMs, this.#deps.undecidedSinceMs(source)) - CLOCK_SLACK_MS
    this.#allMs = elapsedMs
    this.#allAtMs = nowMs
    for (const { phase, record, source } of this.#deps.streams.all)
      if (phase === 'live') this.schedule({ path: record.path, source, sinceMs: since(source) })
    // Between two files of a rotation no stream is live.
    for (const source of this.#deps.sources)
      for (const path of await source.formerPaths(folders)) this.schedule({ path, source, sinceMs: since(source) })
  }

  async #takeOne({ path, source, sinceMs }: SiblingLook, folders: FolderNames): Promise<void> {
    const { streams, settled } = this.#deps
    const { paths, isOutdated } = await siblingsOf(path, folders)
    let openSinceMs = isOutdated ? sinceMs : Number.POSITIVE_INFINITY
    for (const sibling of paths) {
      // Looks at the source find it, and keep to the limit.
      if (source.matches(sibling)) continue
      const seen = await seeFile(sibling)
      if (seen === null) {
        openSinceMs = sinceMs
        continue
      }
      if (streams.isFollowed(seen)) settled.drop(sibling)
      else if (seen.mtimeMs >= sinceMs && !source.isExcluded(sibling))
        openSinceMs = Math.min(openSinceMs, await this.#openSince(sibling, source, seen))
    }
    if (openSinceMs < Number.POSITIVE_INFINITY) this.schedule({ path, source, sinceMs: Math.max(sinceMs, openSinceMs) })
  }

  /** From when on the file is to be looked at again; infinite when it is decided on. */
  async #openSince(path: string, source: Source, seen: SeenFile): Promise<number> {
    const { clock, rotateWaitMs } = this.#deps
    const ageMs = clock.nowMs() - seen.mtimeMs
    const isYoung = ageMs >= 0 && ageMs < rotateWaitMs
    const isOpen = isYoung || (await this.#takeSibling(path, source, seen)) === 'later'
    return isOpen ? seen.mtimeMs - CLOCK_SLACK_MS : Number.POSITIVE_INFINITY
  }

  async #takeSibling(path: string, source: Source, seen: SeenFile): Promise<Outcome> {
    const { clock, settled, begin } = this.#deps
    if (settled.needsLook(path, stateOf(seen), clock.elapsedMs())) return begin(path, source, seen)
    return settled.isDeferred(path) ? 'later' : 'decided'
  }
}
