import type { Clock } from '../clock.js'
import { type SeenFile, seeFile, stateOf } from './file-state.js'
import type { FollowedStreams } from './followed-streams.js'
import type { SettledFiles } from './settled-files.js'
import { type SiblingLook, SiblingLooks } from './sibling-looks.js'
import { type FolderNames, siblingsOf } from './siblings.js'
import type { Source } from './source.js'

/** What became of a look at a file that no stream follows. */
export type Outcome = 'decided' | 'later'

export interface SiblingDeps {
  readonly sources: readonly Source[]
  readonly clock: Clock
  readonly rotateWaitMs: number
  readonly streams: FollowedStreams
  readonly settled: SettledFiles
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

  /**
   * What was written before is known, of all paths of a source; `otherwise` when nothing is pending. A rotation that no look
   * noticed is found by the next look at all siblings.
   */
  knownUntilMs(source: Source, otherwise: number): number {
    return Math.min(this.#looks.knownUntilMs(source, otherwise), this.#allAtMs - CLOCK_SLACK_MS)
  }

  /** Takes the siblings that are due, from time to time those of all streams. */
  async take(nowMs: number, elapsedMs: number, folders: FolderNames): Promise<void> {
    if (elapsedMs - this.#allMs >= ALL_EVERY_MS) this.#scheduleAll(nowMs, elapsedMs)
    for (const look of this.#looks.takeDue(elapsedMs)) await this.#takeOne(look, folders)
  }

  #scheduleAll(nowMs: number, elapsedMs: number): void {
    const sinceMs = this.#allAtMs - CLOCK_SLACK_MS
    this.#allMs = elapsedMs
    this.#allAtMs = nowMs
    for (const { phase, record, source } of this.#deps.streams.all)
      if (phase === 'live') this.schedule({ path: record.path, source, sinceMs })
    // Between two files of a rotation no stream is live.
    for (const source of this.#deps.sources) if (source.glob.isPath) this.schedule({ path: source.glob.pattern, source, sinceMs })
  }

  async #takeOne({ path, source, sinceMs }: SiblingLook, folders: FolderNames): Promise<void> {
    const { clock, rotateWaitMs, streams } = this.#deps
    const { paths, isOutdated } = await siblingsOf(path, folders)
    let openSinceMs = isOutdated ? sinceMs : Number.POSITIVE_INFINITY
    for (const sibling of paths) {
      const seen = await seeFile(sibling)
      if (seen === null) openSinceMs = sinceMs
      if (seen === null || seen.mtimeMs < sinceMs || streams.isFollowed(seen)) continue
      const ageMs = clock.nowMs() - seen.mtimeMs
      const isYoung = ageMs >= 0 && ageMs < rotateWaitMs
      if (isYoung || (await this.#takeSibling(sibling, source, seen)) === 'later')
        openSinceMs = Math.min(openSinceMs, seen.mtimeMs - CLOCK_SLACK_MS)
    }
    if (openSinceMs < Number.POSITIVE_INFINITY) this.schedule({ path, source, sinceMs: Math.max(sinceMs, openSinceMs) })
  }

  async #takeSibling(path: string, source: Source, seen: SeenFile): Promise<Outcome> {
    const { clock, settled, begin } = this.#deps
    if (settled.needsLook(path, stateOf(seen), clock.elapsedMs())) return begin(path, source, seen)
    return settled.isDeferred(path) ? 'later' : 'decided'
  }
}
