import type { AlertTransition, ConditionResult, RuleState } from '../../domain/alerts/alert-state.js'
import { formatDurationMs } from '../../domain/duration.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import type { AlertStates } from '../../ports/alert-states.js'
import type { Clock } from '../../ports/clock.js'
import type { EvaluationFigures } from '../../ports/evaluation-figures.js'
import { endedWith } from '../../threads/ended-with.js'
import { untilAborted } from '../../threads/until-aborted.js'
import type { EventLoopSlices } from '../../threads/event-loop-slices.js'
import type { Timers } from '../../ports/timers.js'
import type { ConditionReader } from '../evaluate/condition-reader.js'
import { type Evaluation, evaluate } from '../evaluate/evaluate.js'
import type { ReachFailPoint } from '../fail-points.js'
import { MAX_EVALUATION_MS, MAX_NAMESPACE_INSTANCES } from './bounds.js'
import { recordSteps, type SampleWriter } from './recording.js'
import type { ScheduledRule } from './scheduled-rule.js'
import type { EvaluatedTransitions, StateWriter } from './state-writer.js'
import { dueSteps } from './step-times.js'

interface EvaluatedStep {
  readonly atMs: number
  readonly result: ConditionResult
}

interface FoldedSteps extends EvaluatedTransitions {
  readonly state: RuleState
}

const NO_TRANSITIONS: EvaluatedTransitions = { late: [], onTime: [] }

/** Dependencies of `RuleEvaluator`. */
export interface RuleEvaluatorDeps {
  readonly reader: ConditionReader
  readonly states: Pick<AlertStates, 'load'>
  readonly writer: Pick<StateWriter, 'write'>
  /** Takes samples of recording rules. */
  readonly samples: SampleWriter
  /** Alerts of all rules of a namespace. */
  readonly instancesOf: (ns: NamespaceId) => number
  /** Shares the event loop: an evaluation may be of hundreds of steps. */
  readonly slices: Pick<EventLoopSlices, 'run'>
  readonly clock: Clock
  readonly timers: Timers
  readonly onFinished: (evaluation: EvaluationFigures) => void
  readonly reach: ReachFailPoint
}

/** Evaluates all due steps of a rule. */
export class RuleEvaluator {
  readonly #deps: RuleEvaluatorDeps

  constructor(deps: RuleEvaluatorDeps) {
    this.#deps = deps
  }

  /**
   * Reads the condition at all due steps by one read, folds them in their order and hands the state to the writer. After a
   * read that took too long, fewer steps are read at once. Rejects when the control store fails, and when the rule ends.
   */
  async evaluate(rule: ScheduledRule, namespace: Namespace): Promise<void> {
    const { states, clock, writer, samples, slices, onFinished, reach } = this.#deps
    if (rule.isUnsure) rule.reset(await states.load(namespace.id, rule.rule.id))
    const nowMs = clock.nowMs()
    const startedMs = clock.monotonicMs()
    const { skippedTo, skipped, times } = dueSteps(rule.grid, rule.doneMs, nowMs)
    const read = times.slice(0, rule.maxSteps)
    if (read.length === 0) return
    const results = await this.#read(rule, namespace, read)
    if (results === null) {
      rule.maxSteps = Math.ceil(read.length / 2)
      return
    }
    rule.maxSteps = Number.POSITIVE_INFINITY
    reach('evaluation.read')
    const steps: EvaluatedStep[] = read.map((atMs, at) => ({ atMs, result: results[at]! }))
    if (rule.rule.kind === 'record') {
      const state = await recordSteps(rule.rule, namespace, rule.state, steps, samples)
      reach('recording.written')
      rule.signal.throwIfAborted()
      await writer.write(rule, state, NO_TRANSITIONS)
    } else {
      if (skippedTo !== null) steps.unshift({ atMs: skippedTo, result: { kind: 'skipped' } })
      const { state, ...transitions } = await slices.run(this.#fold(rule, steps, nowMs), rule.signal)
      rule.signal.throwIfAborted()
      await writer.write(rule, state, transitions)
    }
    const failed = results.filter(({ kind }) => kind === 'error').length
    const durationMs = clock.monotonicMs() - startedMs
    onFinished({ lateMs: nowMs - read[0]!, durationMs, steps: read.length, skipped, failed })
  }

  *#fold(rule: ScheduledRule, steps: readonly EvaluatedStep[], nowMs: number): Generator<void, FoldedSteps> {
    let { state } = rule
    const late: AlertTransition[] = []
    const onTime: AlertTransition[] = []
    for (const { atMs, result } of steps) {
      const folded = this.#evaluate(rule, state, { atMs, result })
      state = folded.state
      const of = nowMs - atMs > rule.grid.intervalMs ? late : onTime
      of.push(...folded.transitions)
      yield
    }
    return { state, late, onTime }
  }

  /**
   * The evaluation of a step. One that would leave more alerts than a namespace may have fails like one that exceeds the limit
   * of its rule: alerts stay as they are, and the rule has an error, of which notifications are sent.
   */
  #evaluate(rule: ScheduledRule, state: RuleState, { atMs, result }: EvaluatedStep): Evaluation {
    const folded = evaluate(rule.prepared, state, result, atMs)
    const size = folded.state.instances.size
    if (result.kind === 'error' || size <= state.instances.size) return folded
    const all = this.#deps.instancesOf(rule.rule.namespaceId) - rule.state.instances.size + size
    if (all <= MAX_NAMESPACE_INSTANCES) return folded
    const detail = `too_many_instances: the namespace would have ${all} alerts, more than its limit of ${MAX_NAMESPACE_INSTANCES}`
    const message = `${detail}; aggregate the conditions of rules with many alerts`
    return evaluate(rule.prepared, state, { kind: 'error', message }, atMs)
  }

  /** Null when several steps took longer than the limit; one step that does so has failed. */
  async #read(rule: ScheduledRule, namespace: Namespace, times: readonly number[]): Promise<readonly ConditionResult[] | null> {
    const { reader, timers } = this.#deps
    const limitMs = Math.min(rule.grid.intervalMs, MAX_EVALUATION_MS)
    const { kind, condition, threshold } = rule.rule
    const { queryOffsetMs } = rule.group
    return endedWith(rule.signal, async ended => {
      let isLate = false
      const cancel = timers.after(limitMs, () => {
        isLate = true
        ended.abort(new Error('the time limit of the evaluation is over'))
      })
      try {
        const results = reader.read(namespace, { kind, condition, threshold, queryOffsetMs }, times, ended.signal)
        // A read that does not end by itself must not keep its slot.
        return await untilAborted(results, ended.signal)
      } catch (error) {
        if (!isLate || rule.isEnded) throw error
        if (times.length > 1) return null
        return [{ kind: 'error', message: `the evaluation exceeded its time limit of ${formatDurationMs(limitMs)}` }]
      } finally {
        cancel()
      }
    })
  }
}
