import type { AlertGroup, AlertRule } from '../../src/domain/alerts/alert-rule.js'
import type { AlertEvent, AlertInstance, RuleState } from '../../src/domain/alerts/alert-state.js'
import { FIRST_RULE_STATE } from '../../src/domain/alerts/alert-state.js'
import { shardOf } from '../../src/domain/alerts/shard.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { AlertRules, ShardRule } from '../../src/ports/alert-rules.js'
import type { AlertLeases, AlertStates, EvaluationChange, ShardLease } from '../../src/ports/alert-states.js'
import type { Clock } from '../../src/ports/clock.js'

type Stored = Pick<AlertRules, 'groups' | 'rules' | 'ofShard'> & Pick<AlertStates, 'load' | 'states' | 'commit'> & AlertLeases

/** What several schedulers of a test share: rules, states and leases in memory, with a clock that the test moves. */
export class MemoryAlerts implements Stored {
  readonly groupsById = new Map<string, AlertGroup>()
  readonly rulesById = new Map<string, AlertRule>()
  readonly events: AlertEvent[] = []
  /** Changes of each commit. */
  readonly commits: (readonly EvaluationChange[])[] = []
  /** Called before and after each commit; may reject in place of it. */
  beforeCommit: () => Promise<void> = () => Promise.resolve()
  afterCommit: () => Promise<void> = () => Promise.resolve()
  readonly #states = new Map<string, RuleState>()
  readonly #leases = new Map<number, ShardLease>()
  readonly #clock: Pick<Clock, 'nowMs'>

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  put(group: AlertGroup, ...rules: readonly AlertRule[]): void {
    this.groupsById.set(group.id, group)
    for (const rule of rules) this.rulesById.set(rule.id, rule)
  }

  stateOf(ruleId: string): RuleState {
    return this.#states.get(ruleId) ?? FIRST_RULE_STATE
  }

  async groups(ns: NamespaceId): Promise<readonly AlertGroup[]> {
    return [...this.groupsById.values()].filter(({ namespaceId }) => namespaceId === ns)
  }

  async rules(ns: NamespaceId): Promise<readonly AlertRule[]> {
    return [...this.rulesById.values()].filter(({ namespaceId }) => namespaceId === ns)
  }

  async ofShard(shard: number): Promise<readonly ShardRule[]> {
    const rules = [...this.rulesById.values()].filter(({ namespaceId, enabled }) => enabled && shardOf(namespaceId) === shard)
    return rules.map(rule => ({ rule, group: this.groupsById.get(rule.groupId)! }))
  }

  async load(_ns: NamespaceId, ruleId: string): Promise<RuleState> {
    return this.stateOf(ruleId)
  }

  async states(_ns: NamespaceId, ruleIds: readonly string[]): Promise<ReadonlyMap<string, RuleState>> {
    return new Map(ruleIds.flatMap(id => (this.#states.has(id) ? [[id, this.#states.get(id)!] as const] : [])))
  }

  async commit(lease: ShardLease, changes: readonly EvaluationChange[]): Promise<boolean> {
    await this.beforeCommit()
    if (!(await this.lock(lease))) return false
    this.commits.push(changes)
    for (const change of changes) if (this.rulesById.get(change.ruleId)?.version === change.ruleVersion) this.#apply(change)
    await this.afterCommit()
    return true
  }

  async acquire(shards: readonly number[], holder: string, ttlMs: number): Promise<readonly ShardLease[]> {
    const nowMs = this.#clock.nowMs()
    const taken: ShardLease[] = []
    for (const shard of shards) {
      const present = this.#leases.get(shard)
      const isFree = present === undefined || present.expiresAtMs <= nowMs
      if (!isFree && present.holder !== holder) continue
      const lease = { shard, holder, token: (present?.token ?? 0) + (isFree ? 1 : 0), expiresAtMs: nowMs + ttlMs }
      this.#leases.set(shard, lease)
      taken.push(lease)
    }
    return taken
  }

  async release(lease: ShardLease): Promise<void> {
    if (await this.lock(lease)) this.#leases.set(lease.shard, { ...lease, expiresAtMs: 0 })
  }

  async isPresent({ shard, holder, token }: ShardLease): Promise<boolean> {
    const present = this.#leases.get(shard)
    return present?.holder === holder && present.token === token
  }

  lock(lease: ShardLease): Promise<boolean> {
    return this.isPresent(lease)
  }

  #apply(change: EvaluationChange): void {
    const { namespaceId, ruleId, ruleVersion, lastEvalMs, error, errorsInRow, changed, removed, transitions, isLate } = change
    const instances = new Map<string, AlertInstance>(this.stateOf(ruleId).instances)
    for (const fingerprint of removed) instances.delete(fingerprint)
    for (const instance of changed) instances.set(instance.fingerprint, instance)
    this.#states.set(ruleId, { lastEvalMs, instances, error, errorsInRow })
    for (const transition of transitions)
      this.events.push({ ...transition, seq: this.events.length + 1, namespaceId, ruleId, ruleVersion, isLate })
  }
}
