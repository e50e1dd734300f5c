import type { AlertEvent, AlertInstance, AlertState, AlertTransition, RuleState } from '../domain/alerts/alert-state.js'
import type { NamespaceId } from '../domain/ids.js'

/** Who evaluates the rules of a shard until `expiresAtMs` of the database's clock. */
export interface ShardLease {
  readonly shard: number
  readonly holder: string
  /** Fencing token: grows with each change of holder. */
  readonly token: number
  readonly expiresAtMs: number
}

/** Leases of shards by the clock of the database. */
export interface AlertLeases {
  /**
   * Takes those leases that are free or expired, and renews those of `holder`; the others are left out of the result. The
   * token is a new one unless `holder` had the lease without a break.
   */
  acquire(shards: readonly number[], holder: string, ttlMs: number): Promise<readonly ShardLease[]>
  /** Whether the lease is the present one of its shard, by a read alone: another holder may take the shard at once. */
  isPresent(lease: ShardLease): Promise<boolean>
  /** Ends the lease of this token at once. */
  release(lease: ShardLease): Promise<void>
  /**
   * Within a transaction: whether the lease is the present one of its shard. If it is, no other holder can take the shard
   * until the transaction ends, even if the lease expires meanwhile.
   */
  lock(lease: ShardLease): Promise<boolean>
}

/** What one evaluation of a rule changed. */
export interface EvaluationChange {
  readonly namespaceId: NamespaceId
  readonly ruleId: string
  readonly ruleVersion: number
  readonly lastEvalMs: number
  readonly error: string | null
  readonly errorsInRow: number
  /** Instances that are new or different. */
  readonly changed: readonly AlertInstance[]
  /** Fingerprints of instances that ended. */
  readonly removed: readonly string[]
  readonly transitions: readonly AlertTransition[]
  readonly isLate: boolean
}

/** Conditions on a list of events. */
export interface AlertEventRequest {
  readonly ruleIds?: readonly string[] | undefined
  readonly fingerprint?: string | undefined
  /** Evaluation times, from inclusive, to exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** Only events before this one in the order of the list. */
  readonly before?: { readonly atMs: number; readonly seq: number } | undefined
  readonly limit: number
}

/** The place of an instance in the list. */
export interface AlertInstancePlace {
  readonly ruleId: string
  readonly fingerprint: string
}

/** Conditions on a list of instances. */
export interface AlertInstanceRequest {
  readonly ruleIds?: readonly string[] | undefined
  readonly states?: readonly AlertState[] | undefined
  /** Only instances after this one in the order of the list. */
  readonly after?: AlertInstancePlace | undefined
  readonly limit: number
}

/** An instance and its rule. */
export interface ListedInstance {
  readonly ruleId: string
  readonly instance: AlertInstance
}

/** States of rules and the events of their instances. */
export interface AlertStates {
  /** State of a rule; `FIRST_RULE_STATE` when it was never evaluated. */
  load(ns: NamespaceId, ruleId: string): Promise<RuleState>
  /** States of rules by their ids; a rule that was never evaluated has no entry. */
  states(ns: NamespaceId, ruleIds: readonly string[]): Promise<ReadonlyMap<string, RuleState>>
  /**
   * Writes evaluations and their events in one transaction. False, and nothing is written, when `lease` is not the present
   * one of its shard. Changes of rules that were removed or replaced by another version meanwhile are left out. `onWritten`
   * is called at the end of the transaction, which is rolled back when it throws.
   */
  commit(lease: ShardLease, changes: readonly EvaluationChange[], onWritten?: () => void): Promise<boolean>
  /**
   * Ends rules that are disabled or removed: forgets their states and instances, with an event at `atMs` for each instance
   * that was pending (now inactive) or in another state (now resolved). Later commits of their present versions begin
   * from the first state.
   */
  end(ns: NamespaceId, ruleIds: readonly string[], atMs: number): Promise<void>
  /** Instances by rule and fingerprint. */
  instances(ns: NamespaceId, request: AlertInstanceRequest): Promise<readonly ListedInstance[]>
  /** Events by time, newest first. */
  events(ns: NamespaceId, request: AlertEventRequest): Promise<readonly AlertEvent[]>
  /** Events with a number above `seq`, in the order of their numbers. */
  eventsAfter(ns: NamespaceId, seq: number, limit: number): Promise<readonly AlertEvent[]>
  /** Deletes events before this time, and the oldest ones beyond `keep` of each namespace. */
  deleteEvents(beforeMs: number, keep: number): Promise<void>
}
