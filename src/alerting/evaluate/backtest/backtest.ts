import type { AlertCondition, AlertRuleContent } from '../../../domain/alerts/alert-rule.js'
import { FIRST_RULE_STATE, type RuleState } from '../../../domain/alerts/alert-state.js'
import { formatDurationMs } from '../../../domain/duration.js'
import { GatewayError } from '../../../domain/errors.js'
import { type Namespace, type RetainedSignal, retentionStartNs } from '../../../domain/namespace.js'
import { SERVICE_EVENTS_KEPT_MS } from '../../../domain/service-event.js'
import { formatNs } from '../../../domain/timestamp.js'
import type { Warning } from '../../../domain/warning.js'
import type { Clock } from '../../../ports/clock.js'
import type { Timers } from '../../../ports/timers.js'
import type { EventLoopSlices } from '../../../threads/event-loop-slices.js'
import type { ConditionReader } from '../condition-reader.js'
import { evaluate } from '../evaluate.js'
import { PreparedRule, type RuleContext } from '../prepared-rule.js'
import { flapsOf, notificationsOf, perWeek, suggestionsOf } from './backtest-figures.js'
import type { BacktestResult } from './backtest-result.js'
import { backtestTimes } from './backtest-times.js'
import { IntervalRecorder } from './interval-recorder.js'
import { type ReadChunk, readChunks } from './read-chunks.js'

/** A rule and the range over which it is evaluated. */
export interface BacktestRequest {
  readonly rule: AlertRuleContent
  /** Of its group: the distance of evaluations, and how far before them data is read. */
  readonly intervalMs: number
  readonly queryOffsetMs: number | null
  readonly context: RuleContext
  /** Evaluations are at whole multiples of the interval and this; 0 for a rule that is not stored. */
  readonly phaseMs: number
  /** Unix milliseconds; evaluations from `startMs` up to `endMs`, both inclusive. */
  readonly startMs: number
  readonly endMs: number
  /** Less than `BACKTEST_TIMEOUT_MS`. */
  readonly timeoutMs?: number
}

/** Dependencies of `Backtest`. */
export interface BacktestDeps {
  readonly reader: ConditionReader
  readonly clock: Clock
  readonly timers: Timers
  readonly slices: Pick<EventLoopSlices, 'run'>
}

/** How long a backtest takes before it ends with what it has. */
export const BACKTEST_TIMEOUT_MS = 30_000
/** Intervals of all instances of a backtest. */
export const MAX_BACKTEST_INTERVALS = 100_000
const NS_PER_MS = 1_000_000n

/** Mutable while the backtest runs. */
interface Run {
  state: RuleState
  evaluations: number
  failed: number
  lastMs: number
  firstError: string | null
  ending: string | null
}

/**
 * Evaluates a rule over the past by the fold of the scheduler (docs/adr/0063). It begins without any instance: an alert that
 * was there before the range begins with it.
 */
export class Backtest {
  readonly #deps: BacktestDeps

