import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import { shardOf } from '../../domain/alerts/shard.js'
import { FIRST_RULE_STATE } from '../../domain/alerts/alert-state.js'
import type { AlertRules, ShardRule } from '../../ports/alert-rules.js'
import type { AlertStates, ShardLease } from '../../ports/alert-states.js'
import { MAX_RULE_GROUPS, MAX_RULES } from '../rules/rule-limits.js'
import { ScheduledRule } from './scheduled-rule.js'
import type { StateWriter } from './state-writer.js'

/** Dependencies of `RuleTable`. */
export interface RuleTableDeps {
  readonly rules: Pick<AlertRules, 'groups' | 'rules' | 'ofShard'>
  readonly states: Pick<AlertStates, 'states'>
  readonly writer: Pick<StateWriter, 'settled'>
  /** Address of the console, for templates. */
  readonly externalUrl: string
  /** Called for each rule that is evaluated from now on. */
  readonly onRule: (rule: ScheduledRule) => void
}

/** Rules of the shards that this process holds, as they are stored. One reading at a time. */
export class RuleTable {
  readonly #deps: RuleTableDeps
  readonly #rules = new Map<NamespaceId, Map<string, ScheduledRule>>()
  /** Shards whose rules are read, also while the renewal of their leases is late. */
  readonly #shards = new Set<number>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: RuleTableDeps) {
    this.#deps = deps
  }

  /** Rules that are evaluated here. */
  get size(): number {
    let size = 0
    for (const rules of this.#rules.values()) size += rules.size
    return size
  }

  /** Alerts of all rules of a namespace that are evaluated here. */
  instancesOf(ns: NamespaceId): number {
    let instances = 0
    for (const { state } of this.#rules.get(ns)?.values() ?? []) instances += state.instances.size
    return instances
  }

  /** Reads the rules of a shard that is held, with the states of those that are new or different. */
  readShard({ shard }: ShardLease): Promise<void> {
    this.#shards.add(shard)
    return this.#inOrder(async () => {
      const rules = await this.#deps.rules.ofShard(shard)
      if (!this.#shards.has(shard)) return
      const present = groupedBy(rules, ({ rule }) => rule.namespaceId)
      for (const ns of [...this.#rules.keys()]) if (shardOf(ns) === shard && !present.has(ns)) this.drop(ns)
      for (const [ns, some] of present) await this.#replace(ns, some)
    })
  }

  /** Ends the rules of a shard that is not held any more. */
  dropShard(shard: number): void {
    this.#shards.delete(shard)
    for (const ns of [...this.#rules.keys()]) if (shardOf(ns) === shard) this.drop(ns)
  }

  /** Ends all rules of a namespace. */
  drop(ns: NamespaceId): void {
    for (const rule of this.#rules.get(ns)?.values() ?? []) rule.end()
    this.#rules.delete(ns)
  }

  /** Reads the rules of a namespace again; does nothing when another process evaluates them. */
  reload(ns: NamespaceId): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#shards.has(shardOf(ns))) return
      const [groups, rules] = await Promise.all([
        this.#deps.rules.groups(ns, MAX_RULE_GROUPS),
        this.#deps.rules.rules(ns, MAX_RULES)
      ])
      const byId = new Map(groups.map(group => [group.id, group]))
      const present = rules.flatMap(rule => {
        const group = byId.get(rule.groupId)
        return rule.enabled && group !== undefined ? [{ group, rule }] : []
      })
      await this.#replace(ns, present)
    })
  }

  /** Resolves when nothing is being read any more. */
  async settled(): Promise<void> {
    await this.#last
  }

  /** Ends rules that are not there any more or are different, and begins with those that are new. */
  async #replace(ns: NamespaceId, present: readonly ShardRule[]): Promise<void> {
    const before = this.#rules.get(ns) ?? new Map<string, ScheduledRule>()
    const kept = new Map<string, ScheduledRule>()
    for (const one of present) {
      const rule = before.get(one.rule.id)
      if (rule?.isOf(one)) kept.set(one.rule.id, rule)
    }
    for (const [id, rule] of before) if (kept.get(id) !== rule) rule.end()
    this.#rules.set(ns, kept)
    // A write of a rule that ended now may be in progress.
    await this.#deps.writer.settled(shardOf(ns))
    const added = present.filter(({ rule }) => !kept.has(rule.id))
    const states = await this.#deps.states.states(
      ns,
      added.map(({ rule }) => rule.id)
    )
    // The shard may have been lost meanwhile.
    if (this.#rules.get(ns) !== kept || !this.#shards.has(shardOf(ns))) return
    for (const one of added) {
      const rule = new ScheduledRule(one, states.get(one.rule.id) ?? FIRST_RULE_STATE, this.#deps.externalUrl)
      kept.set(one.rule.id, rule)
      this.#deps.onRule(rule)
    }
    if (kept.size === 0) this.#rules.delete(ns)
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    // The caller has the failure; the next reading only waits for the end of this one.
    this.#last = done.catch(() => undefined)
    return done
  }
}
