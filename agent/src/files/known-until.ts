import type { Clock } from '../clock.js'
import type { Journal } from '../journal/journal.js'
import { LIMITS } from '../limits.js'
import type { FollowedStreams } from './followed-streams.js'
import type { SettledFiles } from './settled-files.js'
import { CLOCK_SLACK_MS } from './sibling-finder.js'
import type { Source } from './source.js'

/** Dependencies of `KnownUntil`. */
export interface KnownUntilDeps {
  readonly clock: Clock
  readonly journal: Journal
  readonly streams: FollowedStreams
  readonly settled: SettledFiles
}

/** Up to when the files of each source are known: what was written later has to be looked at. Unix milliseconds. */
export class KnownUntil {
  readonly #deps: KnownUntilDeps
  readonly #looks = new Map<Source, { readonly nowMs: number; readonly elapsedMs: number }>()

  constructor(deps: KnownUntilDeps) {
    this.#deps = deps
  }

  /** Notes a look at the files of a source. */
  looked(source: Source, nowMs: number, elapsedMs: number): void {
    this.#looks.set(source, { nowMs, elapsedMs })
  }

  /** Before this, nothing is new since the latest look at a source, which may be one before the agent started. */
  lookedUntilMs(source: Source): number {
    const { clock } = this.#deps
    const [nowMs, look] = [clock.nowMs(), this.#looks.get(source)]
    if (look === undefined) return (this.ofJournalMs(source) ?? nowMs) - CLOCK_SLACK_MS
    // A clock that was set back since is believed about the time that has passed.
    return Math.min(look.nowMs, nowMs - (clock.elapsedMs() - look.elapsedMs)) - CLOCK_SLACK_MS
  }

  /** What the journal has of a source; null of one that is new. */
  ofJournalMs(source: Source, pattern = source.glob.pattern): number | null {
    const { clock, journal } = this.#deps
    const nowMs = clock.nowMs()
    const lookedAtMs = journal.patterns.get(pattern)?.lookedAtMs
    if (lookedAtMs === undefined) return null
    // The clock was set back since, by how much is not known.
    return lookedAtMs <= nowMs ? lookedAtMs : this.#oldestMs(source)
  }

  /** Last write to the oldest file that is not decided on; infinite without one. */
  undecidedSinceMs(source: Source): number {
    const { clock, streams, journal, settled } = this.#deps
    // Rotated files that were there before the agent are of no concern, wherever it begins.
    const firstMs = journal.patterns.get(source.glob.pattern)?.firstMs ?? clock.nowMs()
    const sinceMs = Math.min(streams.unnotedSinceMs(journal), settled.deferredSinceMs)
    return Math.max(sinceMs, Math.min(firstMs, clock.nowMs()), this.#oldestMs(source))
  }

  /** What the journal is to have of a source: files last written before need no look after a restart. */
  notedMs(source: Source, siblingsMs: number): number {
    const untilMs = Math.min(siblingsMs, this.undecidedSinceMs(source), this.#deps.clock.nowMs())
    return Math.max(untilMs, this.#oldestMs(source))
  }

  /**
   * Files last written before are not looked at, whatever is undecided: those that were there before the agent, which began
   * at their end, and those whose streams may be forgotten.
   */
  #oldestMs({ file, glob }: Source): number {
    const { clock, journal } = this.#deps
    const nowMs = clock.nowMs()
    const firstMs = file.startAt === 'end' ? (journal.patterns.get(glob.pattern)?.firstMs ?? nowMs) : 0
    return Math.max(Math.min(firstMs, nowMs), nowMs - LIMITS.endedMs / 2)
  }
}