  constructor(deps: BacktestDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_time_range`; rejects with the reason of the signal when it is aborted. */
  async run(ns: Namespace, request: BacktestRequest, signal: AbortSignal): Promise<BacktestResult> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const times = timesOf(request)
    // Of now: what is kept moves on while the backtest runs.
    const kept = keptData(request.rule, ns, clock.nowNs())
    const recorder = new IntervalRecorder(request.rule.threshold)
    const run: Run = {
      state: FIRST_RULE_STATE,
      evaluations: 0,
      failed: 0,
      lastMs: request.startMs,
      firstError: null,
      ending: null
    }
    await this.#evaluateAll(ns, request, { times, recorder, run }, signal)
    const { intervalMs } = request
    const rangeMs = run.evaluations * intervalMs
    const instances = recorder.finish(run.evaluations === 0 ? request.startMs : run.lastMs + intervalMs)
    const notifications = notificationsOf(instances)
    const warnings = warningsOf(times, kept, run)
    return {
      instances,
      notifications,
      perWeek: perWeek(notifications, rangeMs),
      flaps: flapsOf(instances),
      suggestions: suggestionsOf(request.rule, instances, { rangeMs, intervalMs }),
      evaluations: run.evaluations,
      complete: warnings.length === 0,
      warnings,
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  async #evaluateAll(
    ns: Namespace,
    { rule, queryOffsetMs, context, timeoutMs = BACKTEST_TIMEOUT_MS }: BacktestRequest,
    { times, recorder, run }: { readonly times: readonly number[]; readonly recorder: IntervalRecorder; readonly run: Run },
    signal: AbortSignal
  ): Promise<void> {
    const { slices } = this.#deps
    const prepared = new PreparedRule(rule, context)
    const take = async (chunk: ReadChunk, either: AbortSignal): Promise<boolean> => {
      await slices.run(fold(prepared, { chunk, recorder, run }), either)
      return run.ending === null
    }
    const read = { ns, rule: { ...rule, queryOffsetMs }, times, timeoutMs, signal }
    const ending = await readChunks(this.#deps, read, take)
    if (ending === 'time_over') run.ending = `exceeded its time limit of ${formatDurationMs(timeoutMs)}`
  }
}

/** What a condition reads, and since when it is kept. */
interface KeptData {
  readonly signal: string
  readonly oldestNs: bigint
}

function keptData({ condition }: AlertRuleContent, { retention }: Namespace, nowNs: bigint): KeptData {
  if (condition.kind === 'event') return { signal: 'events', oldestNs: nowNs - BigInt(SERVICE_EVENTS_KEPT_MS) * NS_PER_MS }
  const signal = signalOf(condition)
  return { signal, oldestNs: retentionStartNs(retention, signal, nowNs) }
}

function signalOf(condition: Exclude<AlertCondition, { kind: 'event' }>): RetainedSignal {
  if (condition.kind === 'logs') return 'logs'
  if (condition.kind === 'traces' || condition.kind === 'spans') return 'traces'
  return condition.kind === 'absence' && condition.of.kind === 'logs' ? 'logs' : 'metrics'
}

/** What the result lacks. */
function warningsOf(
  times: readonly number[],
  { signal, oldestNs }: KeptData,
  { ending, failed, evaluations, firstError, lastMs }: Run
): readonly Warning[] {
  const warnings: Warning[] = []
  const [firstMs] = times
  if (firstMs !== undefined && BigInt(firstMs) * NS_PER_MS < oldestNs)
    warnings.push({
      kind: 'retention',
      detail: `${signal} before ${formatNs(oldestNs)} are past this namespace's retention; evaluations before have no data`,
      remedy: 'Start the backtest later.',
      range: { endNs: oldestNs }
    })
  if (ending !== null)
    warnings.push({
      kind: 'cap',
      detail: `the backtest ${ending} after ${evaluations} evaluations and ends at ${formatNs(BigInt(lastMs) * NS_PER_MS)}`,
      remedy: 'Shorten the range, or lengthen the interval.'
    })
  if (failed > 0) warnings.push(`${failed} of ${evaluations} evaluations failed; the first: ${firstError}`)
  return warnings
}

function timesOf(request: BacktestRequest): readonly number[] {
  if (request.rule.kind === 'record')
    throw new GatewayError('invalid_field', 'a recording rule has no states; run its expression as a query', { field: 'rule' })
  return backtestTimes(request)
}

function* fold(
  rule: PreparedRule,
  {
    chunk,
    recorder,
    run
  }: {
    readonly chunk: ReadChunk
    readonly recorder: IntervalRecorder
    readonly run: Run
  }
): Generator<void, void> {
  for (const [i, atMs] of chunk.times.entries()) {
    const evaluation = evaluate(rule, run.state, chunk.results[i]!, atMs)
    const { error } = evaluation.state
    recorder.add(evaluation, atMs)
    run.state = evaluation.state
    run.evaluations++
    run.lastMs = atMs
    if (error !== null) {
      run.failed++
      run.firstError ??= error
    }
    if (recorder.count > MAX_BACKTEST_INTERVALS) {
      run.ending = `exceeded ${MAX_BACKTEST_INTERVALS} intervals of instances`
      return
    }
    yield
  }
}
