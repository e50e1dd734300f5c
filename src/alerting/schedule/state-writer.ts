import type { AlertTransition, RuleState } from '../../domain/alerts/alert-state.js'
import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { AlertStates, EvaluationChange, ShardLease } from '../../ports/alert-states.js'
import type { ReachFailPoint } from '../fail-points.js'
import type { ScheduledRule } from './scheduled-rule.js'
import type { ShardLeases } from './shard-leases.js'
import { diffStates } from './state-diff.js'

/** Transitions of one evaluation, in the order of their steps. */
export interface EvaluatedTransitions {
  /** Of steps that were evaluated more than an interval after their time. */
  readonly late: readonly AlertTransition[]
  readonly onTime: readonly AlertTransition[]
}

/** Dependencies of `StateWriter`. */
export interface StateWriterDeps {
  readonly states: Pick<AlertStates, 'commit'>
  readonly leases: Pick<ShardLeases, 'of' | 'lose'>
  /** Called after new events of a namespace are stored. */
  readonly onEvents: (ns: NamespaceId, lease: ShardLease) => void
  readonly reach: ReachFailPoint
}

function changeOf(
  rule: ScheduledRule,
  state: RuleState,
  transitions: readonly AlertTransition[],
  isLate: boolean
): EvaluationChange {
  const { changed, removed } = diffStates(rule.stored, state)
  return {
    namespaceId: rule.rule.namespaceId,
    ruleId: rule.rule.id,
    ruleVersion: rule.rule.version,
    lastEvalMs: state.lastEvalMs!,
    error: state.error,
    errorsInRow: state.errorsInRow,
    changed,
    removed,
    transitions,
    isLate
  }
}

/**
 * Writes what evaluations leave. Events are written with the state that they lead to, in one transaction and at once; what
 * has no event is written with that of all other rules. Writes of a shard follow one another, so that no older state
 * replaces a newer one.
 */
export class StateWriter {
  readonly #deps: StateWriterDeps
  readonly #unwritten = new Set<ScheduledRule>()
  readonly #writes = new Map<number, Promise<unknown>>()

  constructor(deps: StateWriterDeps) {
    this.#deps = deps
  }

  /**
   * Takes the state after an evaluation. Rejects when the store fails: nothing is known of the state that it has then. False
   * when the shard is not held any more.
   */
  async write(rule: ScheduledRule, state: RuleState, { late, onTime }: EvaluatedTransitions): Promise<boolean> {
    if (late.length + onTime.length === 0 && !diffStates(rule.stored, state).isUrgent) {
      rule.state = state
      this.#unwritten.add(rule)
      return true
    }
    return this.#inOrder(rule.shard, async lease => {
      if (rule.isEnded) return true
      const changes = [changeOf(rule, state, onTime, false)]
      if (late.length > 0) changes.unshift({ ...changes[0]!, transitions: late, isLate: true })
      rule.isUnsure = true
      this.#deps.reach('evaluation.folded')
      if (!(await this.#commit(lease, changes, 'evaluation'))) return false
      rule.reset(state)
      this.#unwritten.delete(rule)
      if (late.length + onTime.length > 0) this.#deps.onEvents(rule.rule.namespaceId, lease)
      return true
    })
  }

  /** Writes the states that have no event. Rejects when the store fails; the next call repeats them. */
  async flush(): Promise<void> {
    const outcomes = await Promise.allSettled(
      [...groupedBy(this.#unwritten, rule => rule.shard)].map(([shard, rules]) => this.#flushShard(shard, rules))
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason as Error
  }

  /** Resolves when the writes of a shard that have begun are done. */
  async settled(shard: number): Promise<void> {
    await this.#writes.get(shard)
  }

  async #flushShard(shard: number, rules: readonly ScheduledRule[]): Promise<void> {
    await this.#inOrder(shard, async lease => {
      const present = rules.filter(rule => this.#unwritten.has(rule) && !rule.isEnded)
      const written = present.map(rule => ({ rule, state: rule.state }))
      if (written.length > 0) {
        const changes = written.map(({ rule, state }) => changeOf(rule, state, [], false))
        if (!(await this.#commit(lease, changes, 'states'))) return false
      }
      for (const { rule, state } of written) {
        rule.stored = state
        if (rule.state === state) this.#unwritten.delete(rule)
      }
      return true
    })
    for (const rule of rules) if (rule.isEnded) this.#unwritten.delete(rule)
  }

  async #commit(lease: ShardLease, changes: readonly EvaluationChange[], what: 'evaluation' | 'states'): Promise<boolean> {
    const { states, leases, reach } = this.#deps
    const isPresent = await states.commit(lease, changes, () => reach(`${what}.written`))
    if (isPresent) reach(`${what}.committed`)
    else leases.lose(lease)
    return isPresent
  }

  /** Runs `work` after all earlier writes of the shard; false when the shard is not held then. */
  #inOrder(shard: number, work: (lease: ShardLease) => Promise<boolean>): Promise<boolean> {
    const before = this.#writes.get(shard) ?? Promise.resolve()
    const done = before.then(async () => {
      const lease = this.#deps.leases.of(shard)
      return lease === null ? false : work(lease)
    })
    // The caller has the failure; the next write only waits for the end of this one.
    const ended = done.catch(() => undefined)
    this.#writes.set(shard, ended)
    return done
  }
}
