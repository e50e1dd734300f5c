import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { PatternCatalog } from '../../ports/pattern-catalog.js'
import type { PartFault, UnassignedLogs, UnassignedPart } from '../../ports/unassigned-logs.js'
import { FoundPatterns } from './found-patterns.js'
import type { MinedLog, PatternKeeper } from './pattern-keeper.js'

/** Logs that one step gives patterns to: a part is rewritten once for so many. */
export const STEP_LOGS = 1_000_000
/** How long one step reads logs once it has found a pattern, in milliseconds. */
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
  /** Those of them beyond the limit of templates. */
  readonly overflowed: number
  /** Where the next step goes on; null when nothing is left that gets a pattern. */
  readonly next: string | null
  /** Why the part is left as it is; null for none. */
  readonly fault: PartFault | null
}

/** Gives stored logs the patterns that they would have if they arrived now (docs/adr/0092). */
export class StoredLogPatterns {
  readonly #deps: StoredLogPatternsDeps

  constructor(deps: StoredLogPatternsDeps) {
    this.#deps = deps
  }

  /** The parts of a namespace with logs that lack a pattern. `unsupported_by_store` when the store of logs cannot rewrite them. */
  async parts(ns: NamespaceId): Promise<readonly UnassignedPart[]> {
    return this.#store.parts(ns)
  }

  /** One bounded step on a part. `store_unavailable` while the catalogue of patterns fails; nothing has changed then. */
  async assign(ns: NamespaceId, part: string): Promise<AssignedPart> {
    const { found, isEnd, fault } = await this.#find(ns, part)
    if (fault !== null) return { assigned: 0, overflowed: 0, next: null, fault }
    if (found.count === 0) return { assigned: 0, overflowed: 0, next: null, fault: null }
    await this.#lowerFirstSeen(ns, found.firstSeenMs)
    const written = await this.#store.assign(ns, part, found.assigned())
    if (typeof written === 'string') return { assigned: 0, overflowed: 0, next: null, fault: written }
    return { assigned: found.count, overflowed: found.overflowed, next: isEnd ? null : written.part, fault: null }
  }

  get #store(): UnassignedLogs {
    const { unassigned } = this.#deps.logs
    if (unassigned !== undefined) return unassigned
    const detail = 'the store of logs cannot give stored logs their patterns; only the embedded store can'
    throw new GatewayError('unsupported_by_store', detail)
  }

  /** The patterns of the first logs of a part that get one. */
  async #find(
    ns: NamespaceId,
    part: string
  ): Promise<{ readonly found: FoundPatterns; readonly isEnd: boolean; readonly fault: PartFault | null }> {
    const { keeper, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const found = new FoundPatterns()
    // A step ends with a log that gets a pattern: those that never get one must not stop the next step.
    const isOver = (): boolean => found.count >= STEP_LOGS || (found.count > 0 && clock.monotonicMs() - startedMs >= STEP_MS)
    for (let after = -1; !isOver();) {
      const page = await this.#store.page(ns, part, after)
      if (typeof page === 'string') return { found, isEnd: true, fault: page }
      if (page.length === 0) return { found, isEnd: true, fault: null }
      const logs: MinedLog[] = page.map(({ message, timestampNs }) => ({ message, timestampNs, patternId: null }))
      await keeper.find(ns, logs)
      for (const [i, log] of logs.entries()) found.add(page[i]!.place, log)
      after = page.at(-1)!.place
    }
    return { found, isEnd: false, fault: null }
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
