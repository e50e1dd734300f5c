import type { ConditionResult } from '../../../domain/alerts/alert-state.js'
import { isGatewayError, sentenceOf, unreachable } from '../../../domain/errors.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { Clock } from '../../../ports/clock.js'
import type { LogStore } from '../../../ports/log-store.js'
import type { Logger } from '../../../ports/logger.js'
import type { ServiceEvents } from '../../../ports/service-events.js'
import type { TraceStore } from '../../../ports/trace-store.js'
import { aggregatedLogs, aggregatedSpans } from '../../../query/aggregate/aggregated-records.js'
import { PromqlTimeout } from '../../../query/promql/evaluate/budget.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../../query/promql/promql-error.js'
import type { VectorSelector } from '../../../query/promql/syntax/ast.js'
import type { ConditionReader, ReadRule } from '../condition-reader.js'
import { AbsenceSource } from './absence-source.js'
import { EventSource } from './event-source.js'
import { LogSource } from './log-source.js'
import { isCountOfLogs } from './measured-condition.js'
import { MeasureSource } from './measure-source.js'
import { PromqlSource, type RunPromql } from './promql-source.js'
import { IncompleteRead, type Snapshot } from './snapshot.js'
import { meetsThreshold } from './threshold.js'
import { TraceSource } from './trace-source.js'

/** Dependencies of `QueryConditionReader`. */
export interface QueryConditionReaderDeps {
  readonly promql: RunPromql
  /** With the ids of patterns as readers see them. */
  readonly logs: Pick<LogStore, 'search' | 'aggregate'>
  readonly traces: Pick<TraceStore, 'stats' | 'searchSpans' | 'aggregate'>
  readonly events: Pick<ServiceEvents, 'list'>
  readonly clock: Pick<Clock, 'nowNs'>
  readonly logger: Pick<Logger, 'error'>
}

/** Logs and spans arrive late: they are read as of so long before the evaluation. */
export const LATE_MS = 15_000

/** How far before an evaluation its data is read. PromQL: 0, as Prometheus's `rule_query_offset`. */
export function offsetOf({ condition, queryOffsetMs }: Pick<ReadRule, 'condition' | 'queryOffsetMs'>): number {
  return queryOffsetMs ?? (condition.kind === 'promql' ? 0 : LATE_MS)
}

/** Reads conditions over the stores and use cases of queries. */
export class QueryConditionReader implements ConditionReader {
  readonly #deps: QueryConditionReaderDeps
  readonly #promql: PromqlSource
  readonly #logs: LogSource
  readonly #measures: MeasureSource
  readonly #traces: TraceSource
  readonly #events: EventSource
  readonly #absences: AbsenceSource

  constructor(deps: QueryConditionReaderDeps) {
    const { promql, logs, traces, events, clock } = deps
    this.#deps = deps
    this.#promql = new PromqlSource(promql)
    this.#logs = new LogSource({ logs, clock })
    this.#measures = new MeasureSource({ logs: aggregatedLogs(logs), spans: aggregatedSpans(traces), clock })
    this.#traces = new TraceSource({ traces, clock })
    this.#events = new EventSource(events)
    // `parseRule` accepts nothing but a selector here.
    const parse = (query: string): VectorSelector => promql.parse(query) as VectorSelector
    this.#absences = new AbsenceSource({ logs, traces, promql: this.#promql, parse, clock })
  }

  async read(ns: Namespace, rule: ReadRule, times: readonly number[], signal: AbortSignal): Promise<readonly ConditionResult[]> {
    if (times.length === 0) return []
    const offsetMs = offsetOf(rule)
    return this.#results(
      ns,
      rule,
      times.map(time => time - offsetMs),
      signal
    )
  }

  /** Times that cannot be read together are read in halves: what is missing or too large at one of them does not fail the others. */
  async #results(
    ns: Namespace,
    rule: ReadRule,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly ConditionResult[]> {
    try {
      const snapshots = await this.#snapshots(ns, rule, times, signal)
      return snapshots.map(snapshot => resultOf(snapshot, rule))
    } catch (error) {
      signal.throwIfAborted()
      if (times.length === 1 || !concernsSome(error)) {
        const message = this.#messageOf(error, ns)
        return times.map(() => ({ kind: 'error', message }))
      }
      const half = Math.ceil(times.length / 2)
      const first = await this.#results(ns, rule, times.slice(0, half), signal)
      return [...first, ...(await this.#results(ns, rule, times.slice(half), signal))]
    }
  }

  #snapshots(
    ns: Namespace,
    { condition }: ReadRule,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    switch (condition.kind) {
      case 'promql':
        return this.#promql.snapshots(ns, condition.expr, times, signal)
      case 'logs':
      case 'spans':
        return (isCountOfLogs(condition) ? this.#logs : this.#measures).snapshots(ns, condition, times, signal)
      case 'traces':
        return this.#traces.snapshots(ns, condition, times, signal)
      case 'event':
        return this.#events.snapshots(ns, condition, times)
      case 'absence':
        return this.#absences.snapshots(ns, condition, times, signal)
      default:
        return unreachable(condition)
    }
  }

  #messageOf(error: unknown, ns: Namespace): string {
    if (error instanceof IncompleteRead || isOfPromql(error)) return error.message
    if (error instanceof PromqlTimeout) return 'the condition exceeded the time limit of queries'
    if (!isGatewayError(error)) this.#deps.logger.error({ namespace: ns.id, err: error }, 'alert condition failed')
    return sentenceOf(error)
  }
}

function isOfPromql(error: unknown): error is Error {
  return error instanceof PromqlBadQuery || error instanceof PromqlExecutionError
}

function concernsSome(error: unknown): boolean {
  return error instanceof IncompleteRead || error instanceof PromqlExecutionError || isGatewayError(error, 'query_unsupported')
}

/**
 * PromQL that compares by itself is empty when all is well: without a threshold there is data always. With one, the vector
 * before the comparison decides.
 */
function resultOf({ elements, hasData, present }: Snapshot, { condition, threshold }: ReadRule): ConditionResult {
  const isPromqlAlone = condition.kind === 'promql' && threshold === null
  return {
    kind: 'vector',
    elements: threshold === null ? elements : elements.filter(({ value }) => meetsThreshold(threshold, value)),
    hasData: isPromqlAlone || hasData,
    ...(present !== undefined && { present })
  }
}
