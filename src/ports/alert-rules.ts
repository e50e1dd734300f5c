import type { AlertGroup, AlertRule } from '../domain/alerts/alert-rule.js'
import type { NamespaceId } from '../domain/ids.js'

/** Groups of rules and their rules. They end with the namespace. */
export interface AlertRules {
  /** Groups of the namespace by name, at most `limit`. */
  groups(ns: NamespaceId, limit: number): Promise<readonly AlertGroup[]>
  group(ns: NamespaceId, id: string): Promise<AlertGroup | null>
  /** Inserts the group, or replaces the one with its namespace and id. `conflict` for a name that another group has. */
  putGroup(group: AlertGroup): Promise<void>
  /** Removes the group with its rules, their states and versions; false when it does not exist. Events stay. */
  removeGroup(ns: NamespaceId, id: string): Promise<boolean>
  /** Rules of the namespace by group name and position, at most `limit`. */
  rules(ns: NamespaceId, limit: number): Promise<readonly AlertRule[]>
  rule(ns: NamespaceId, id: string): Promise<AlertRule | null>
  /** Those of these rules that exist, in no order. */
  withIds(ns: NamespaceId, ids: readonly string[]): Promise<readonly AlertRule[]>
  countRules(ns: NamespaceId): Promise<number>
  /**
   * Inserts version 1, or replaces version `rule.version - 1`; the replaced content is kept as a version. False when the
   * stored version is another one.
   */
  putRule(rule: AlertRule): Promise<boolean>
  /** The latest `KEPT_RULE_VERSIONS` contents of a rule, newest first, at most `limit`. */
  versions(ns: NamespaceId, ruleId: string, limit: number): Promise<readonly AlertRule[]>
  /** Removes a rule with its states and versions; false when it does not exist. Events stay. */
  removeRule(ns: NamespaceId, id: string): Promise<boolean>
  /** Enabled rules of one shard of all namespaces, with their groups: what its evaluator runs. */
  ofShard(shard: number): Promise<readonly ShardRule[]>
}

/** A rule with its group. */
export interface ShardRule {
  readonly group: AlertGroup
  readonly rule: AlertRule
}
