import type { ConditionResult } from '../../src/domain/alerts/alert-state.js'
import type { Namespace } from '../../src/domain/namespace.js'
import type { ConditionReader, ReadRule } from '../../src/alerting/evaluate/condition-reader.js'

/** One read that a scheduler made. */
export interface ScriptedRead {
  readonly namespace: string
  readonly expr: string
  readonly times: readonly number[]
}

/** A condition that results in one element. */
export const PRESENT: ConditionResult = { kind: 'vector', elements: [{ labels: [], value: 1 }], hasData: true }
/** A condition that has data, and no element. */
export const ABSENT: ConditionResult = { kind: 'vector', elements: [], hasData: true }

/** Results by time, as a test scripts them, and the reads that were made. */
export class ScriptedConditions implements ConditionReader {
  readonly reads: ScriptedRead[] = []
  /** The result at a time. */
  at: (atMs: number, expr: string) => ConditionResult = () => ABSENT
  /** Resolves when a read may return. */
  gate: (read: ScriptedRead) => Promise<void> = () => Promise.resolve()
  /** Reads in progress. */
  running = 0
  maxRunning = 0
  /** The most at once of each namespace. */
  readonly maxRunningOf = new Map<string, number>()
  readonly #runningOf = new Map<string, number>()

  async read(
    namespace: Namespace,
    { condition }: ReadRule,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly ConditionResult[]> {
    const read = { namespace: namespace.name, expr: condition.kind === 'promql' ? condition.expr : condition.kind, times }
    this.reads.push(read)
    this.running++
    this.maxRunning = Math.max(this.maxRunning, this.running)
    const ofOne = (this.#runningOf.get(read.namespace) ?? 0) + 1
    this.#runningOf.set(read.namespace, ofOne)
    this.maxRunningOf.set(read.namespace, Math.max(this.maxRunningOf.get(read.namespace) ?? 0, ofOne))
    try {
      await this.gate(read)
      signal.throwIfAborted()
      return times.map(atMs => this.at(atMs, read.expr))
    } finally {
      this.running--
      this.#runningOf.set(read.namespace, this.#runningOf.get(read.namespace)! - 1)
    }
  }
}
