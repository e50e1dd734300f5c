import type { NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { PatternCatalog } from '../../ports/pattern-catalog.js'
import type { PartFault, PartPlace, UnassignedLogs, UnassignedPart } from '../../ports/unassigned-logs.js'
import { FoundPatterns } from './found-patterns.js'
import type { MinedLog, PatternKeeper } from './pattern-keeper.js'

/** How long one step reads logs, in milliseconds. */
export const STEP_MS = 10_000

/** What giving stored logs their patterns works with. */
export interface StoredLogPatternsDeps {
  readonly logs: Pick<LogStore, 'unassigned'>
  readonly keeper: Pick<PatternKeeper, 'find'>
  readonly catalog: Pick<PatternCatalog, 'add' | 'all'>
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** What a step did to a part. */
export interface AssignedPart {
  /** Logs that have a pattern now. */
  readonly assigned: number
  /** Whether logs of the step are beyond the limit of templates. */
  readonly hasOverflow: boolean
  /** Logs that get none, since their message has no word; without those that the next step reads again. */
  readonly wordless: number
  /** Logs that were changed or deleted before they got theirs. */
  readonly missed: number
  /** Logs that the store cannot write. */
  readonly refused: number
  /** The store's reason for the first of them; null for none. */
  readonly refusal: string | null
  /** Where the next step goes on; null at the end of the part. */
  readonly next: PartPlace | null
  /** Why the part is left as it is; null for none. */
  readonly fault: PartFault | null
}

const NOTHING: AssignedPart = Object.freeze({
  ...{ assigned: 0, hasOverflow: false, wordless: 0, missed: 0, refused: 0, refusal: null },
  ...{ next: null, fault: null }
})

/** What a step read. */
interface FoundLogs {
  readonly found: FoundPatterns
  /** Where the logs follow that were not looked at; null at the end of the part. */
  readonly next: PartPlace | null
}

/** Where the next step goes on, and the logs until there that get no pattern. */
function restOf({ found }: FoundLogs, next: PartPlace | null): Pick<AssignedPart, 'next' | 'wordless'> {
  return { next, wordless: found.wordless(next === null ? Infinity : next.after) }
}

/** Gives stored logs the patterns that they would have if they arrived now (docs/adr/0092). */
export class StoredLogPatterns {
  readonly #deps: StoredLogPatternsDeps

  constructor(deps: StoredLogPatternsDeps) {
    this.#deps = deps
  }

  /** The parts of a namespace with logs that lack a pattern. */
  parts(ns: NamespaceId): Promise<readonly UnassignedPart[]> {
    return this.#store.parts(ns)
  }

  /**
   * One bounded step from a place on. `store_unavailable` while the catalogue of patterns fails; nothing has changed then.
   */
  async assign(ns: NamespaceId, from: PartPlace): Promise<AssignedPart> {
    const read = await this.#find(ns, from)
    if (typeof read === 'string') return { ...NOTHING, fault: read }
    const { found } = read
    if (found.count === 0) return { ...NOTHING, ...restOf(read, read.next) }
    await this.#lowerFirstSeen(ns, found.firstSeenMs)
    const written = await this.#store.assign(ns, from.part, found.assigned())
    if (typeof written === 'string') return { ...NOTHING, fault: written }
    const { assigned, missed, refused, refusal, isWhole } = written
    const isEnd = isWhole && read.next === null
    const done = { assigned, missed, refused, refusal, hasOverflow: found.hasOverflow, fault: null }
    return { ...done, ...restOf(read, isEnd ? null : written.next) }
  }

  get #store(): UnassignedLogs {
    return this.#deps.logs.unassigned
  }

  /** The patterns of the next logs of a part. */
  async #find(ns: NamespaceId, { part, after }: PartPlace): Promise<FoundLogs | PartFault> {
    const { keeper, clock } = this.#deps
    const { maxAssigned } = this.#store
    const found = new FoundPatterns()
    const startedMs = clock.monotonicMs()
    let last = after
    do {
      const page = await this.#store.page(ns, { part, after: last })
      if (typeof page === 'string') return page
      if (page.length === 0) return { found, next: null }
      const logs: MinedLog[] = page
        .slice(0, maxAssigned - found.count)
        .map(({ message, timestampNs }) => ({ message, timestampNs, patternId: null }))
      await keeper.find(ns, logs)
      for (const [i, log] of logs.entries()) found.add(page[i]!.place, log)
      last = page[logs.length - 1]!.place
    } while (found.count < maxAssigned && clock.monotonicMs() - startedMs < STEP_MS)
    return { found, next: { part, after: last } }
  }

  /** Templates that are known already began with one of these logs, if it is earlier. */
  async #lowerFirstSeen(ns: NamespaceId, firstSeenMs: ReadonlyMap<string, number>): Promise<void> {
    const { patterns } = await this.#deps.catalog.all(ns)
    const earlier = patterns.flatMap(pattern => {
      const foundMs = firstSeenMs.get(pattern.id)
      return foundMs === undefined || foundMs >= pattern.firstSeenMs ? [] : [{ ...pattern, firstSeenMs: foundMs }]
    })
    if (earlier.length > 0) await this.#deps.catalog.add(ns, earlier, [])
  }
}
