import type { ErrorGroupDecision } from '../domain/error-group.js'
import type { NamespaceId, UserId } from '../domain/ids.js'

/** The decision of a user about a group of errors. */
export interface DecidedErrorGroup {
  readonly namespaceId: NamespaceId
  readonly fingerprint: string
  readonly state: ErrorGroupDecision
  /** Unix milliseconds. */
  readonly atMs: number
  /** Who decided. */
  readonly by: UserId
}

/** Decisions about groups of errors, one per namespace and fingerprint. They end with the namespace. */
export interface ErrorGroupDecisions {
  /** Takes the place of the decision before. */
  set(decision: DecidedErrorGroup): Promise<void>
  /** Decisions about these groups, in no order; up to 1,000 fingerprints. */
  of(ns: NamespaceId, fingerprints: readonly string[]): Promise<readonly DecidedErrorGroup[]>
}
