import type { NamespaceId } from '../domain/ids.js'
import type { LogPattern, PatternMerge } from '../domain/log-pattern.js'

/** A template with what is known of it. */
export interface CatalogPattern extends LogPattern {
  /** Event time of the log that it was found in, Unix milliseconds; an older log that arrives later does not change it, one that gets the pattern later (`assign-patterns`) does. */
  readonly firstSeenMs: number
  /** What members wrote about it. */
  readonly note: string | null
  readonly muted: boolean
}

/** What members decide about a pattern. */
export type PatternDecision = Partial<Pick<CatalogPattern, 'note' | 'muted'>>

/** Templates of logs and how they were merged, by namespace. They end with the namespace. */
export interface PatternCatalog {
  /**
   * Adds templates and merges; those that it has are left as they are, with the earlier of both first times. Several
   * gateways may add at the same time. Resolves once all are crash-safe.
   */
  add(
    ns: NamespaceId,
    patterns: readonly Pick<CatalogPattern, 'id' | 'tokens' | 'kinds' | 'firstSeenMs'>[],
    merges: readonly PatternMerge[]
  ): Promise<void>
  /** All templates, in the order of their ids, and all merges. */
  all(ns: NamespaceId): Promise<{ readonly patterns: readonly CatalogPattern[]; readonly merges: readonly PatternMerge[] }>
  /** Changes all of these templates; false when none of them exists. */
  decide(ns: NamespaceId, ids: readonly string[], decision: PatternDecision): Promise<boolean>
}
