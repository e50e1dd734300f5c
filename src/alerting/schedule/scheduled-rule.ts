import type { AlertGroup, AlertRule } from '../../domain/alerts/alert-rule.js'
import type { RuleState } from '../../domain/alerts/alert-state.js'
import { shardOf } from '../../domain/alerts/shard.js'
import type { ShardRule } from '../../ports/alert-rules.js'
import { PreparedRule } from '../evaluate/prepared-rule.js'
import { gridOf, type StepGrid } from './step-times.js'

/** One version of a rule that this process evaluates, with its state. */
export class ScheduledRule {
  readonly group: AlertGroup
  readonly rule: AlertRule
  readonly grid: StepGrid
  readonly shard: number
  /** With parsed templates. */
  readonly prepared: PreparedRule
  /** The state after the last evaluation; events of it are stored. */
  state: RuleState
  /** The state that the control store has. */
  stored: RuleState
  /** Whether `stored` is unknown, after a commit of which nothing was heard. */
  isUnsure = false
  /** Steps of one read: fewer after one that took too long. */
  maxSteps = Number.POSITIVE_INFINITY
  readonly #end = new AbortController()

  /** @param externalUrl address of the console, for templates */
  constructor({ group, rule }: ShardRule, state: RuleState, externalUrl: string) {
    this.group = group
    this.rule = rule
    this.grid = gridOf(rule.id, group.intervalMs)
    this.shard = shardOf(rule.namespaceId)
    this.prepared = new PreparedRule(rule, { limit: group.limit, externalUrl })
    this.state = state
    this.stored = state
  }

  /** Steps up to this time are done. Before the first evaluation: when the rule was written. Unix milliseconds. */
  get doneMs(): number {
    return this.state.lastEvalMs ?? this.rule.updatedAtMs
  }

  /** Whether it must not be evaluated or written any more. */
  get isEnded(): boolean {
    return this.#end.signal.aborted
  }

  /** Aborted when the rule ends here. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  /** Replaces both states by the one that the control store has. */
  reset(state: RuleState): void {
    this.state = state
    this.stored = state
    this.isUnsure = false
  }

  /** Ends evaluations: the rule was changed or removed, or another process evaluates it. */
  end(): void {
    this.#end.abort(new Error('the rule is not evaluated here any more'))
  }

  /** Whether this is the rule as it is stored. */
  isOf({ group, rule }: ShardRule): boolean {
    const { intervalMs, limit, queryOffsetMs, name } = this.group
    return (
      rule.version === this.rule.version &&
      group.id === this.group.id &&
      group.name === name &&
      group.intervalMs === intervalMs &&
      group.limit === limit &&
      group.queryOffsetMs === queryOffsetMs
    )
  }
}
